//! Tests of the change gate: each host's events and the answers to them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a panic fails the test"
)]

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use bridges::hooks::{self, Answer, Host};
use bridges::review_wait::Waiter;
use proptest::prelude::*;
use serde_json::{Value, json};
use store::WindowMark;
use workbench::{
    CancelToken, Environment, ModelChoice, ResumeRequest, ReviewRequest, Workbench, parse_answer,
};

const PLAN: &str = "\
# Add a flag to the report

## Tasks
- [ ] **T1** Add the `--json` flag to the parser in `src/cli.py`
  - files: `src/cli.py`
- [ ] **T2** Write the rows as JSON in `src/report.py`
  - files: `src/report.py`
";

/// A home folder, a project, and a window whose actions the test performs.
struct Stage {
    folder: tempfile::TempDir,
    bench: Workbench,
    project: PathBuf,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let project = base.join("project");
        std::fs::create_dir_all(project.join("src")).unwrap();
        std::fs::create_dir_all(project.join(".git/hooks")).unwrap();
        std::fs::create_dir_all(base.join("home")).unwrap();
        for file in ["src/cli.py", "src/report.py", "setup.py"] {
            std::fs::write(project.join(file), "a = 1\n").unwrap();
        }
        let bench = Workbench::open(environment(&base)).unwrap().0;
        Self {
            folder,
            bench,
            project,
        }
    }

    /// Opens the same data as another process would.
    fn other(&self) -> Workbench {
        let base = self.folder.path().canonicalize().unwrap();
        Workbench::open(environment(&base)).unwrap().0
    }

    /// Approves a plan for an agent's conversation, as a person would; returns its key and
    /// revision.
    fn approved(&self, agent: &str, session: &str, waits: bool, text: &str) -> (String, String) {
        let asked = self
            .bench
            .ask_for_review(&ReviewRequest {
                folder: &self.project,
                agent,
                agent_session: session,
                text,
                file: None,
                waits,
            })
            .unwrap();
        let plan = asked.plan.display().to_string();
        let told = self.bench.approve_reviews(&plan, &asked.revision).unwrap();
        assert_eq!(told, 1);
        (plan, asked.revision)
    }

    fn for_claude() -> (Self, String, String) {
        let stage = Self::new();
        let (plan, revision) = stage.approved("Claude Code", "s1", false, PLAN);
        (stage, plan, revision)
    }

    fn event(&self, tool: &str, input: Value) -> Value {
        json!({
            "session_id": "s1", "transcript_path": "/t", "cwd": self.project, "prompt_id": "p",
            "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": tool,
            "tool_input": input, "tool_use_id": "u1", "unknown": {"field": 1},
        })
    }

    fn edit(&self, path: &str) -> Value {
        let path = self.project.join(path);
        let input = json!({"file_path": path, "old_string": "a = 1", "new_string": "b = 2"});
        self.event("Edit", input)
    }

    fn bash(&self, line: &str) -> Value {
        self.event("Bash", json!({"command": line, "description": "d"}))
    }

    /// Runs the hook, expecting that no window opens.
    fn quiet(&self, host: Host, event: &Value) -> Answer {
        self.hook_within(host, event, Duration::from_secs(30), |_, _| {
            panic!("no window opens")
        })
    }

    fn hook(&self, event: &Value, decide: impl FnOnce(&mut Workbench, &str) + Send) -> Answer {
        self.hook_within(Host::Claude, event, Duration::from_secs(30), decide)
    }

    /// Runs the hook; `decide` is what the person does in the window, once it is open on the plan.
    fn hook_within(
        &self,
        host: Host,
        event: &Value,
        limit: Duration,
        decide: impl FnOnce(&mut Workbench, &str) + Send,
    ) -> Answer {
        let event = match hooks::read(host, event.to_string().as_bytes()) {
            Ok(Some(event)) => event,
            Ok(None) => return Answer::None,
            Err(message) => return Answer::Refusal(message),
        };
        let (opened, open) = mpsc::channel::<PathBuf>();
        let mut window = self.other();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                if let Ok(plan) = open.recv() {
                    decide(&mut window, &plan.display().to_string());
                }
            });
            let waiter = Waiter {
                open_window: &move |plan| {
                    opened.send(plan.to_owned()).unwrap();
                    Ok(())
                },
                is_cancelled: &|| false,
                limit,
            };
            hooks::answer(host, &event, &self.bench, &waiter)
        })
    }

    fn runs(&self, plan: &str) -> Vec<store::Run> {
        self.bench.store.runs().of_plan(plan).unwrap()
    }
}

