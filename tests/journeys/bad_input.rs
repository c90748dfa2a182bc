//! Bad input is answered with a clear message that says what to do; nothing is lost or
//! half-written.

use planwright_tests::{Home, Project};

use crate::run;

#[track_caller]
fn unusable(project: &Project, file: &str, says: &str) {
    let home = Home::new();
    let checked = home
        .planwright(project, ["check", file, "--json"])
        .expect(2);
    assert!(checked.stderr.contains(says), "{}", checked.shown());
    assert_eq!(checked.last_json()["error"]["code"], "unusable_plan");
}

#[test]
fn a_file_that_is_no_plan_text_says_why() {
    let project = Project::new()
        .file("binary.md", b"# x\0\0\0y")
        .file("latin1.md", b"# Caf\xe9\n")
        .file("folder.md/x", "")
        .file("huge.md", vec![b'a'; 50 << 20]);
    unusable(&project, "missing.md", "missing.md");
    unusable(&project, "binary.md", "not text");
    unusable(&project, "latin1.md", "UTF-8");
    unusable(&project, "folder.md", "not a file");
    unusable(&project, "huge.md", "16777216 allowed");
}

#[test]
fn one_bad_file_does_not_hide_the_others() {
    let home = Home::new();
    let project = Project::new().file("good.md", "- [ ] Do the one thing\n");
    let checked = home
        .planwright(&project, ["check", "missing.md", "good.md", "--json"])
        .expect(2);
    assert_eq!(checked.json().len(), 2);
    assert_eq!(checked.last_json()["tasks"]["total"], 1);
}

#[track_caller]
fn not_run(plan: &str, status: i32, says: &str) {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", plan);
    let before = project.snapshot();
    let ran = run(&home, &project, "plans/p.md", &[]).expect(status);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    assert!(said.contains(says), "{}", ran.shown());
    assert_eq!(before, project.snapshot());
}

#[test]
fn a_plan_that_cannot_be_carried_out_is_refused_whole() {
    let write = "\n  - call: `write_file {\"path\": \"x\", \"content\": \"\"}`\n";
    not_run("# Nothing\n\nProse only.\n", 4, "has no steps");
    not_run(
        &format!(
            "- [ ] **T1** Write the first file{write}  - depends: T2\n- [ ] **T2** Write the second file{write}  - depends: T1\n"
        ),
        4,
        "T1",
    );
    not_run(
        &format!("- [ ] **T1** Write the first file{write}  - depends: T9\n"),
        4,
        "T9",
    );
    not_run(
        &format!(
            "- [ ] **T1** Write the first file{write}- [ ] **T1** Write the second file{write}"
        ),
        4,
        "T1",
    );
}

#[test]
fn a_broken_call_is_blocked_with_its_line() {
    not_run(
        "- [ ] **T1** Write the first of the files\n  - call: `write_file {\"path\": }`\n",
        3,
        "write_file",
    );
    not_run(
        "- [ ] **T1** Launch the rocket into orbit\n  - call: `launch_rocket {}`\n",
        3,
        "launch_rocket",
    );
}

#[test]
fn a_path_out_of_the_workspace_is_refused() {
    for path in [
        "../evil.txt",
        "/tmp/planwright-evil.txt",
        "link/evil.txt",
        "a/../../evil.txt",
        ".git/hooks/pre-commit",
        ".planwright/settings.json",
        "plans/p.md",
    ] {
        let home = Home::new();
        let outside = Project::new();
        let plan = format!(
            "- [ ] **T1** Write where nothing may be written\n  - call: `write_file {{\"path\": \"{path}\", \"content\": \"evil\"}}`\n"
        );
        let project = Project::new()
            .file("plans/p.md", &plan)
            .file("a/b", "")
            .link("link", outside.path())
            .git();
        let before = project.snapshot_with_git();
        let ran = run(&home, &project, "plans/p.md", &[]).expect(4);
        assert!(
            ran.last_json()["message"].as_str().unwrap().contains("T1"),
            "{}",
            ran.shown()
        );
        assert_eq!(before, project.snapshot_with_git(), "{path}");
        assert!(!outside.at("evil.txt").exists());
        assert!(!std::path::Path::new("/tmp/planwright-evil.txt").exists());
    }
}

#[test]
fn a_command_that_prints_for_ever_or_never_ends_is_bounded() {
    let home = Home::new();
    let plan = "\
# Bound the commands

## Tasks
- [ ] **T1** Print a great many bytes and end
  - call: `run_command {\"command\": \"sh -c 'head -c 1000000000 /dev/zero'\"}`
- [ ] **T2** Wait for much longer than allowed
  - call: `run_command {\"command\": \"sleep 1000\", \"timeout_s\": 1}`
";
    let project = Project::new().file("plans/p.md", plan);
    let ran = run(&home, &project, "plans/p.md", &[]).expect(4);
    assert!(
        ran.stdout.len() < 2 << 20,
        "{} bytes were passed through",
        ran.stdout.len()
    );
    assert!(
        ran.last_json()["message"]
            .as_str()
            .unwrap()
            .contains("time"),
        "{}",
        ran.last_json()
    );
    assert!(project.read("plans/p.md").contains("- [x] **T1**"));
}

