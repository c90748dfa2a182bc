//! `cargo xtask demo`: plays the whole job in the real window and leaves numbered pictures and a
//! transcript in `target/demo/`.

fn main() {}