fn environment(base: &Path) -> Environment {
    let variable = |name: &str, value: PathBuf| (name.to_owned(), value.into_os_string());
    Environment {
        variables: vec![
            variable("HOME", base.join("home")),
            variable("PLANWRIGHT_HOME", base.join("data")),
            ("PATH".to_owned(), "/usr/bin:/bin".into()),
        ],
        cwd: base.to_owned(),
        program: std::env::current_exe().unwrap(),
    }
}

/// Answers the first open question of a plan's newest run, as a person would.
fn answer(window: &mut Workbench, plan: &str, words: &str, note: Option<&str>) {
    let run = window.store.runs().of_plan(plan).unwrap()[0].id.clone();
    let questions = window.questions_of(&run).unwrap();
    let given = parse_answer(&questions[0].question, words, note).unwrap();
    let request = ResumeRequest {
        run,
        answers: None,
        model: ModelChoice::Configured,
        hand_over: None,
    };
    let cancel = CancelToken::new().unwrap();
    window
        .resume_answered(&request, vec![given], &cancel, &mut |_| {})
        .unwrap();
}

fn said(answer: &Answer) -> (String, String) {
    let Answer::Json(value) = answer else {
        panic!("{answer:?}")
    };
    let output = &value["hookSpecificOutput"];
    assert_eq!(output["hookEventName"], "PreToolUse");
    let word = |key: &str| output[key].as_str().unwrap().to_owned();
    (word("permissionDecision"), word("permissionDecisionReason"))
}

#[track_caller]
fn allowed(answer: &Answer) -> String {
    let (decision, reason) = said(answer);
    assert_eq!(decision, "allow", "{reason}");
    reason
}

#[track_caller]
fn denied(answer: &Answer) -> String {
    let (decision, reason) = said(answer);
    assert_eq!(decision, "deny", "{reason}");
    assert!(!reason.trim().is_empty());
    reason
}

fn is_allowed(answer: &Answer) -> bool {
    match answer {
        Answer::Json(value) => {
            let text = value.to_string();
            text.contains("\"allow\"")
        }
        Answer::None | Answer::Refusal(_) => false,
    }
}

#[test]
fn what_the_ready_step_names_passes_with_step_and_revision() {
    let (stage, plan, revision) = Stage::for_claude();
    let reason = allowed(&stage.quiet(Host::Claude, &stage.edit("src/cli.py")));
    let expected = format!(
        "Covered by step T1 of the approved plan (revision {}).",
        &revision[..12]
    );
    assert_eq!(reason, expected);
    // A second edit continues the same run.
    allowed(&stage.quiet(Host::Claude, &stage.edit("src/cli.py")));
    let runs = stage.runs(&plan);
    assert_eq!((runs.len(), runs[0].state.as_str()), (1, "paused"));
    assert_eq!(runs[0].revision, revision);
}

#[test]
fn without_an_approved_plan_nothing_is_answered() {
    let stage = Stage::new();
    assert_eq!(
        stage.quiet(Host::Claude, &stage.edit("src/cli.py")),
        Answer::None
    );
    // The plan was approved for another conversation.
    let (plan, _) = stage.approved("Claude Code", "other", false, PLAN);
    assert_eq!(
        stage.quiet(Host::Claude, &stage.edit("src/cli.py")),
        Answer::None
    );
    assert!(stage.runs(&plan).is_empty());
    // An approved plan without steps covers no changes.
    stage.approved(
        "Claude Code",
        "s1",
        false,
        "# Only an idea\n\nSome words.\n",
    );
    assert_eq!(
        stage.quiet(Host::Claude, &stage.edit("src/cli.py")),
        Answer::None
    );
}

