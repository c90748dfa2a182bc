//! Approving as the window does, but without a window: a run starts exactly what was on screen,
//! only once and only as far as approved. If the file has changed, it doesn't start.

use desktop::wire::{ApproveRequest, GivenAnswer, GivenNotes, StepNote};
use planwright_tests::Project;
use workbench::Code;

use crate::desk::{Desk, PLAN, gate, greetings};

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
        effort: None,
        shown_ms: None,
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
        format!(
            "Before this run the tree was clean at {head}. Planwright doesn't commit anything."
        )
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
