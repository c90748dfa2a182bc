//! A minimal Tauri window that shows one line of text and calls the program once it is painted.
//! `cargo xtask bench` compares Planwright's window with it.

/// Called by the page after its first frame. Changes the window title to signal that the window is
/// ready.
#[tauri::command]
fn ready(window: tauri::WebviewWindow) -> Result<(), tauri::Error> {
    window.set_title("Bare: ready")
}

fn main() -> Result<(), tauri::Error> {
    tauri::Builder::default()
        .invoke_handler(tauri::generate_handler![ready])
        .run(tauri::generate_context!("examples/bare/tauri.conf.json"))
}
