//! `cargo xtask demo`: plays the whole job in the real window, and leaves numbered screenshots and
//! a transcript in `target/demo/`. Fails if the screen or the files on disk aren't as expected.
#![allow(
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a program for a person to watch, which ends where it cannot go on"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use planwright_tests::window::Window;
use planwright_tests::{Home, job};
use serde_json::json;

/// Stages at which an additional screenshot is taken in the dark theme.
const ALSO_DARK: [&str; 4] = ["plan", "card", "changes", "permission"];

fn main() {
    let folder = folder();
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("target/demo can be made");
    let home = Home::new();
    let mut number = 0;
    let mut transcript = String::from(
        "# The whole job, played in the real window\n\nThe sample program, no model, an empty home. Beside each picture: what was done, and what the\nright panel and the bar said then.\n",
    );
    let receipt = job::play(&home, &mut |window, name, done| {
        number += 1;
        let picture = format!("{number:02}-{name}");
        println!("{picture}: {done}");
        take(window, &folder, &picture);
        // Writing into a String cannot fail.
        let _ = write!(
            transcript,
            "\n## {picture}\n\n{done}\n\n![{name}]({picture}.png)\n\n```\n{}\n```\n",
            said(window)
        );
        if ALSO_DARK.contains(&name) {
            in_theme(&home, window, "dark");
            take(window, &folder, &format!("{picture}-dark"));
            in_theme(&home, window, "light");
        }
    });
    let _ = write!(
        transcript,
        "\n## The receipt, as `planwright receipt --json` tells it\n\n```json\n{receipt:#}\n```\n"
    );
    std::fs::write(folder.join("transcript.md"), transcript).expect("the transcript is written");
    println!("pictures and transcript.md are in {}", folder.display());
}

/// The folder `demo` in this program's target folder.
fn folder() -> PathBuf {
    let program = std::env::current_exe().expect("the program knows its path");
    // <target>/<profile>/deps/<program>
    let target = program.ancestors().nth(3);
    target.unwrap_or(Path::new("target")).join("demo")
}

/// Takes a screenshot with this name.
fn take(window: &Window, folder: &Path, name: &str) {
    window.shot_into(folder, name);
}

/// The visible text of dialogs, side panels and the bar.
fn said(window: &Window) -> String {
    let words = window.script(
        "return [...document.querySelectorAll('[role=dialog], aside, [role=complementary], footer')].filter(e => e.getClientRects().length).map(e => e.innerText.trim()).join('\\n---\\n').replace(/\\n{2,}/g, '\\n');",
        Vec::new(),
    );
    words.as_str().unwrap_or_default().to_owned()
}

/// Sets the theme in the user's settings and waits until the page applies it.
fn in_theme(home: &Home, window: &Window, theme: &str) {
    let file = home.path().join("settings.json");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|_| "{}".to_owned());
    let mut settings: serde_json::Value = serde_json::from_str(&text).expect("settings are JSON");
    settings["theme"] = json!(theme);
    home.write_settings(&settings);
    window.wait_for(
        "the theme",
        &format!("document.documentElement.dataset.mantineColorScheme === '{theme}'"),
    );
}
