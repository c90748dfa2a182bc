//! The main job as the window does it, without a window: approve what is on screen, answer, steer,
//! decide, look at the receipt. Real files, a real database, real processes.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Instant;

use planwright_tests::{Home, PATIENCE, Project, Running, planwright_binary};
use serde_json::json;
use workbench::wire::window::{
    AnswerRequest, ApproveRequest, DesktopEvent, GivenAnswer, GivenNotes, NumberedEvent,
    RunQuestion, RunView, Steering, StepNote,
};
use workbench::{Code, Desktop, Environment};

/// A home, a project with one plan, and the desktop on both.
pub(crate) struct Desk {
    pub(crate) home: Home,
    pub(crate) project: Project,
    desktop: Option<Desktop>,
    events: Receiver<DesktopEvent>,
    /// What was heard, by kind.
    pub(crate) heard: BTreeMap<String, Vec<DesktopEvent>>,
}

fn open(home: &Home, project: &Project) -> (Desktop, Receiver<DesktopEvent>) {
    let environment = Environment {
        variables: std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value)))
            .filter(|(name, _)| !name.starts_with("PLANWRIGHT_"))
            .chain([("PLANWRIGHT_HOME".to_owned(), home.path().into())])
            .collect(),
        cwd: project.path().to_owned(),
        program: planwright_binary().to_owned(),
    };
    let (sender, events) = channel();
    let sender = Mutex::new(sender);
    let tell = move |numbered: NumberedEvent| {
        // The test may have ended.
        let _ = sender.lock().unwrap().send(numbered.event);
    };
    (Desktop::open(environment, Box::new(tell)).unwrap(), events)
}

impl Desk {
    pub(crate) fn new(project: Project) -> Self {
        Self::with(Home::new(), project)
    }

    /// Without a sandbox, so that every command asks.
    pub(crate) fn asking(project: Project) -> Self {
        let home = Home::new();
        home.write_settings(&json!({ "sandbox": "none" }));
        Self::with(home, project)
    }

    fn with(home: Home, project: Project) -> Self {
        let (desktop, events) = open(&home, &project);
        desktop
            .open_workspace(project.path().to_str().unwrap())
            .unwrap();
        Self {
            home,
            project,
            desktop: Some(desktop),
            events,
            heard: BTreeMap::new(),
        }
    }

    /// The program ends cleanly and is started again.
    pub(crate) fn restart(&mut self) {
        if let Some(desktop) = self.desktop.take() {
            desktop.close().unwrap();
        }
        let (desktop, events) = open(&self.home, &self.project);
        self.desktop = Some(desktop);
        self.events = events;
    }

    pub(crate) fn desktop(&self) -> &Desktop {
        self.desktop.as_ref().unwrap()
    }

    pub(crate) fn key(&self) -> String {
        self.project.at("plans/p.md").display().to_string()
    }

    pub(crate) fn revision(&self) -> String {
        self.desktop().outline(&self.key(), None).unwrap().revision
    }

    pub(crate) fn request(&self) -> ApproveRequest {
        ApproveRequest {
            plan: self.key(),
            revision: self.revision(),
            run: true,
            upto: None,
            policy: None,
            reason: None,
            notes: None,
            branch: None,
        }
    }

    pub(crate) fn approve(&self) -> String {
        let approved = self.desktop().approve(self.request()).unwrap();
        approved.run.unwrap()
    }

    pub(crate) fn view(&self, run: &str) -> RunView {
        self.desktop().run(run).unwrap()
    }

    /// Waits until the run is as wanted; looks again at each event.
    #[track_caller]
    pub(crate) fn wait(
        &mut self,
        run: &str,
        what: &str,
        is_so: impl Fn(&RunView) -> bool,
    ) -> RunView {
        let until = Instant::now() + PATIENCE;
        loop {
            let view = self.view(run);
            if is_so(&view) {
                return view;
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.events.recv_timeout(left) {
                Ok(event) => self.keep(event),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("waited for {what}: {view:#?}");
                }
            }
        }
    }

