//! Assembles the application and runs it.

use std::ffi::OsString;
use std::process::ExitCode;

use desktop::wire::DesktopEvent;
use tauri::{Context, Manager, RunEvent, WindowEvent};
use tauri_plugin_window_state::StateFlags;
use tauri_specta::Event;

use crate::events::{Inlet, ShellEvent, ShellNews};
use crate::host::Host;
use crate::rendering::Rendering;
use crate::start::{self, Target, Waiting};
use crate::windows::{self, Closing};
use crate::{commands, notify};

/// Opens the window and runs until the program ends.
pub(crate) fn run(target: Option<Target>, rendering: Rendering) -> ExitCode {
    #[cfg(target_os = "linux")]
    if gtk::init().is_err() {
        return start::refuse(
            "No display found for the window; check DISPLAY and WAYLAND_DISPLAY. Without one, use the terminal \
             program `planwright`.",
        );
    }
    let mut context: Context = tauri::generate_context!();
    // Without the feature `custom-protocol`, the page is served by Vite.
    let is_alone = cfg!(feature = "custom-protocol");
    if is_alone && context.assets().get(&"index.html".into()).is_none() {
        return start::refuse(
            "This program was built without its user interface. `cargo xtask run` builds both.",
        );
    }
    let home = std::env::var_os("PLANWRIGHT_HOME").filter(|home| !home.is_empty());
    if let Some(home) = &home {
        // Tauri joins the identifier to the platform's base folders, so an absolute path replaces
        // all of them.
        context.config_mut().identifier = home.to_string_lossy().into_owned();
    }
    match build(context, target, rendering, home) {
        Ok(app) => {
            app.run(|app, event| match event {
                RunEvent::Exit => app.state::<Host>().close(),
                #[cfg(target_os = "macos")]
                RunEvent::Reopen { .. } => windows::bring_back(app),
                _ => {}
            });
            ExitCode::SUCCESS
        }
        Err(error) => {
            tracing::error!(target: "planwright", %error, "not started");
            start::refuse(&format!("Planwright couldn't open its window: {error}"))
        }
    }
}

fn build(
    context: Context,
    target: Option<Target>,
    rendering: Rendering,
    home: Option<OsString>,
) -> tauri::Result<tauri::App> {
    let specta = commands::listed();
    let inlet = Inlet::default();
    let host = {
        let inlet = inlet.clone();
        Host::new(move |event| inlet.put(event))
    };
    let waiting = Waiting::default();
    if let Some(target) = target {
        let folder = std::env::current_dir().unwrap_or_default();
        waiting.add(target.in_folder(&folder));
    }
    tauri::Builder::default()
        .plugin(single_instance(home.as_ref()))
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_opener::init())
        .plugin(tauri_plugin_notification::init())
        .plugin(
            tauri_plugin_window_state::Builder::new()
                .with_filename("windows.json")
                .with_state_flags(StateFlags::SIZE | StateFlags::POSITION | StateFlags::MAXIMIZED)
                .build(),
        )
        .manage(host.clone())
        .manage(waiting)
        .manage(Closing::default())
        .manage(commands::agents::Trials::default())
        .manage(rendering)
        .invoke_handler(specta.invoke_handler())
        .on_window_event(|window, event| {
            if let WindowEvent::CloseRequested { api, .. } = event {
                windows::close_requested(window, api);
            }
        })
        .setup(move |app| {
            specta.mount_events(app);
            let handle = app.handle();
            inlet.send_to(handle.clone(), |app, events| {
                if events
                    .iter()
                    .any(|event| matches!(event, DesktopEvent::Needed { .. }))
                {
                    windows::person_needed(app);
                }
                notify::tell(app, events);
            });
            // Opens the data on another thread while the page loads.
            std::thread::spawn(move || host.desktop().map(drop));
            windows::open_main(handle)?;
            #[cfg(target_os = "linux")]
            end_on_signals(handle);
            Ok(())
        })
        .build(context)
}

/// Allows one process per user and data folder; a second start hands over its target and exits.
fn single_instance(home: Option<&OsString>) -> tauri::plugin::TauriPlugin<tauri::Wry> {
    let name = match home {
        None => "planwright.desktop".to_owned(),
        Some(home) => format!("planwright.desktop.{}", as_bus_name(home)),
    };
    tauri_plugin_single_instance::Builder::new()
        .dbus_id(name)
        .callback(|app, arguments, folder| {
            let target = start::handed_over(arguments, &folder);
            windows::bring_back(app);
            let (Some(target), Some(window)) = (target, windows::front(app)) else {
                return;
            };
            app.state::<Waiting>().add(target);
            let event = ShellEvent {
                window: window.label().to_owned(),
                what: ShellNews::TargetGiven,
            };
            if let Err(error) = event.emit(app) {
                tracing::warn!(target: "planwright", %error, "a target was not handed over");
            }
        })
        .build()
}

/// Hashes a folder's path to an element of a bus name, made of letters and digits only.
fn as_bus_name(folder: &std::ffi::OsStr) -> String {
    use std::fmt::Write;
    let hash = folder
        .as_encoded_bytes()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    let mut name = "h".to_owned();
    // Writing to a string cannot fail.
    let _ = write!(name, "{hash:016x}");
    name
}

/// Shuts down cleanly when the session ends or the process is signaled.
#[cfg(target_os = "linux")]
fn end_on_signals(app: &tauri::AppHandle) {
    const INTERRUPT: i32 = 2;
    const TERMINATE: i32 = 15;
    for signal in [INTERRUPT, TERMINATE] {
        let app = app.clone();
        gtk::glib::unix_signal_add(signal, move || {
            app.exit(0);
            gtk::glib::ControlFlow::Continue
        });
    }
}

#[cfg(test)]
mod tests {
    use super::as_bus_name;
    use std::ffi::OsStr;

    #[test]
    fn each_data_folder_has_a_name_of_its_own() {
        let (a, b) = (
            as_bus_name(OsStr::new("/tmp/a")),
            as_bus_name(OsStr::new("/tmp/b")),
        );
        assert_ne!(a, b);
        assert!(a.chars().all(|c| c.is_ascii_alphanumeric()), "{a}");
    }
}