#[test]
fn reading_is_left_to_the_host() {
    let (stage, plan, _) = Stage::for_claude();
    let input = json!({"file_path": stage.project.join("setup.py")});
    for event in [
        stage.event("Read", input),
        stage.event("Grep", json!({"pattern": "a"})),
        stage.event("mcp__other__tool", json!({})),
        stage.bash("git status"),
        stage.bash("ls -la src | head -5"),
    ] {
        assert_eq!(stage.quiet(Host::Claude, &event), Answer::None, "{event}");
    }
    let mut planning = stage.edit("setup.py");
    planning["permission_mode"] = json!("plan");
    assert_eq!(stage.quiet(Host::Claude, &planning), Answer::None);
    assert!(stage.runs(&plan).is_empty());
}

#[test]
fn git_only_reads_where_no_call_may_write_its_settings() {
    let (stage, _, _) = Stage::for_claude();
    let bare = stage.project.join("src/lib");
    for folder in ["objects", "refs", "deep"] {
        std::fs::create_dir_all(bare.join(folder)).unwrap();
    }
    std::os::unix::fs::symlink("lib/deep", stage.project.join("src/link")).unwrap();
    for (folder, line) in [
        ("src/lib", "git status"),
        ("src/lib/deep", "git diff | head -3"),
        ("src/link", "git log"),
    ] {
        let mut event = stage.bash(line);
        event["cwd"] = json!(stage.project.join(folder));
        assert_eq!(stage.quiet(Host::Claude, &event), Answer::None, "{folder}");
    }
    // With a `HEAD` file, Git treats `src/lib` as a repository.
    std::fs::write(bare.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    for (folder, line) in [
        ("src/lib", "git status"),
        ("src/lib/deep", "git diff | head -3"),
        ("src/link", "git log"),
        (".", "\u{a0}ls"),
        (".", "ls\u{c}"),
    ] {
        let mut event = stage.bash(line);
        event["cwd"] = json!(stage.project.join(folder));
        let told = stage.hook(&event, |window, plan| answer(window, plan, "no", None));
        denied(&told);
    }
}

#[test]
fn what_no_step_names_is_asked_in_the_window() {
    let (stage, _, _) = Stage::for_claude();
    let words = "Not setup.py.\n  “Use pyproject”, please.";
    let told = stage.hook(&stage.edit("setup.py"), |window, plan| {
        answer(window, plan, "no", Some(words));
    });
    assert_eq!(denied(&told), words);
    let told = stage.hook(&stage.edit("setup.py"), |window, plan| {
        answer(window, plan, "once", None);
    });
    let reason = allowed(&told);
    assert!(
        reason.starts_with("Allowed in Planwright for step T1"),
        "{reason}"
    );
    // That permission was for one edit only, so the next one asks again.
    let told = stage.hook(&stage.edit("setup.py"), |window, plan| {
        answer(window, plan, "no", None);
    });
    assert_eq!(denied(&told), "The person said no to `setup.py`.");
}

#[test]
fn a_tool_that_nobody_knows_is_judged_by_its_input() {
    let (stage, _, _) = Stage::for_claude();
    let covered = stage.project.join("src/cli.py");
    for (tool, input, subject) in [
        (
            "Monitor",
            json!({"command": "touch a", "timeout_ms": 1}),
            Some("touch a"),
        ),
        (
            "PowerShell",
            json!({"command": "echo @(rm a)"}),
            Some("PowerShell 'echo @(rm a)'"),
        ),
        ("REPL", json!({"script": "ls"}), Some("REPL ls")),
        (
            "Create",
            json!({"path": "setup.py", "content": ""}),
            Some("setup.py"),
        ),
        ("WebFetch", json!({"url": "http://a.b"}), None),
        ("Read", json!({"file_path": covered}), None),
        (
            "mcp__other__write",
            json!({"path": "setup.py", "content": ""}),
            None,
        ),
    ] {
        let event = stage.event(tool, input);
        let Some(subject) = subject else {
            assert_eq!(stage.quiet(Host::Claude, &event), Answer::None, "{tool}");
            continue;
        };
        let told = stage.hook(&event, |window, plan| {
            let run = window.store.runs().of_plan(plan).unwrap()[0].id.clone();
            let questions = window.questions_of(&run).unwrap();
            let asked = questions[0].question.permission.clone().unwrap();
            assert_eq!(asked.subject, subject);
            answer(window, plan, "no", None);
        });
        denied(&told);
    }
    let several = json!({"command": "ls", "cmd": "touch a"});
    assert!(matches!(
        stage.quiet(Host::Claude, &stage.event("Bash", several)),
        Answer::Refusal(_)
    ));
    let nested = json!({"file_path": covered, "edits": [{"file_path": "setup.py"}]});
    assert!(matches!(
        stage.quiet(Host::Claude, &stage.event("MultiEdit", nested)),
        Answer::Refusal(_)
    ));
}

#[test]
fn a_command_is_asked_until_the_person_allows_it_for_the_run() {
    let (stage, _, _) = Stage::for_claude();
    let event = stage.bash("python3 -m unittest");
    let told = stage.hook(&event, |window, plan| answer(window, plan, "run", None));
    allowed(&told);
    allowed(&stage.quiet(Host::Claude, &event));
    // In another folder, the same line is a different command.
    let mut below = event.clone();
    below["cwd"] = json!(stage.project.join("src"));
    let told = stage.hook(&below, |window, plan| {
        let run = window.store.runs().of_plan(plan).unwrap()[0].id.clone();
        let questions = window.questions_of(&run).unwrap();
        let subject = questions[0].question.permission.clone().unwrap().subject;
        assert_eq!(subject, "cd src && python3 -m unittest");
        answer(window, plan, "no", None);
    });
    denied(&told);
}

#[test]
fn the_next_step_waits_until_the_person_signs_the_one_before() {
    let (stage, _, _) = Stage::for_claude();
    allowed(&stage.quiet(Host::Claude, &stage.edit("src/cli.py")));
    let told = stage.hook(&stage.edit("src/report.py"), |window, plan| {
        answer(window, plan, "done", Some("looked at it"));
    });
    assert!(allowed(&told).starts_with("Covered by step T2"));
}

#[test]
fn what_no_call_may_write_is_refused_without_a_question() {
    let (stage, plan, _) = Stage::for_claude();
    let base = stage.folder.path().canonicalize().unwrap();
    let project = &stage.project;
    std::os::unix::fs::symlink(&plan, project.join("src/plan.md")).unwrap();
    std::os::unix::fs::symlink("/etc", project.join("etc")).unwrap();
    std::os::unix::fs::symlink("nowhere", project.join("dangling.py")).unwrap();
    std::os::unix::fs::symlink("/proc/self/cwd", project.join("here")).unwrap();
    std::os::unix::fs::symlink(project.join(".git/hooks"), project.join("src/links")).unwrap();
    std::fs::create_dir_all(project.join(".claude")).unwrap();
    for path in [
        plan.clone(),
        "src/plan.md".to_owned(),
        "plans/../plans/add-a-flag-to-the-report.md".to_owned(),
        ".planwright/settings.json".to_owned(),
        "src/.planwright/settings.json".to_owned(),
        ".git/hooks/pre-commit".to_owned(),
        ".git/config".to_owned(),
        "src/links/pre-commit".to_owned(),
        ".claude/settings.json".to_owned(),
        ".CLAUDE/settings.local.json".to_owned(),
        ".codex/hooks.json".to_owned(),
        ".gemini/settings.json".to_owned(),
        "src/.cursor/hooks.json".to_owned(),
        ".mcp.json".to_owned(),
        base.join("home/.claude/settings.json")
            .display()
            .to_string(),
        "../outside.py".to_owned(),
        "etc/passwd".to_owned(),
        "dangling.py".to_owned(),
        "src".to_owned(),
        "/proc/self/cwd/src/cli.py".to_owned(),
        "here/src/cli.py".to_owned(),
        " src/cli.py".to_owned(),
        "src/cli.py\n".to_owned(),
    ] {
        denied(&stage.quiet(Host::Claude, &stage.edit(&path)));
    }
    assert!(stage.runs(&plan).is_empty());
}

#[test]
fn a_link_is_judged_by_the_file_it_leads_to() {
    let (stage, _, _) = Stage::for_claude();
    // Replace the file that the step names with a link to another file.
    std::fs::remove_file(stage.project.join("src/cli.py")).unwrap();
    std::os::unix::fs::symlink("../setup.py", stage.project.join("src/cli.py")).unwrap();
    let told = stage.hook(&stage.edit("src/cli.py"), |window, plan| {
        let run = window.store.runs().of_plan(plan).unwrap()[0].id.clone();
        let questions = window.questions_of(&run).unwrap();
        let subject = questions[0].question.permission.clone().unwrap().subject;
        assert_eq!(subject, "setup.py");
        answer(window, plan, "no", None);
    });
    denied(&told);
    // A path that leads to the named file through a link is allowed.
    std::fs::remove_file(stage.project.join("src/cli.py")).unwrap();
    std::fs::write(stage.project.join("src/cli.py"), "a = 1\n").unwrap();
    std::os::unix::fs::symlink("src", stage.project.join("code")).unwrap();
    allowed(&stage.quiet(Host::Claude, &stage.edit("code/cli.py")));
}

#[test]
fn a_changed_folder_does_not_lead_out_of_the_gate() {
    let (stage, _, _) = Stage::for_claude();
    let mut event = stage.edit("setup.py");
    event["cwd"] = json!(stage.folder.path());
    let told = stage.hook(&event, |window, plan| answer(window, plan, "no", None));
    denied(&told);
}

#[test]
fn without_an_answer_nothing_is_allowed_and_nothing_keeps_asking() {
    let (stage, plan, _) = Stage::for_claude();
    let mark: WindowMark = stage.bench.store.mark_window().unwrap();
    let event = stage.edit("setup.py");
    let late = stage.hook_within(Host::Claude, &event, Duration::from_millis(60), |_, _| {});
    assert!(denied(&late).contains("nobody decided in time"));
    let questions = |stage: &Stage| {
        let run = stage.runs(&plan)[0].id.clone();
        stage.bench.questions_of(&run).unwrap()
    };
    assert!(questions(&stage).is_empty());
    let closed = stage.hook(&event, move |_, _| drop(mark));
    assert!(denied(&closed).contains("the window was closed"));
    let parsed = hooks::read(Host::Claude, event.to_string().as_bytes());
    let parsed = parsed.unwrap().unwrap();
    let failing = Waiter {
        open_window: &|_| Err(workbench::Error::new(workbench::Code::Failed, "no display")),
        is_cancelled: &|| false,
        limit: Duration::from_secs(30),
    };
    let answer = hooks::answer(Host::Claude, &parsed, &stage.bench, &failing);
    assert!(denied(&answer).contains("no display"));
    let cancelled = Waiter {
        open_window: &|_| Ok(()),
        is_cancelled: &|| true,
        limit: Duration::from_secs(30),
    };
    let answer = hooks::answer(Host::Claude, &parsed, &stage.bench, &cancelled);
    assert!(denied(&answer).contains("stopped waiting"));
    assert!(questions(&stage).is_empty());
    // Edits that the plan covers are still allowed.
    allowed(&stage.quiet(Host::Claude, &stage.edit("src/cli.py")));
}

#[test]
fn a_stopped_run_refuses_and_a_discarded_one_ends_the_gate() {
    let (stage, plan, _) = Stage::for_claude();
    allowed(&stage.quiet(Host::Claude, &stage.edit("src/cli.py")));
    let run = stage.runs(&plan)[0].id.clone();
    stage
        .bench
        .store
        .runs()
        .set_state(&run, "stopped", 1)
        .unwrap();
    let reason = denied(&stage.quiet(Host::Claude, &stage.edit("src/cli.py")));
    assert!(
        reason.contains(&format!("planwright discard {run}")),
        "{reason}"
    );
    assert!(stage.other().discard(&run, false).unwrap().done);
    assert_eq!(
        stage.quiet(Host::Claude, &stage.edit("src/cli.py")),
        Answer::None
    );
}

#[test]
fn a_changed_plan_file_is_asked_about_and_what_was_added_is_not_covered() {
    let (stage, plan, _) = Stage::for_claude();
    allowed(&stage.quiet(Host::Claude, &stage.edit("src/cli.py")));
    let text = std::fs::read_to_string(&plan).unwrap();
    let more = format!("{text}- [ ] **T3** Change `setup.py` too\n  - files: `setup.py`\n");
    std::fs::write(&plan, more).unwrap();
    let told = stage.hook(&stage.edit("setup.py"), |window, plan| {
        let run = window.store.runs().of_plan(plan).unwrap()[0].id.clone();
        let questions = window.questions_of(&run).unwrap();
        assert_eq!(questions[0].question.question.as_str(), "changed");
        answer(window, plan, "stop", None);
    });
    denied(&told);
}

#[test]
fn two_hooks_at_once_share_one_run_and_are_answered_one_after_the_other() {
    let (stage, plan, _) = Stage::for_claude();
    let event = stage.edit("src/cli.py");
    let answers: Vec<Answer> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let bench = stage.other();
                let event = event.to_string();
                scope.spawn(move || {
                    let event = hooks::read(Host::Claude, event.as_bytes())
                        .unwrap()
                        .unwrap();
                    let waiter = Waiter {
                        open_window: &|_| panic!("no window opens"),
                        is_cancelled: &|| false,
                        limit: Duration::from_secs(30),
                    };
                    hooks::answer(Host::Claude, &event, &bench, &waiter)
                })
            })
            .collect();
        threads.into_iter().map(|one| one.join().unwrap()).collect()
    });
    for answer in &answers {
        allowed(answer);
    }
    assert_eq!(stage.runs(&plan).len(), 1);
    // While one edit waits for the person, a covered edit gets its own answer.
    let covered = stage.edit("src/cli.py");
    let told = stage.hook(&stage.edit("setup.py"), |window, plan| {
        let bench = window.again().unwrap();
        let event = hooks::read(Host::Claude, covered.to_string().as_bytes());
        let event = event.unwrap().unwrap();
        std::thread::scope(|scope| {
            let (opened, open) = mpsc::channel();
            let second = scope.spawn(move || {
                let waiter = Waiter {
                    open_window: &move |_| {
                        opened.send(()).unwrap();
                        Ok(())
                    },
                    is_cancelled: &|| false,
                    limit: Duration::from_secs(30),
                };
                hooks::answer(Host::Claude, &event, &bench, &waiter)
            });
            open.recv().unwrap();
            answer(window, plan, "no", Some("not that one"));
            allowed(&second.join().unwrap());
        });
    });
    assert_eq!(denied(&told), "not that one");
}