    fn keep(&mut self, event: DesktopEvent) {
        let kind = serde_json::to_value(&event).unwrap()["kind"].clone();
        let kind = kind.as_str().unwrap().to_owned();
        self.heard.entry(kind).or_default().push(event);
    }

    pub(crate) fn heard(&mut self, kind: &str) -> Vec<DesktopEvent> {
        while let Ok(event) = self.events.try_recv() {
            self.keep(event);
        }
        self.heard.get(kind).cloned().unwrap_or_default()
    }

    #[track_caller]
    pub(crate) fn wait_state(&mut self, run: &str, state: &str) -> RunView {
        self.wait(run, state, |view| view.state == state && !view.is_live)
    }

    /// Waits for the only question of the run.
    #[track_caller]
    pub(crate) fn wait_question(&mut self, run: &str, kind: &str) -> RunQuestion {
        let view = self.wait(run, kind, |view| {
            view.questions.iter().any(|asked| asked.kind == kind) && !view.is_live
        });
        view.questions
            .into_iter()
            .find(|asked| asked.kind == kind)
            .unwrap()
    }

    pub(crate) fn answer(&self, asked: &RunQuestion, answer: GivenAnswer) -> workbench::Result<()> {
        self.desktop().answer(AnswerRequest {
            run: asked.run.clone(),
            task: asked.task.clone(),
            kind: asked.kind.clone(),
            fingerprint: asked.fingerprint.clone(),
            answer,
        })
    }
}

fn choice(label: &str) -> GivenAnswer {
    GivenAnswer::Choice {
        label: label.to_owned(),
        note: None,
    }
}

const PLAN: &str = "\
# Greet in another way

## Tasks
- [ ] **T1** Find where the greeting is written
  - call: `search_files {\"pattern\": \"hello\", \"path\": \"greetings.txt\"}`
- [ ] **T2** Change the greeting in greetings.txt
  - files: `greetings.txt`
  - call: `edit_file {\"path\": \"greetings.txt\", \"old_text\": \"hello\", \"new_text\": \"good day\"}`
  - call: `run_command {\"command\": \"touch made.txt\"}`
  - verify: `grep -q good greetings.txt`
- [ ] **C1** Review the changes before a farewell is written
  - type: checkpoint
  - option: Go on -> continue
  - option: Let me review first -> review
- [ ] **D1** Which farewell is it to be?
  - type: decision
  - option: The short one -> T3
  - option: The long one -> T4
- [ ] **T3** Write the short farewell into bye.txt
  - depends: D1
  - call: `write_file {\"path\": \"bye.txt\", \"content\": \"bye\\n\"}`
  - verify: `grep -q good greetings.txt`
- [ ] **T4** Write the long farewell into farewell.txt
  - depends: D1
  - call: `write_file {\"path\": \"farewell.txt\", \"content\": \"farewell\\n\"}`
";

fn greetings() -> Project {
    Project::new()
        .file("plans/p.md", PLAN)
        .file("greetings.txt", "hello\nyou\n")
}

/// A step that prints a word and goes on when a file appears.
fn gate(id: &str, word: &str, opens: &str) -> String {
    let command = format!("sh -c 'echo {word}; while [ ! -e {opens} ]; do sleep 0.02; done'");
    let call = json!({ "command": command });
    format!("- [ ] **{id}** Wait until the gate is open\n  - call: `run_command {call}`\n")
}

/// A run that another process carries, inside a command that waits for a file, and its id.
fn at_a_gate_elsewhere() -> (Desk, Running, String) {
    let gate = gate("T1", "at-work", "open");
    let plan = format!("# Wait for a gate\n\n## Tasks\n{gate}");
    let desk = Desk::new(Project::new().file("plans/p.md", plan));
    let revision = desk.revision();
    let mut other = desk.home.spawn(
        &desk.project,
        ["run", "plans/p.md", "--approve", &revision, "--json"],
    );
    let started = other.wait_for_event("started");
    let run = started["run"].as_str().unwrap().to_owned();
    other.wait_for_event("output");
    (desk, other, run)
}

