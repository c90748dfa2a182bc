//! The main job as the window does it, but without a window: approve the plan on screen, answer,
//! steer, decide, and look at the receipt. Uses real files, a real database and real processes.

use desktop::wire::{DesktopEvent, GivenAnswer, GivenNotes, Steering, StepNote};
use planwright_tests::{Project, Running};
use workbench::Code;

use crate::desk::{Desk, choice, gate, greetings};

/// Starts a run in another process and waits until it executes a command that waits for a file. The
/// last value is the run's id.
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
    let does = |step: usize| {
        let effects = shown.steps[step].effects.iter();
        let lines = effects.map(|effect| format!("{} {}", effect.verb.as_str(), effect.subject));
        lines.collect::<Vec<_>>()
    };
    assert_eq!(does(1)[0], "edits greetings.txt");
    assert!(does(1)[1].starts_with("runs ") && does(1)[1].contains("touch made.txt"));
    assert_eq!(does(1)[2], "runs grep -q good greetings.txt");
    assert!(shown.left_out.is_empty());
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
    assert_eq!(asked.options[0].effect, "continues with T3");
    desk.answer(&asked, choice("The short one")).unwrap();

    // The rule allows T3's check to run without a question.
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
    assert_eq!(told.len(), needed.len(), "each question is reported once");
    let plans = desk.heard("plan");
    let by_app = |event: &DesktopEvent| matches!(event, DesktopEvent::Plan { author, .. } if author == "app");
    assert!(plans.iter().any(by_app), "{plans:?}");
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
    // A second click on the first card doesn't answer the next card.
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
    assert!(view.can_resume, "{view:?}");
    desk.desktop().steer(&run, Steering::Resume).unwrap();
    assert!(!desk.wait_state(&run, "done").can_resume);
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
    // The half-done work is undone, then the command runs again from the start.
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
    let same = &again.questions[0].fingerprint;
    assert_eq!(*same, asked.fingerprint, "it is the same question");
    desk.project.write("open", "");
    desk.answer(&asked, GivenAnswer::Repeat).unwrap();
    desk.wait_state(&run, "done");
}
