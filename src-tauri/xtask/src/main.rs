//! Set-up and every check.
fn main() {}