#[test]
fn the_main_job_from_a_note_to_the_receipt() {
    let mut desk = Desk::asking(greetings());
    let shown = desk
        .desktop()
        .approval(&desk.key(), &desk.revision(), None)
        .unwrap();
    assert_eq!(shown.step_count, 6);
    assert_eq!(shown.steps[1].files, ["greetings.txt"]);
    assert!(shown.steps[1].commands[1].contains("touch made.txt"));
    assert_eq!(shown.steps[1].commands[2], "grep -q good greetings.txt");
    assert_eq!(shown.policies, ["each", "risky", "all"]);
    assert_eq!((shown.not_runnable, shown.reason_for), (None, None));

    let notes = vec![StepNote {
        task: "T2".to_owned(),
        text: "Keep the second line *as it is*.".to_owned(),
    }];
    let mut request = desk.request();
    let preview = desk
        .desktop()
        .preview_notes(&request.plan, &request.revision, notes.clone())
        .unwrap();
    assert!(preview.diff.iter().any(|line| {
        line.kind == "added"
            && line
                .text
                .contains("- note: Keep the second line *as it is*.")
    }));
    request.notes = Some(GivenNotes {
        notes,
        revision: preview.revision.clone(),
    });
    let approved = desk.desktop().approve(request).unwrap();
    assert_eq!(approved.revision, preview.revision);
    let run = approved.run.unwrap();

    let asked = desk.wait_question(&run, "permission");
    let card = asked.permission.clone().unwrap();
    assert_eq!(card.subject, "touch made.txt");
    assert!(!card.is_shell);
    assert!(
        card.facts.contains(&"no sandbox".to_owned()),
        "{:?}",
        card.facts
    );
    let words = Some("not yet".to_owned());
    desk.answer(&asked, GivenAnswer::Deny { words }).unwrap();
    let asked = desk.wait_question(&run, "failure");
    assert!(asked.message.contains("not yet"), "{}", asked.message);
    assert!(!desk.project.at("made.txt").exists());
    desk.answer(&asked, GivenAnswer::Retry).unwrap();
    let asked = desk.wait_question(&run, "permission");
    desk.answer(&asked, GivenAnswer::AllowOnce).unwrap();

    let asked = desk.wait(&run, "the check", |view| {
        !view.is_live
            && view.questions.iter().any(|asked| {
                let card = asked.permission.as_ref();
                card.is_some_and(|card| card.subject.starts_with("grep"))
            })
    });
    assert!(desk.project.at("made.txt").exists());
    let asked = &asked.questions[0];
    let rule = asked.permission.as_ref().unwrap().rules[0].clone();
    assert_eq!(
        (&*rule.kind, &*rule.text),
        ("exact", "grep -q good greetings.txt")
    );
    desk.answer(asked, GivenAnswer::AllowAlways { rule })
        .unwrap();

    let asked = desk.wait_question(&run, "checkpoint");
    assert!(desk.answer(&asked, choice("No such label")).is_err());
    desk.answer(&asked, choice("Let me review first")).unwrap();
    let asked = desk.wait(&run, "the checkpoint stays", |view| {
        !view.is_live
            && view
                .questions
                .iter()
                .any(|asked| asked.message.contains("answer again"))
    });
    desk.answer(&asked.questions[0], choice("Go on")).unwrap();
    let asked = desk.wait_question(&run, "decision");
    assert_eq!(asked.options[0].effect, "goes on with T3");
    desk.answer(&asked, choice("The short one")).unwrap();

    // The rule spares the question before the check of T3.
    let view = desk.wait_state(&run, "done");
    assert_eq!((view.done, view.total), (6, 6));
    let state = |task: &str| {
        let found = view.states.iter().rfind(|known| known.task == task);
        found.map(|known| (known.state.clone(), known.evidence.clone()))
    };
    assert_eq!(
        state("T1"),
        Some(("done".into(), Some("evidence: 1 hit".into())))
    );
    assert_eq!(state("T2"), Some(("done".into(), Some("exit 0".into()))));
    assert_eq!(state("T4").unwrap().0, "skipped");
    assert_eq!(desk.project.read("bye.txt"), "bye\n");
    assert!(!desk.project.at("farewell.txt").exists());

    let step = desk.desktop().run_step(&run, "T2").unwrap();
    let actions: Vec<_> = step
        .actions
        .iter()
        .map(|a| (&*a.title, &*a.summary))
        .collect();
    assert_eq!(
        actions,
        [
            ("Edit greetings.txt", "+1 −1"),
            ("touch made.txt", "exit 0"),
            ("grep -q good greetings.txt", "exit 0")
        ]
    );
    let step = desk.desktop().run_step(&run, "T1").unwrap();
    assert_eq!(step.actions[0].title, "Searched “hello”");
    assert_eq!(step.actions[0].summary, "1 hit");

    let receipt = desk.desktop().receipt(&run).unwrap();
    assert_eq!(receipt.state, "done");
    assert_eq!(receipt.revision, preview.revision);
    assert!(receipt.markdown.contains("### T2"), "{}", receipt.markdown);
    assert!(
        receipt.markdown.contains("`touch made.txt`: exit 0"),
        "{}",
        receipt.markdown
    );

    let undone = desk.desktop().undo_changes(&run, Some("T2"), None).unwrap();
    assert!(undone.restored.contains(&"greetings.txt".to_owned()));
    assert_eq!(desk.project.read("greetings.txt"), "hello\nyou\n");
    assert!(!desk.project.at("made.txt").exists());
    assert!(desk.project.read("plans/p.md").contains("- [ ] **T2**"));
    let view = desk.view(&run);
    let t2 = view.states.iter().find(|known| known.task == "T2").unwrap();
    assert_eq!(t2.state, "undone");
    let undone = desk
        .desktop()
        .undo_changes(&run, Some("T3"), Some("bye.txt"));
    assert_eq!(undone.unwrap().restored, ["bye.txt"]);
    assert!(!desk.project.at("bye.txt").exists());

    let needed = desk.heard("needed");
    let told: std::collections::BTreeSet<_> =
        needed.iter().map(|event| format!("{event:?}")).collect();
    assert!(!told.is_empty());
    assert_eq!(told.len(), needed.len(), "each question is told once");
    let plans = desk.heard("plan");
    let by_app = |event: &DesktopEvent| matches!(event, DesktopEvent::Plan { author, .. } if author == "app");
    assert!(plans.iter().any(by_app), "{plans:?}");
}

