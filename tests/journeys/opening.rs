//! `planwright` without a command opens the window, or explains why it can't. Mistyped commands and
//! completions open nothing.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use planwright_tests::{Home, Project, planwright_binary, wait_until};

#[test]
fn a_mistyped_command_is_named_and_nothing_is_opened() {
    let home = Home::new().with_env("DISPLAY", ":1");
    let project = Project::new();
    let out = home.planwright(&project, ["chekc"]).expect(64);
    assert!(out.shown().contains("chekc"), "{}", out.shown());
    let other = home.planwright(&project, ["deploy"]).expect(64);
    assert!(
        other.shown().contains("planwright --help"),
        "{}",
        other.shown()
    );
}

#[test]
fn a_mistyped_command_has_a_suggestion_alone_and_with_arguments() {
    let home = Home::new().with_env("DISPLAY", ":1");
    let project = Project::new().file("x.md", "- [ ] Do the one thing\n");
    for arguments in [
        &["chek"][..],
        &["chek", "x.md"],
        &["chek", "x.md", "--enforce"],
    ] {
        let out = home.planwright(&project, arguments).expect(64);
        let hint = "did you mean `planwright check`?";
        assert!(out.stderr.contains(hint), "{}", out.shown());
    }
    let out = home.planwright(&project, ["chek", "x.md", "--json"]);
    assert_eq!(out.expect(64).last_json()["error"]["code"], "usage");
}

#[test]
fn completions_need_no_data_folder() {
    let home = Home::new();
    let project = Project::new();
    for shell in ["bash", "zsh", "fish"] {
        let out = home.planwright(&project, ["completions", shell]).expect(0);
        assert!(out.stdout.contains("receipt"), "{}", out.shown());
    }
    assert!(!home.path().join("data").exists());
    home.planwright(&project, ["completions", "sh"]).expect(64);
}

#[test]
fn without_a_display_the_terminal_says_so() {
    let home = Home::new()
        .with_env("DISPLAY", "")
        .with_env("WAYLAND_DISPLAY", "");
    let project = Project::new();
    let out = home.planwright(&project, ["."]).expect(4);
    assert!(out.shown().contains("no display"), "{}", out.shown());
}

#[test]
fn a_path_is_handed_to_the_window_program_that_stands_beside() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::copy(planwright_binary(), at("planwright")).unwrap();
    std::fs::write(
        at("planwright-desktop"),
        "#!/bin/sh\nprintf %s \"$1\" > \"$0.opened\"\n",
    )
    .unwrap();
    std::fs::set_permissions(at("planwright-desktop"), PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::write(at("plan.md"), "# A plan\n").unwrap();

    let status = Command::new(at("planwright"))
        .arg("plan.md")
        .current_dir(folder.path())
        .env("DISPLAY", ":1")
        .status()
        .unwrap();
    assert!(status.success());
    let opened = at("planwright-desktop.opened");
    wait_until("the program was started", || opened.is_file());
    assert_eq!(std::fs::read_to_string(opened).unwrap(), "plan.md");
}
