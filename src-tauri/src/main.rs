//! `planwright-desktop`, the desktop application.
//!
//! Opens the user's data once per process, shows it in one or more windows, and passes their calls
//! to [`desktop::Desktop`]. `commands` lists the calls, `events` the events sent to the windows;
//! `windows` opens, names and closes windows; `tray` and `notify` are used while the user isn't
//! looking at a window.
//!
//! **Architecture invariants.** This crate only connects the parts: it reads no plan, decides
//! nothing about a run and touches no workspace. A window's page can only call what `commands`
//! lists and receive events. Nothing here blocks the UI thread.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod app;
mod commands;
mod crash;
mod editors;
mod events;
mod host;
mod links;
mod notify;
mod plan_links;
mod rendering;
mod start;
mod tray;
mod windows;

use std::process::ExitCode;

/// mimalloc, because plans consist of thousands of short strings that are allocated and freed on
/// several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // This executable is also the helper process for a sandboxed command; see the tools crate.
    if let Some(code) = workbench::become_helper_if_asked() {
        return code;
    }
    let target = match start::read_arguments(std::env::args_os().skip(1)) {
        start::Arguments::Open(target) => target,
        start::Arguments::Say(text) => return start::say(&text),
        start::Arguments::Wrong(text) => return start::refuse(&text),
    };
    crash::log_panics();
    let rendering = rendering::choose();
    app::run(target, rendering)
}