#[test]
fn a_second_approve_starts_nothing() {
    let gate = gate("T1", "at-work", "open");
    let plan = format!("# Wait for a gate\n\n## Tasks\n{gate}");
    let mut desk = Desk::new(Project::new().file("plans/p.md", plan));
    let request = desk.request();
    let desktop = desk.desktop();
    let both: Vec<_> = std::thread::scope(|scope| {
        let click = || scope.spawn(|| desktop.approve(request.clone()));
        [click(), click()].map(|click| click.join().unwrap()).into()
    });
    let refused: Vec<_> = both.iter().filter_map(|one| one.as_ref().err()).collect();
    assert_eq!(refused.len(), 1, "{both:?}");
    assert_eq!(refused[0].code, Code::PlanIsRunning);
    let late = desk.desktop().approve(request).unwrap_err();
    assert_eq!(late.code, Code::PlanIsRunning);
    let runs = desk.desktop().runs_of(&desk.key()).unwrap();
    assert_eq!(runs.len(), 1);
    desk.project.write("open", "");
    let run = runs[0].run.clone();
    desk.wait_state(&run, "done");
}

#[test]
fn a_double_click_on_a_plan_that_soon_waits_starts_one_run() {
    let plan = "# Ask at once\n\n## Tasks\n- [ ] **T1** Sign the release note\n  - by: person\n";
    let mut desk = Desk::new(Project::new().file("plans/p.md", plan));
    let request = desk.request();
    let run = desk
        .desktop()
        .approve(request.clone())
        .unwrap()
        .run
        .unwrap();
    desk.wait_state(&run, "waiting");
    let again = desk.desktop().approve(request).unwrap_err();
    assert_eq!(again.code, Code::PlanIsRunning, "{}", again.message);
    assert_eq!(desk.desktop().runs_of(&desk.key()).unwrap().len(), 1);
}

