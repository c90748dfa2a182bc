//! How well the signals see: goals with requirement lists from which one requirement is taken away,
//! and plans into which one defect of each kind is put. `cargo xtask eval` prints the tables; the
//! tests hold what was promised.

mod bases;
mod defects;
mod goals;
mod table;
