//! Changes to a plan's file during its run: it is renamed, or another program overwrites it with a
//! version opened before the run. Nothing runs without approval, and no text is lost.

use desktop::wire::{Edit, EditOutcome, RunView, Steering};
use planwright_tests::Project;
use serde_json::json;

use crate::desk::Desk;

/// A plan with three steps, of which the second waits until a file appears.
fn plan() -> String {
    let command = "sh -c 'echo x >> times; echo at-work; while [ ! -e open ]; do sleep 0.02; done'";
    let wait = json!({ "command": command });
    let write = |name: &str| json!({ "path": name, "content": "x" });
    format!(
        "---\nplanwright: 1\nid: changes-7q\n---\n# Write three files\n\nSome prose.\n\n## Tasks\n\
         - [ ] **T1** Write the first file\n  - call: `write_file {}`\n\
         - [ ] **T2** Wait until the gate is open\n  - call: `run_command {wait}`\n\
         - [ ] **T3** Write the third file\n  - call: `write_file {}`\n",
        write("first"),
        write("third")
    )
}

/// Starts the run and waits until its second step is running and the first is ticked.
fn at_work(desk: &mut Desk) -> String {
    let run = desk.approve();
    desk.wait(&run, "the second step to be at work", |view| {
        view.current.as_ref().is_some_and(|step| step.task == "T2")
    });
    planwright_tests::wait_until("the gate to be waited for", || {
        let step = desk.desktop().run_step(&run, "T2").unwrap();
        step.output.contains("at-work")
    });
    run
}

fn ended(desk: &mut Desk, run: &str) -> RunView {
    desk.project.write("open", "");
    desk.wait(run, "an end", |view| !view.is_live)
}

#[test]
fn a_plan_that_is_renamed_during_its_run_stops_it_and_goes_on_under_its_new_name() {
    let mut desk = Desk::new(Project::new().file("plans/p.md", plan()));
    let run = at_work(&mut desk);
    let (old, new) = (desk.project.at("plans/p.md"), desk.project.at("plans/q.md"));
    std::fs::rename(&old, &new).unwrap();
    let view = ended(&mut desk, &run);
    assert_eq!(view.state, "failed");
    assert_eq!(
        view.message,
        "Can't read the plan plans/p.md: the file no longer exists; if it was moved or renamed, open it \
         at its new path."
    );
    assert!(!old.exists() && !desk.project.at("third").exists());
    assert!(desk.project.read("plans/q.md").contains("- [x] **T1**"));

    // The run belongs to the plan at its new path and continues there.
    let key = new.display().to_string();
    desk.desktop().outline(&key, None).unwrap();
    let runs = desk.desktop().runs_of(&key).unwrap();
    assert_eq!((runs.len(), &*runs[0].run), (1, &*run));
    assert_eq!(desk.view(&run).plan, key);
    desk.desktop().steer(&run, Steering::Resume).unwrap();
    desk.wait_state(&run, "done");
    assert_eq!(desk.project.read("times"), "x\n", "nothing was done twice");
    assert!(!old.exists() && desk.project.at("third").exists());
    let now = desk.project.read("plans/q.md");
    assert_eq!(now, plan().replace("- [ ]", "- [x]"));
    let history = desk.desktop().history(&key, None, 50).unwrap();
    assert_eq!(
        history.entries.len(),
        4,
        "the initial entry and three ticks: {:#?}",
        history.entries
    );
}

/// A plan with a run in progress, whose second step was reworded here after another program opened
/// the file. Returns the run and the other program's version.
fn at_work_on_a_newer_version() -> (Desk, String, String) {
    let mut desk = Desk::new(Project::new().file("plans/p.md", plan()));
    let old = desk.project.read("plans/p.md");
    let seen = desk.revision();
    let edit = Edit::Title {
        task: "T2".to_owned(),
        text: "Wait until somebody opens the gate".to_owned(),
    };
    let outcome = desk.desktop().edit(&desk.key(), &seen, edit).unwrap();
    assert!(matches!(outcome, EditOutcome::Written { .. }));
    let run = at_work(&mut desk);
    (desk, run, old)
}

#[test]
fn an_old_version_that_is_saved_during_a_run_is_merged_and_the_run_goes_on() {
    let (mut desk, run, old) = at_work_on_a_newer_version();
    let note = "\n## Notes\nSomebody else's note.\n";
    desk.project.write("plans/p.md", format!("{old}{note}"));
    let view = ended(&mut desk, &run);
    assert_eq!((&*view.state, view.done), ("done", 3), "{view:?}");
    let expected = plan()
        .replace("- [ ]", "- [x]")
        .replace("until the gate is open", "until somebody opens the gate");
    assert_eq!(desk.project.read("plans/p.md"), expected + note);
    assert!(desk.desktop().conflicts(&desk.key()).unwrap().is_empty());
}

#[test]
fn what_an_old_version_brings_in_during_a_run_is_not_carried_out() {
    let (mut desk, run, old) = at_work_on_a_newer_version();
    desk.project
        .write("plans/p.md", old.replace("third", "evil"));
    let view = ended(&mut desk, &run);
    assert_eq!((&*view.state, view.done), ("not_covered", 2), "{view:?}");
    assert!(view.message.starts_with("T3 is not covered"), "{view:?}");
    assert!(!desk.project.at("evil").exists() && !desk.project.at("third").exists());
    // The file contains the app's tick, the text typed here, and the other program's text.
    let now = desk.project.read("plans/p.md");
    for words in [
        "- [x] **T1**",
        "- [x] **T2** Wait until somebody opens the gate",
        "- [ ] **T3** Write the evil file",
    ] {
        assert!(now.contains(words), "no {words:?} in\n{now}");
    }
}
