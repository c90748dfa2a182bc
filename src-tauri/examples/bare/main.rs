//! The least that a Tauri window can be: one line of text, and a word to the program when it was
//! painted. `cargo xtask bench` measures Planwright's window beside it.

/// Says by its title that the first frame is painted and commands are answered.
#[tauri::command]
fn ready(window: tauri::WebviewWindow) -> Result<(), tauri::Error> {
    window.set_title("Bare: ready")
}

fn main() -> Result<(), tauri::Error> {
    tauri::Builder::default()
        .invoke_handler(tauri::generate_handler![ready])
        .run(tauri::generate_context!("examples/bare/tauri.conf.json"))
}
