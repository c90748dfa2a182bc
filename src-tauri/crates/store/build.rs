//! Rebuilds the crate when a migration is added or changed: the macro that embeds the folder
//! doesn't tell cargo which files it read.
#![allow(clippy::print_stdout, reason = "build scripts print to Cargo")]

fn main() {
    println!("cargo:rerun-if-changed=../../../migrations");
}
