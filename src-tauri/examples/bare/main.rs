//! A minimal Tauri window: one line of text, and a message to the program once it is painted.
//! `cargo xtask bench` compares Planwright's window with it.

/// Shows in its title that the first frame is painted and commands work.
#[tauri::command]
fn ready(window: tauri::WebviewWindow) -> Result<(), tauri::Error> {
    window.set_title("Bare: ready")
}

fn main() -> Result<(), tauri::Error> {
    tauri::Builder::default()
        .invoke_handler(tauri::generate_handler![ready])
        .run(tauri::generate_context!("examples/bare/tauri.conf.json"))
}