#[test]
fn what_is_not_on_disk_any_more_is_refused_and_nothing_changes() {
    let desk = Desk::new(greetings().git());
    let request = ApproveRequest {
        branch: Some("planwright/greet".to_owned()),
        ..desk.request()
    };
    let notes = vec![StepNote {
        task: "T1".to_owned(),
        text: "Look well".to_owned(),
    }];
    let desktop = desk.desktop();
    let preview = desktop
        .preview_notes(&request.plan, &request.revision, notes.clone())
        .unwrap();
    desk.project.edit("plans/p.md", "good day", "good evening");
    let before = desk.project.snapshot_with_git();
    let refused = desktop.approve(request.clone()).unwrap_err();
    assert_eq!(refused.code, Code::NotCovered, "{}", refused.message);
    let revision = preview.revision;
    let with_notes = ApproveRequest {
        notes: Some(GivenNotes { notes, revision }),
        ..request.clone()
    };
    let refused = desktop.approve(with_notes).unwrap_err();
    assert_eq!(refused.code, Code::NotCovered, "{}", refused.message);
    let cycle = ApproveRequest {
        upto: Some("T99".to_owned()),
        ..desk.request()
    };
    assert_eq!(desktop.approve(cycle).unwrap_err().code, Code::Usage);
    desk.project
        .snapshot_with_git()
        .assert_same_as(&before, &[]);
    assert!(desktop.runs_of(&desk.key()).unwrap().is_empty());
}

#[test]
fn a_bad_branch_takes_the_notes_back() {
    let desk = Desk::new(greetings().git());
    let mut request = desk.request();
    let notes = vec![StepNote {
        task: "T1".to_owned(),
        text: "Look well".to_owned(),
    }];
    let desktop = desk.desktop();
    let revision = desktop
        .preview_notes(&request.plan, &request.revision, notes.clone())
        .unwrap()
        .revision;
    request.notes = Some(GivenNotes { notes, revision });
    request.branch = Some("main".to_owned());
    let refused = desktop.approve(request).unwrap_err();
    assert_eq!(refused.code, Code::Usage, "{}", refused.message);
    assert_eq!(desk.project.read("plans/p.md"), PLAN);
    assert!(desktop.runs_of(&desk.key()).unwrap().is_empty());
}

#[test]
fn a_branch_is_started_only_when_asked_and_nothing_is_committed() {
    let plan = "# Write one file\n\n## Tasks\n- [ ] **T1** Write the new file a.txt\n  - call: `write_file {\"path\": \"a.txt\", \"content\": \"a\\n\"}`\n";
    let mut desk = Desk::new(Project::new().file("plans/p.md", plan).git());
    let shown = desk
        .desktop()
        .approval(&desk.key(), &desk.revision(), None)
        .unwrap();
    let git = shown.git.unwrap();
    assert_eq!((git.branch.as_deref(), git.dirty_count), (Some("main"), 0));
    let mut request = desk.request();
    request.branch = Some(git.offer.clone());
    let run = desk.desktop().approve(request).unwrap().run.unwrap();
    desk.wait_state(&run, "done");
    let branch = desk.project.run_git(&["branch", "--show-current"]);
    assert_eq!(branch.trim(), git.offer);
    assert_eq!(
        desk.project
            .run_git(&["rev-list", "--count", "HEAD"])
            .trim(),
        "1"
    );
    let changes = desk.desktop().changes(&run, None).unwrap();
    let head = git.head.unwrap();
    assert_eq!(
        changes.before,
        format!("Before this run the tree was clean at {head}. Nothing is committed for you.")
    );
}

