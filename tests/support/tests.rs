//! Tests of the test helpers themselves.

use std::process::Command;
use std::time::Duration;

use serde_json::json;

use crate::{Answers, Project, Running, fixtures, processes_with, wait_until};

fn shell(script: &str) -> Running {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    Running::start(command)
}

#[test]
fn the_python_fixture_has_13_files_and_passes_its_check() {
    let project = fixtures::python_report().git();
    assert_eq!(project.run_git(&["ls-files"]).lines().count(), 13);
    let (passed, text) = project.run("python3", &["-m", "unittest"]);
    assert!(passed && text.contains("Ran 4 tests"), "{text}");
    assert_eq!(project.run_git(&["status", "--porcelain"]), "");
}

#[test]
fn the_python_fixture_names_total_where_it_says() {
    let project = fixtures::python_report().git();
    let found = project.run_git(&["grep", "--word-regexp", "--name-only", "total"]);
    assert_eq!(found.lines().collect::<Vec<_>>(), fixtures::TOTAL_FILES);
    let alike = project.run_git(&["grep", "--ignore-case", "--name-only", "total"]);
    assert!(
        alike.lines().count() > fixtures::TOTAL_FILES.len(),
        "look-alikes: {alike}"
    );
}

#[test]
fn the_cargo_fixture_passes_its_check_without_a_network() {
    let project = fixtures::cargo_words().git();
    let (passed, text) = project.run("cargo", &["test", "--offline", "--locked"]);
    assert!(passed && text.contains("2 passed"), "{text}");
    assert_eq!(project.run_git(&["status", "--porcelain"]), "");
}

#[test]
fn the_npm_fixture_passes_its_check_where_node_is_installed() {
    let project = fixtures::npm_list().git();
    let manifest: serde_json::Value = serde_json::from_str(&project.read("package.json")).unwrap();
    assert_eq!(manifest["scripts"]["test"], "node --test");
    if Command::new("node").arg("--version").output().is_err() {
        eprintln!("node is not installed: its check was not run");
        return;
    }
    let (passed, text) = project.run("node", &["--test"]);
    assert!(passed && text.contains("pass 3"), "{text}");
}

#[test]
fn a_snapshot_sees_content_mode_time_and_entries() {
    let project = Project::new()
        .file("a", "1")
        .file("b/c", "2")
        .file("d", "3")
        .git();
    let before = project.snapshot();
    project.snapshot().assert_same_as(&before, &[]);

    let later = std::time::SystemTime::now() + Duration::from_secs(7);
    std::fs::File::options()
        .write(true)
        .open(project.at("a"))
        .unwrap()
        .set_modified(later)
        .unwrap();
    project.write("b/new", "");
    std::fs::remove_file(project.at("d")).unwrap();
    let found = project.snapshot().differences(&before).join("\n");
    for expected in [
        "a: modification time",
        "b/new: added",
        "d: removed",
        "b: modification time",
    ] {
        assert!(found.contains(expected), "{expected} in {found}");
    }
    assert!(!found.contains("content"), "{found}");
    project
        .snapshot()
        .assert_same_as(&before, &["a", "b/new", "d"]);
}

#[test]
#[should_panic(expected = "a: content")]
fn a_changed_file_is_never_the_same() {
    let project = Project::new().file("a", "1").file("b", "1");
    let before = project.snapshot();
    project.edit("a", "1", "2");
    project.snapshot().assert_same_as(&before, &["b"]);
}

#[test]
fn git_is_left_out_of_a_snapshot_unless_asked_for() {
    let project = Project::new().file("a", "1").git();
    let (before, before_with_git) = (project.snapshot(), project.snapshot_with_git());
    project.commit("Again");
    project.snapshot().assert_same_as(&before, &[]);
    assert!(
        !project
            .snapshot_with_git()
            .differences(&before_with_git)
            .is_empty()
    );
}

#[test]
fn events_are_awaited_and_kept() {
    let mut running =
        shell("echo '{\"event\":\"started\"}'; echo '{\"event\":\"step\",\"seq\":2}'; exit 3");
    assert_eq!(running.wait_for_event("step")["seq"], 2);
    let output = running.finish().expect(3);
    assert_eq!(output.events("started").len(), 1);
    assert_eq!(output.last_json(), json!({"event": "step", "seq": 2}));
}

#[test]
fn a_kill_is_immediate_and_what_was_printed_stays() {
    let mut running = shell("echo '{\"event\":\"started\"}'; exec sleep 86399");
    running.wait_for_event("started");
    let output = running.kill_9();
    assert_eq!(output.status, 128 + 9);
    assert_eq!(output.events("started").len(), 1);
    wait_until("the process is gone", || {
        processes_with("sleep 86399").is_empty()
    });
}

#[test]
fn a_kill_after_a_moment_does_not_wait_for_a_program_that_ended() {
    let output = shell("echo '{}'").kill_9_after(crate::PATIENCE);
    assert_eq!((output.status, output.json()), (0, vec![json!({})]));
}

#[test]
#[should_panic(expected = "the program ended without it")]
fn an_event_that_cannot_come_any_more_is_not_awaited() {
    shell("echo '{\"event\":\"other\"}'; echo broken >&2").wait_for_event("step");
}

#[test]
fn answers_are_written_as_the_terminal_reads_them() {
    let folder = Project::new();
    let path = Answers::new()
        .done("T5", "by hand")
        .choose("C1", "Continue")
        .permit("run_command", "exact make", "run")
        .unknown("check")
        .write_to(&folder);
    let read: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert_eq!(
        read,
        json!({
            "T5": {"done": true, "note": "by hand"},
            "C1": "Continue",
            "permissions": [
                {"tool": "run_command", "match": "exact make", "answer": "run", "words": ""},
            ],
            "unknown": "check",
        })
    );
}

#[test]
#[should_panic(expected = "something went wrong")]
fn a_wrong_exit_code_shows_what_was_printed() {
    let _ = shell("echo something went wrong >&2; exit 2")
        .finish()
        .expect(0);
}

#[test]
fn a_child_left_behind_with_the_outputs_open_holds_nobody_up() {
    let output = shell("sleep 86398 & echo '{}'; echo said >&2")
        .finish()
        .expect(0);
    assert_eq!(
        (output.json(), output.stderr.as_str()),
        (vec![json!({})], "said\n")
    );
    for id in processes_with("sleep 86398") {
        let killed = Command::new("kill").arg(id.to_string()).status();
        assert!(killed.unwrap().success());
    }
}

#[test]
fn output_that_is_no_text_is_kept_as_far_as_it_goes() {
    let output = shell("printf 'a\\377b\\nc\\n'").finish().expect(0);
    assert_eq!(output.lines(), ["a\u{fffd}b", "c"]);
}