#[test]
fn a_hook_that_was_killed_while_it_waited_leaves_nothing_to_answer() {
    let (stage, plan, _) = Stage::for_claude();
    allowed(&stage.quiet(Host::Claude, &stage.edit("src/cli.py")));
    let run = stage.runs(&plan)[0].id.clone();
    // Record a question as a hook would have whose process no longer exists.
    let mut gone = std::process::Command::new("true").spawn().unwrap();
    let pid = gone.id();
    gone.wait().unwrap();
    let line = "edit_file {\"path\":\"setup.py\",\"old_text\":\"a\",\"new_text\":\"b\"}";
    let boot = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    let asked = json!({
        "kind": "host_asked", "number": 1, "line": line,
        "waiter": {"pid": pid, "process_start": 1, "boot_id": boot.trim(), "host": "h"},
    });
    let journal = stage.bench.store.journal();
    let next = journal.next_seq(&run).unwrap();
    let rows = [("host_asked", asked.to_string())];
    let rows: Vec<(&str, &str)> = rows
        .iter()
        .map(|(kind, row)| (*kind, row.as_str()))
        .collect();
    journal.append(&run, next, &rows, 1).unwrap();
    stage
        .bench
        .store
        .runs()
        .set_state(&run, "running", 1)
        .unwrap();

    allowed(&stage.quiet(Host::Claude, &stage.edit("src/cli.py")));
    assert!(stage.bench.questions_of(&run).unwrap().is_empty());
}

