//! The terminal `planwright`.
fn main() {}
