//! Tests which editor opens a file, with which arguments, and what happens if it fails.

use super::{Opening, choose, open, run};
use std::path::{Path, PathBuf};
use workbench::settings::Editor;

/// The chosen program with its arguments, `default`, or the error message.
fn chosen(editor: Editor, visual: Option<&str>, installed: &[&str], line: u32) -> String {
    let find = |name: &str| {
        installed
            .contains(&name)
            .then(|| PathBuf::from(format!("/bin/{name}")))
    };
    let file = Path::new("/w/a b;rm -rf $HOME.md");
    match choose(editor, visual, find, file, (line > 0).then_some(line)) {
        Ok(Opening::Start { program, arguments }) => {
            let words = arguments.iter().map(|word| format!("‹{}›", word.display()));
            format!("{} {}", program.display(), words.collect::<String>())
        }
        Ok(Opening::Default) => "default".to_owned(),
        Err(error) => error.to_wire().message,
    }
}

#[test]
fn auto_takes_the_first_editor_with_a_window() {
    let auto = |visual, installed: &[&str]| chosen(Editor::Auto, visual, installed, 7);
    let all = ["vim", "gedit", "code", "zed"];
    assert_eq!(
        auto(Some("gedit -s"), &all),
        "/bin/gedit ‹-s›‹+7›‹/w/a b;rm -rf $HOME.md›"
    );
    let code = "/bin/code ‹-g›‹/w/a b;rm -rf $HOME.md:7›";
    assert_eq!(auto(Some("vim"), &all), code);
    assert_eq!(auto(Some("emacs -nw"), &["emacs", "code"]), code);
    assert_eq!(auto(Some("my-script"), &["my-script", "code"]), code);
    assert_eq!(auto(Some("subl"), &["code"]), code);
    assert_eq!(auto(None, &["zed"]), "/bin/zed ‹/w/a b;rm -rf $HOME.md:7›");
    assert_eq!(auto(Some("vim"), &["vim"]), "default");
}

#[test]
fn a_setting_is_obeyed_or_refused_with_what_to_do() {
    let hint = "Choose another editor in Settings.";
    for (editor, visual, installed, expected) in [
        (
            Editor::Zed,
            Some("code"),
            ["zeditor"],
            "/bin/zeditor ‹/w/a b;rm -rf $HOME.md:3›".to_owned(),
        ),
        (
            Editor::Zed,
            None,
            ["code"],
            format!("Zed (`zed`) wasn't found. {hint}"),
        ),
        (
            Editor::VsCode,
            None,
            ["zed"],
            format!("VS Code (`code`) wasn't found. {hint}"),
        ),
        (
            Editor::Visual,
            None,
            ["code"],
            format!("$VISUAL isn't set. {hint}"),
        ),
        (
            Editor::Visual,
            Some("nvim -R"),
            ["nvim"],
            format!("`nvim` from $VISUAL needs a terminal. {hint}"),
        ),
        (
            Editor::Visual,
            Some("emacsclient -t"),
            ["emacsclient"],
            format!("`emacsclient` from $VISUAL needs a terminal. {hint}"),
        ),
        (
            Editor::Visual,
            Some("kate"),
            ["code"],
            format!("`kate` from $VISUAL wasn't found. {hint}"),
        ),
        // Only the user knows whether an unknown program is graphical.
        (
            Editor::Visual,
            Some("my-script"),
            ["my-script"],
            "/bin/my-script ‹/w/a b;rm -rf $HOME.md›".to_owned(),
        ),
        (
            Editor::Desktop,
            Some("code"),
            ["code"],
            "default".to_owned(),
        ),
    ] {
        assert_eq!(chosen(editor, visual, &installed, 3), expected);
    }
}

#[test]
fn without_a_line_the_file_is_the_only_argument() {
    let file = "‹/w/a b;rm -rf $HOME.md›";
    for program in ["code", "zed", "gedit", "kate"] {
        let opened = chosen(Editor::Visual, Some(program), &[program], 0);
        assert_eq!(opened, format!("/bin/{program} {file}"));
    }
}

#[test]
fn an_editor_gets_the_name_as_it_is_and_one_that_fails_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().join("$(touch pwned); a.md");
    std::fs::write(&name, "").unwrap();
    let opening = Opening::Start {
        program: "/bin/sh".into(),
        arguments: vec![
            "-c".into(),
            "test -f \"$0\" && touch \"$0.opened\"".into(),
            name.as_os_str().to_owned(),
        ],
    };
    open(&opening, &name).unwrap();
    assert!(folder.path().join("$(touch pwned); a.md.opened").exists());
    assert!(!folder.path().join("pwned").exists());
    let error = run(Path::new("/bin/sh"), &["-c".into(), "exit 3".into()]);
    let message = error.unwrap_err().to_wire().message;
    assert!(
        message.contains("/bin/sh didn't start: exit status: 3"),
        "{message}"
    );
    assert!(run(Path::new("/nonexistent/editor"), &[]).is_err());
}
