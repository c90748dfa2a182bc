//! Embeds `tauri.conf.json`, `capabilities/` and the most recent build of the user interface in the
//! program.

#![allow(clippy::print_stdout, reason = "build scripts print to Cargo")]

fn main() {
    // `cargo check` does not need the user interface, but Tauri requires its folder to exist. A
    // program built with an empty folder reports that at startup.
    let _ = std::fs::create_dir_all("../ui/dist");
    println!("cargo:rerun-if-changed=../ui/dist");
    tauri_build::build();
}