#[test]
fn the_end_of_a_turn_names_the_next_step_once() {
    let (stage, _, _) = Stage::for_claude();
    let stop = |is_active: bool| {
        json!({"session_id": "s1", "cwd": stage.project, "hook_event_name": "Stop",
               "permission_mode": "default", "stop_hook_active": is_active})
    };
    let Answer::Json(told) = stage.quiet(Host::Claude, &stop(false)) else {
        panic!()
    };
    assert_eq!(told["decision"], "block");
    assert!(told["reason"].as_str().unwrap().contains("T1"), "{told}");
    assert_eq!(stage.quiet(Host::Claude, &stop(true)), Answer::None);
    // The edited step has no check, so a person has to confirm it, and the agent may stop.
    allowed(&stage.quiet(Host::Claude, &stage.edit("src/cli.py")));
    assert_eq!(stage.quiet(Host::Claude, &stop(false)), Answer::None);
    // The agent may still stop while the question is open.
    assert_eq!(stage.quiet(Host::Claude, &stop(false)), Answer::None);
    let free = Stage::new();
    assert_eq!(free.quiet(Host::Claude, &stop(false)), Answer::None);
}

#[test]
fn events_that_cannot_be_read_are_refused() {
    let (stage, plan, _) = Stage::for_claude();
    let with = |key: &str, value: Value| {
        let mut event = stage.edit("src/cli.py");
        event[key] = value;
        event
    };
    for event in [
        with("session_id", Value::Null),
        with("session_id", json!(" ")),
        with("cwd", json!("relative")),
        with("cwd", json!(7)),
        with("tool_input", json!("text")),
        with("tool_input", json!({})),
        with("tool_input", json!({"file_path": 7})),
        with("tool_input", json!({"file_path": "a", "edits": ["text"]})),
        stage.event("Bash", json!({"command": "  "})),
        stage.event("Write", json!({"content": "a"})),
    ] {
        let answer = stage.quiet(Host::Claude, &event);
        assert!(matches!(answer, Answer::Refusal(_)), "{event} {answer:?}");
    }
    for text in ["", "[]", "{", "null", "7"] {
        assert!(hooks::read(Host::Codex, text.as_bytes()).is_err(), "{text}");
    }
    assert!(stage.runs(&plan).is_empty());
}

