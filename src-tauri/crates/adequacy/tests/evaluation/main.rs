//! Measures how reliable the findings are, with goals of which one requirement is missing from the
//! plan, and with plans that have one defect of each kind. `cargo xtask eval --adequacy` prints the
//! tables; the tests check minimum rates.

#![allow(
    clippy::unwrap_used,
    reason = "a fixture that cannot be read is a failed test"
)]

mod bases;
mod defects;
mod goals;
mod table;
