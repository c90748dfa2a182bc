//! Measures how reliable the findings are: with plans from which one requirement of the goal was
//! removed, and with plans to which one defect was added. `cargo xtask eval --adequacy` prints the
//! tables; the tests check minimum rates.

#![allow(
    clippy::unwrap_used,
    reason = "a fixture that cannot be read is a failed test"
)]

mod bases;
mod defects;
mod goals;
mod table;