#[test]
fn codex_continues_with_what_is_covered_and_gets_refusals() {
    let stage = Stage::new();
    // Approved over MCP, by a server whose parent process also started the hook.
    let (_, _) = stage.approved("codex-mcp-client", "m1", true, PLAN);
    let patch = |path: &str| {
        format!("*** Begin Patch\n*** Update File: {path}\n@@\n-a = 1\n+b = 2\n*** End Patch\n")
    };
    let event = |tool: &str, command: String| stage.event(tool, json!({"command": command}));
    let covered = event("apply_patch", patch("src/cli.py"));
    assert_eq!(stage.quiet(Host::Codex, &covered), Answer::None);
    let by_shell = format!("apply_patch <<'EOF'\n{}EOF", patch("src/cli.py"));
    assert_eq!(
        stage.quiet(Host::Codex, &event("Bash", by_shell)),
        Answer::None
    );
    for (path, is_asked) in [("setup.py", true), (".git/hooks/pre-commit", false)] {
        let both = format!(
            "*** Begin Patch\n*** Update File: src/cli.py\n@@\n-a = 1\n+b = 2\n*** Add File: {path}\n+x\n*** End Patch"
        );
        let told = stage.hook_within(
            Host::Codex,
            &event("apply_patch", both),
            Duration::from_secs(30),
            |window, plan| {
                assert!(is_asked);
                answer(window, plan, "no", Some("no"));
            },
        );
        denied(&told);
    }
    let odd = event(
        "apply_patch",
        "*** Begin Patch\nwhat\n*** End Patch".to_owned(),
    );
    assert!(matches!(stage.quiet(Host::Codex, &odd), Answer::Refusal(_)));
}