#[test]
fn saved_as_approved_runs_nothing_and_is_marked() {
    let desk = Desk::new(greetings());
    let request = ApproveRequest {
        run: false,
        ..desk.request()
    };
    let before = desk.project.snapshot();
    let approved = desk.desktop().approve(request).unwrap();
    assert_eq!(approved.run, None);
    desk.project.snapshot().assert_same_as(&before, &[]);
    let plans = desk
        .desktop()
        .plans(desk.project.path().to_str().unwrap())
        .unwrap()
        .plans;
    assert_eq!(plans[0].mark.as_deref(), Some("approved"));
    assert!(desk.desktop().runs_of(&desk.key()).unwrap().is_empty());
}

#[test]
fn a_plan_that_changes_while_it_is_approved_never_runs_unapproved_steps() {
    let desk = Desk::new(Project::new());
    let step = |round: usize, file: &str| {
        format!(
            "# Write one file, round {round}\n\n## Tasks\n- [ ] **T1** Write the file that was approved\n  - call: `write_file {{\"path\": \"{file}\", \"content\": \"x\"}}`\n"
        )
    };
    for round in 0..100 {
        let (good, evil) = (step(round, "good.txt"), step(round, "evil.txt"));
        desk.project.write("plans/p.md", &good);
        let request = desk.request();
        let path = desk.project.at("plans/p.md");
        let beside = desk.project.at("plans/.beside");
        std::thread::scope(|scope| {
            let racer = scope.spawn(|| {
                for at in 0..round % 7 {
                    let text = if at % 2 == 0 { &evil } else { &good };
                    std::fs::write(&beside, text).unwrap();
                    std::fs::rename(&beside, &path).unwrap();
                }
                std::fs::write(&beside, &evil).unwrap();
                std::fs::rename(&beside, &path).unwrap();
            });
            match desk.desktop().approve(request) {
                Ok(_) => {}
                Err(error) => assert!(
                    matches!(
                        error.code,
                        Code::NotCovered | Code::Workspace | Code::UnusablePlan | Code::PlanGone
                    ),
                    "{error}"
                ),
            }
            racer.join().unwrap();
        });
        planwright_tests::wait_until("the run ends", || desk.desktop().live_runs().is_empty());
        assert!(!desk.project.at("evil.txt").exists(), "round {round}");
    }
}

#[test]
fn a_question_survives_a_restart_and_is_answered_there() {
    let mut desk = Desk::asking(greetings());
    let run = desk.approve();
    desk.wait_question(&run, "permission");
    desk.restart();
    let inbox = desk.desktop().inbox().unwrap();
    assert_eq!(inbox.len(), 1, "{inbox:?}");
    assert_eq!(
        (&*inbox[0].kind, inbox[0].run.as_deref()),
        ("permission", Some(&*run))
    );
    let asked = inbox[0].question.clone().unwrap();
    desk.answer(&asked, GivenAnswer::AllowRun).unwrap();
    let next = desk.wait(&run, "the next question", |view| {
        let others = view.questions.iter();
        !view.is_live
            && others
                .filter(|next| next.permission != asked.permission)
                .count()
                == 1
    });
    assert!(desk.project.at("made.txt").exists());
    // A second click on the first card allows nothing that the next one asks.
    let again = desk.answer(&asked, GivenAnswer::AllowOnce).unwrap_err();
    assert_eq!(again.code, Code::NotCovered, "{}", again.message);
    assert_eq!(desk.view(&run).questions, next.questions);
}