#[test]
fn a_workspace_that_cannot_be_written_says_so() {
    // Uses a read-only mount, because permission bits don't restrict root.
    let home = Home::new();
    let project = Project::new().file("code.py", "x = 1\n");
    let script = format!(
        "mount --bind '{dir}' '{dir}' && mount -o remount,ro,bind '{dir}' && exec '{binary}' plan 'Add a flag to code.py' --workspace '{dir}'",
        dir = project.path().display(),
        binary = planwright_tests::planwright_binary().display(),
    );
    let output = std::process::Command::new("unshare")
        .args(["-Urm", "sh", "-c", &script])
        .env("PLANWRIGHT_HOME", home.path())
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(4), "{stderr}");
    assert!(stderr.contains("read-only"), "{stderr}");
    assert!(!project.at("plans").exists());
}

#[test]
fn a_full_disk_stops_the_step_and_loses_nothing() {
    let home = Home::new();
    let project = Project::new();
    let script = format!(
        "mount -t tmpfs -o size=64k tmpfs '{dir}' && mkdir '{dir}/plans' && printf '%s' \"$PLAN\" > '{dir}/plans/p.md' && echo old > '{dir}/old.txt' && cd '{dir}' && rev=$('{binary}' check plans/p.md --json | sed 's/.*\"revision\":\"\\([0-9a-f]*\\)\".*/\\1/') && '{binary}' run plans/p.md --approve $rev --json; echo \"exit $?\"; ls -A '{dir}'; cat '{dir}/old.txt'",
        dir = project.path().display(),
        binary = planwright_tests::planwright_binary().display(),
    );
    let plan = "- [ ] **T1** Write more than the disk can hold\n  - call: `run_command {\"command\": \"sh -c 'head -c 200000 /dev/zero > big'\"}`\n- [ ] **T2** Never reached at all\n  - call: `delete_file {\"path\": \"old.txt\"}`\n";
    let output = std::process::Command::new("unshare")
        .args(["-Urm", "sh", "-c", &script])
        .env("PLANWRIGHT_HOME", home.path())
        .env("PLAN", plan)
        .output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        stdout.contains("exit 4"),
        "{stdout}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(stdout.ends_with("old\n"), "{stdout}");
}

#[test]
fn data_inside_the_workspace_is_refused() {
    let project = Project::new().file("plans/p.md", "- [ ] **T1** Do the one thing there is\n");
    let home = Home::new().with_env("PLANWRIGHT_HOME", project.at("data").to_str().unwrap());
    let planned = home
        .planwright(&project, ["plan", "Add a flag to the report"])
        .expect(4);
    assert!(
        planned.stderr.contains("PLANWRIGHT_HOME"),
        "{}",
        planned.shown()
    );
}

#[test]
fn a_run_of_what_is_no_plan_fails_with_json_too() {
    let home = Home::new();
    let project = Project::new().file("p.md", b"# x\0");
    let ran = home.planwright(
        &project,
        ["run", "p.md", "--approve", "abcdefabcdef", "--json"],
    );
    assert_eq!(ran.expect(2).last_json()["error"]["code"], "unusable_plan");
}

#[test]
fn a_missing_plan_file_has_the_same_exit_code_everywhere() {
    let home = Home::new();
    let project = Project::new();
    for arguments in [
        &["check", "plans/gone.md"][..],
        &["run", "plans/gone.md", "--approve", "abcdefabcdef"],
        &["expand", "plans/gone.md", "--offline"],
        &["brief", "plans/gone.md", "T1"],
        &["chat", "plans/gone.md", "What is next?"],
    ] {
        let out = home.planwright(&project, arguments).expect(2);
        assert!(out.stderr.contains("gone.md"), "{}", out.shown());
    }
}

#[test]
fn a_run_whose_plan_file_is_gone_has_that_exit_code_too() {
    let home = Home::new();
    let plan = "- [ ] **T1** Look at the result by eye\n  - by: person\n";
    let project = Project::new().file("plans/p.md", plan);
    let id = crate::run_id(&run(&home, &project, "plans/p.md", &[]).expect(3));
    std::fs::remove_file(project.at("plans/p.md")).unwrap();
    let out = home.planwright(&project, ["resume", &id, "--json"]);
    assert_eq!(out.expect(2).last_json()["error"]["code"], "unusable_plan");
}