#[test]
fn gemini_and_cursor_get_their_own_forms() {
    let stage = Stage::new();
    stage.approved("some-client", "m1", true, PLAN);
    let gemini = |tool: &str, input: Value| {
        json!({"session_id": "g1", "cwd": stage.project, "hook_event_name": "BeforeTool",
               "timestamp": "t", "tool_name": tool, "tool_input": input})
    };
    let edit = json!({"file_path": "src/cli.py", "old_string": "a = 1", "new_string": "a = 2"});
    let Answer::Json(told) = stage.quiet(Host::Gemini, &gemini("replace", edit)) else {
        panic!()
    };
    assert_eq!(told["decision"], "allow");
    let hook = json!({"file_path": ".git/hooks/x", "content": "x"});
    let Answer::Json(told) = stage.quiet(Host::Gemini, &gemini("write_file", hook)) else {
        panic!()
    };
    assert_eq!(told["decision"], "deny");
    assert!(told["reason"].as_str().unwrap().contains(".git/hooks/x"));
    let read = gemini("read_file", json!({"file_path": "setup.py"}));
    assert_eq!(stage.quiet(Host::Gemini, &read), Answer::None);

    let stage = Stage::new();
    stage.approved("cursor-vscode", "m1", true, PLAN);
    let cursor = |event: &str, more: Value| {
        let mut event = json!({"conversation_id": "c1", "generation_id": "g",
            "workspace_roots": [stage.project], "hook_event_name": event});
        let more = more.as_object().unwrap().clone();
        event.as_object_mut().unwrap().extend(more);
        event
    };
    let write =
        json!({"tool_name": "Write", "tool_input": {"path": "src/cli.py", "contents": "b = 1\n"}});
    let Answer::Json(told) = stage.quiet(Host::Cursor, &cursor("preToolUse", write)) else {
        panic!()
    };
    assert_eq!(told["permission"], "allow");
    let shell = json!({"command": "npm test", "cwd": stage.project});
    let told = stage.hook_within(
        Host::Cursor,
        &cursor("beforeShellExecution", shell),
        Duration::from_secs(30),
        |window, plan| answer(window, plan, "no", Some("later")),
    );
    let Answer::Json(told) = told else { panic!() };
    assert_eq!(told["permission"], "deny");
    assert_eq!(told["agent_message"], "later");
    let aborted = json!({"status": "aborted", "loop_count": 0});
    assert_eq!(
        stage.quiet(Host::Cursor, &cursor("stop", aborted)),
        Answer::None
    );
}