#[test]
fn an_answer_to_a_step_that_reads_otherwise_is_refused_and_the_question_stays() {
    let mut desk = Desk::new(greetings());
    let run = desk.approve();
    let asked = desk.wait_question(&run, "checkpoint");
    desk.project.edit(
        "plans/p.md",
        "before a farewell is written",
        "before everything is deleted",
    );
    let refused = desk.answer(&asked, choice("Go on")).unwrap_err();
    assert_eq!(refused.code, Code::NotCovered, "{}", refused.message);
    let view = desk.view(&run);
    assert_eq!(view.questions.len(), 1);
    assert!(!view.is_live);
}

#[test]
fn approve_to_here_starts_the_steps_up_to_it_and_no_further() {
    let write = |id: &str, file: &str| {
        format!(
            "- [ ] **{id}** Write the small file {file}\n  - call: `write_file {{\"path\": \"{file}\", \"content\": \"\"}}`\n"
        )
    };
    let steps = [
        write("T1", "a"),
        write("T2", "b"),
        write("T3", "c"),
        write("T4", "d"),
    ]
    .concat();
    let plan = format!("# Write four files\n\n## Tasks\n{steps}");
    let mut desk = Desk::new(Project::new().file("plans/p.md", plan));
    let request = ApproveRequest {
        policy: Some("each".to_owned()),
        ..desk.request()
    };
    let run = desk.desktop().approve(request).unwrap().run.unwrap();
    let asked = desk.wait_question(&run, "approval");
    assert_eq!(asked.task, "T1");
    let upto = Some("T3".to_owned());
    desk.answer(&asked, GivenAnswer::Run { upto }).unwrap();
    let view = desk.wait(&run, "T4 asks", |view| {
        !view.is_live && view.questions.iter().any(|asked| asked.task == "T4")
    });
    assert!(desk.project.at("c").exists() && !desk.project.at("d").exists());
    assert_eq!(view.next.as_deref(), Some("T4"));
}

#[test]
fn a_run_is_paused_resumed_and_shows_its_output() {
    let gate = gate("T1", "at-work", "open");
    let plan = format!(
        "# Pause between two steps\n\n## Tasks\n{gate}- [ ] **T2** Write the second file\n  - call: `write_file {{\"path\": \"second\", \"content\": \"\"}}`\n"
    );
    let mut desk = Desk::new(Project::new().file("plans/p.md", plan));
    let run = desk.approve();
    desk.wait(&run, "the step is at work", |view| {
        let current = view.current.as_ref();
        current.is_some_and(|step| step.phase == "tool_calling")
    });
    planwright_tests::wait_until("its output is there", || {
        let step = desk.desktop().run_step(&run, "T1").unwrap();
        step.output.contains("at-work") && step.actions.iter().any(|action| action.ok.is_none())
    });
    desk.desktop().steer(&run, Steering::Pause).unwrap();
    desk.project.write("open", "");
    let view = desk.wait_state(&run, "paused");
    assert!(!desk.project.at("second").exists(), "{view:?}");
    assert_eq!(desk.desktop().inbox().unwrap()[0].kind, "paused");
    desk.desktop().steer(&run, Steering::Resume).unwrap();
    desk.wait_state(&run, "done");
    assert!(desk.project.at("second").exists());
    assert!(desk.desktop().inbox().unwrap().is_empty());
}

