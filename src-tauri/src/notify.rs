//! Desktop notifications, shown when the user is needed and isn't looking at a Planwright window.

use desktop::wire::DesktopEvent;
use tauri::{AppHandle, Manager};
use tauri_plugin_notification::NotificationExt;

/// Maximum characters shown; the window has the full text.
const MAX_TEXT_LEN: usize = 240;

/// Shows a notification for each event that needs the user, unless they are looking at a window.
pub(crate) fn tell(app: &AppHandle, events: &[DesktopEvent]) {
    for event in events {
        let DesktopEvent::Needed { title, message, .. } = event else {
            continue;
        };
        if !is_looked_at(app) {
            show(app, title, message);
        }
    }
}

/// Shows a notification, if the desktop supports it.
pub(crate) fn show(app: &AppHandle, title: &str, message: &str) {
    let shown = app
        .notification()
        .builder()
        .title(plain(title))
        .body(plain(message))
        .show();
    if let Err(error) = shown {
        tracing::warn!(target: "planwright", %error, "couldn't show a notification");
    }
}

fn is_looked_at(app: &AppHandle) -> bool {
    app.webview_windows()
        .values()
        .any(|window| window.is_focused().unwrap_or(false))
}

/// Shortens a text to one line and escapes the characters that a notification server would treat as
/// markup.
fn plain(text: &str) -> String {
    let line = workbench::visible_line(text);
    let mut plain: String = line.chars().take(MAX_TEXT_LEN).collect();
    if plain.len() < line.len() {
        plain.push('…');
    }
    plain
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{MAX_TEXT_LEN, plain};

    #[test]
    fn text_of_a_plan_stays_text() {
        assert_eq!(plain("a <b> & c\nd"), "a &lt;b&gt; &amp; c d");
        assert_eq!(plain("a\u{1b}\u{202e}b"), "a⟨ESC⟩⟨RLO⟩b");
    }

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!(plain(&"ä".repeat(1_000)).chars().count(), MAX_TEXT_LEN + 1);
    }
}
