//! How well the signals see: goals with requirement lists from which one requirement is taken away,
//! and plans into which one defect of each kind is put. `cargo xtask eval --adequacy` prints the tables; the
//! tests hold what was promised.

#![allow(
    clippy::unwrap_used,
    reason = "a fixture that cannot be read is a failed test"
)]

mod bases;
mod defects;
mod goals;
mod table;
