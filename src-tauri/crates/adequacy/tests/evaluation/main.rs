//! Measures how well the signals work: goals with one requirement removed from the plan, and plans
//! with one defect of each kind. `cargo xtask eval --adequacy` prints the tables; the tests check
//! the minimum rates.

#![allow(
    clippy::unwrap_used,
    reason = "a fixture that cannot be read is a failed test"
)]

mod bases;
mod defects;
mod goals;
mod table;
