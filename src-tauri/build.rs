//! Reads `tauri.conf.json` and `capabilities/` into the program, and the user interface as it was last
//! built.

#![allow(clippy::print_stdout, reason = "how a build script speaks to cargo")]

fn main() {
    // A check of the code needs no user interface, but Tauri wants its folder; a program built with
    // an empty one says so when it is started.
    let _ = std::fs::create_dir_all("../ui/dist");
    println!("cargo:rerun-if-changed=../ui/dist");
    tauri_build::build();
}