/// Random events, most of them in a format that one of the hosts uses.
fn events() -> impl Strategy<Value = (Host, Value)> {
    let host = proptest::sample::select(Host::ALL.to_vec());
    let name = proptest::sample::select(vec![
        "PreToolUse",
        "PermissionRequest",
        "BeforeTool",
        "preToolUse",
        "beforeShellExecution",
        "Stop",
        "AfterAgent",
        "stop",
        "PostToolUse",
        "",
    ]);
    let tool = proptest::sample::select(vec![
        "Edit",
        "Write",
        "Bash",
        "apply_patch",
        "replace",
        "write_file",
        "run_shell_command",
        "Shell",
        "Delete",
        "Read",
        "ExitPlanMode",
        "x",
    ]);
    let path = proptest::sample::select(vec![
        "src/cli.py",
        "src/report.py",
        "setup.py",
        "../x",
        "",
        "/etc/passwd",
        "plans/a.md",
    ]);
    let line = proptest::sample::select(vec!["ls", "rm -rf src", "npm test", ""]);
    let session = proptest::sample::select(vec!["s1", "s2", ""]);
    (host, name, tool, path, line, session, any::<bool>()).prop_map(
        |(host, name, tool, path, line, session, odd)| {
            let mut event = json!({
                "session_id": session, "conversation_id": session, "cwd": "/CWD",
                "hook_event_name": name, "tool_name": tool, "command": line, "status": "completed",
                "tool_input": {"file_path": path, "command": line, "content": "x",
                               "old_string": "a = 1", "new_string": "b"},
            });
            if odd {
                event["tool_input"] = json!(line);
            }
            (host, event)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn no_random_events_without_an_approved_review_get_an_allow(
        events in proptest::collection::vec(events(), 1..12),
    ) {
        let stage = Stage::new();
        for (host, mut event) in events {
            if event["tool_name"] == "ExitPlanMode" {
                continue;
            }
            event["cwd"] = json!(stage.project);
            let answer = stage.quiet(host, &event);
            prop_assert!(!is_allowed(&answer), "{} {:?}", event, answer);
        }
    }

    #[test]
    fn with_an_approved_review_only_the_ready_steps_file_gets_an_allow(
        events in proptest::collection::vec(events(), 1..8),
    ) {
        let (stage, _, _) = Stage::for_claude();
        for (host, mut event) in events {
            if event["tool_name"] == "ExitPlanMode" {
                continue;
            }
            event["cwd"] = json!(stage.project);
            // Nobody answers in the window.
            let limit = Duration::from_millis(30);
            let answer = stage.hook_within(host, &event, limit, |_, _| {});
            if is_allowed(&answer) {
                // T1 can't finish without a signature, so T2 never becomes ready and only T1's file
                // is allowed.
                prop_assert_eq!(host, Host::Claude);
                prop_assert_eq!(&event["session_id"], "s1");
                prop_assert_eq!(&event["hook_event_name"], "PreToolUse");
                prop_assert!(event["tool_name"] == "Edit" || event["tool_name"] == "Write");
                prop_assert_eq!(&event["tool_input"]["file_path"], "src/cli.py");
            }
        }
    }
}
