//! `planwright-desktop`, the window.
//!
//! Opens the user's data once for the process, shows it in one or several windows, and passes what
//! they ask to [`desktop::Desktop`]: `commands` lists every question, `events` what the windows are
//! told unasked, `windows` opens, names and closes them, `tray` and `notify` stand in while no window
//! is looked at.
//!
//! **Architecture invariants.** Wiring, no logic: nothing here reads a plan, decides about a run or
//! touches a workspace. The page of a window can do what `commands` lists and hear events, nothing
//! else. Nothing here blocks the thread that draws.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod app;
mod commands;
mod crash;
mod events;
mod host;
mod links;
mod notify;
mod rendering;
mod start;
mod tray;
mod windows;

use std::process::ExitCode;

/// Plans are thousands of short texts, made and let go by several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // The same program is the helper that holds a sandboxed command; see the tools crate.
    if let Some(code) = workbench::become_helper_if_asked() {
        return code;
    }
    let path = match start::read_arguments(std::env::args_os().skip(1)) {
        start::Arguments::Open(path) => path,
        start::Arguments::Say(text) => return start::say(&text),
        start::Arguments::Wrong(text) => return start::refuse(&text),
    };
    crash::log_panics();
    let rendering = rendering::choose();
    app::run(path, rendering)
}
