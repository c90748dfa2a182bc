//! The tray icon, shown only while a run continues without a visible window.
//!
//! Not every desktop has a tray; without one, [`is_available`] returns `false` and the window stays
//! open.

use tauri::AppHandle;
use tauri::menu::{Menu, MenuItem};
use tauri::tray::TrayIconBuilder;

use crate::windows;

const ID: &str = "planwright";

/// Whether the desktop shows tray icons. Blocks on D-Bus, so don't call it on the UI thread.
pub(crate) fn is_available() -> bool {
    #[cfg(target_os = "linux")]
    {
        has_watcher().unwrap_or(false)
    }
    #[cfg(not(target_os = "linux"))]
    {
        true
    }
}

/// Whether a status notifier host is present. Without a session bus in the environment there is
/// none, and connecting would start a bus.
#[cfg(target_os = "linux")]
fn has_watcher() -> Option<bool> {
    use gtk::gio::{self, prelude::*};
    use gtk::glib;

    let has_bus = std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some()
        || std::env::var_os("XDG_RUNTIME_DIR")
            .is_some_and(|folder| std::path::Path::new(&folder).join("bus").exists());
    if !has_bus {
        return None;
    }
    let bus = gio::bus_get_sync(gio::BusType::Session, gio::Cancellable::NONE).ok()?;
    let answer = bus
        .call_sync(
            Some("org.freedesktop.DBus"),
            "/org/freedesktop/DBus",
            "org.freedesktop.DBus",
            "NameHasOwner",
            Some(&("org.kde.StatusNotifierWatcher",).to_variant()),
            glib::VariantTy::new("(b)").ok(),
            gio::DBusCallFlags::NONE,
            500,
            gio::Cancellable::NONE,
        )
        .ok()?;
    answer.get::<(bool,)>().map(|(owned,)| owned)
}

/// Shows the icon; does nothing if it is already shown.
///
/// # Errors
/// If the system's tray library is missing or fails.
pub(crate) fn show(app: &AppHandle) -> tauri::Result<()> {
    if app.tray_by_id(ID).is_some() {
        return Ok(());
    }
    let item = |id: &str, text: &str| MenuItem::with_id(app, id, text, true, None::<&str>);
    let menu = Menu::with_items(
        app,
        &[
            &item("open", "Open Planwright")?,
            &item("pause", "Pause after this step")?,
            &item("quit", "Stop after this step and quit")?,
        ],
    )?;
    let mut tray = TrayIconBuilder::with_id(ID)
        .menu(&menu)
        .tooltip("Planwright: a run is in progress")
        .on_menu_event(|app, event| match event.id.as_ref() {
            "open" => windows::bring_back(app),
            "pause" => windows::pause_runs(app),
            "quit" => windows::quit_after_step(app),
            _ => {}
        });
    if let Some(icon) = app.default_window_icon() {
        tray = tray.icon(icon.clone());
    }
    tray.build(app)?;
    Ok(())
}

/// Removes the icon.
pub(crate) fn hide(app: &AppHandle) {
    // The icon disappears when its last handle is dropped.
    drop(app.remove_tray_by_id(ID));
}