#[test]
fn cancel_ends_the_command_under_way_and_skip_leaves_a_step_out() {
    let (first, second) = (gate("T1", "one", "open"), gate("T2", "two", "open"));
    let plan = format!("# Cancel and skip\n\n## Tasks\n{first}{second}");
    let mut desk = Desk::new(Project::new().file("plans/p.md", plan));
    let run = desk.approve();
    desk.wait(&run, "the first step", |view| view.current.is_some());
    let skip = Steering::Skip {
        task: "T1".to_owned(),
        reason: "takes too long".to_owned(),
    };
    desk.desktop().steer(&run, skip).unwrap();
    let asked = desk.wait_question(&run, "skipped_dependency");
    desk.answer(&asked, GivenAnswer::Run { upto: None })
        .unwrap();
    desk.wait(&run, "the second step", |view| {
        view.current.as_ref().is_some_and(|step| step.task == "T2")
    });
    desk.desktop().steer(&run, Steering::Cancel).unwrap();
    let view = desk.wait_state(&run, "stopped");
    let state = |task: &str| view.states.iter().find(|known| known.task == task).unwrap();
    assert_eq!(state("T1").state, "skipped");
    assert!(desk.project.read("plans/p.md").contains("takes too long"));
}

#[test]
fn closing_pauses_what_goes_on() {
    let gate = gate("T1", "at-work", "open");
    let plan = format!("# Wait for a gate\n\n## Tasks\n{gate}");
    let mut desk = Desk::new(Project::new().file("plans/p.md", plan));
    let run = desk.approve();
    desk.wait(&run, "the step is at work", |view| view.current.is_some());
    desk.restart();
    let view = desk.view(&run);
    assert_eq!((&*view.state, view.is_live), ("paused", false));
    desk.project.write("open", "");
    desk.desktop().steer(&run, Steering::Resume).unwrap();
    let view = desk.wait(&run, "an end", |view| !view.is_live);
    assert!(
        matches!(&*view.state, "done" | "waiting" | "failed"),
        "{view:?}"
    );
}

#[test]
fn a_run_of_another_process_is_shown_and_its_crash_asked_about() {
    let (mut desk, other, run) = at_a_gate_elsewhere();
    let view = desk.view(&run);
    assert!(
        view.is_elsewhere && !view.is_live && view.state == "running",
        "{view:?}"
    );
    let refused = desk.desktop().steer(&run, Steering::Pause).unwrap_err();
    assert_eq!(refused.code, Code::PlanIsRunning);
    assert!(
        refused.message.contains(&other.id().to_string()),
        "{}",
        refused.message
    );
    let refused = desk.desktop().approve(desk.request()).unwrap_err();
    assert_eq!(refused.code, Code::PlanIsRunning);
    other.kill_9();

    let view = desk.view(&run);
    assert_eq!(view.state, "interrupted");
    assert_eq!(view.states[0].state, "interrupted");
    let asked = desk.wait_question(&run, "unknown");
    let options: Vec<_> = asked.options.iter().map(|option| &*option.label).collect();
    assert_eq!(options, ["check", "repeat", "skip"]);
    assert_eq!(desk.desktop().inbox().unwrap()[0].kind, "unknown");
    desk.answer(&asked, GivenAnswer::Check).unwrap();
    // What was half done is taken back, then the command runs once more from the beginning.
    desk.wait(&run, "it runs again", |view| view.current.is_some());
    desk.project.write("open", "");
    desk.wait_state(&run, "done");
}

#[test]
fn a_cut_off_command_is_answered_on_the_card_from_before_the_run_was_taken_up() {
    let (mut desk, other, run) = at_a_gate_elsewhere();
    other.kill_9();
    let asked = desk.wait_question(&run, "unknown");
    desk.desktop().steer(&run, Steering::Resume).unwrap();
    let again = desk.wait(&run, "it waits again", |view| {
        !view.is_live && !view.questions.is_empty()
    });
    assert_eq!(again.questions.len(), 1);
    assert_eq!(again.questions[0], asked, "it is the same question");
    desk.project.write("open", "");
    desk.answer(&asked, GivenAnswer::Repeat).unwrap();
    desk.wait_state(&run, "done");
}
