//! What runs record, and how runs proceed if records are missing: a lost database, a moved plan, a
//! missing repository, choices on the receipt, and losses spread over steps.

use planwright_tests::{Answers, Home, Project};

use crate::{revision, run_id, run_revision};

const SLOW: &str = "\
# Pay slowly

## Tasks
- [ ] **T1** Send the payment that takes a while
  - call: `run_command {\"command\": \"sh -c 'echo PAID >> paid.txt; sleep 600'\"}`
";

#[test]
fn a_payment_that_was_cut_off_is_not_made_again_though_the_whole_record_is_gone() {
    let home = Home::new();
    let project = Project::new().file("plans/p.md", SLOW);
    let approved = revision(&home, &project, "plans/p.md");
    let words = ["run", "plans/p.md", "--approve", &approved, "--json"];
    let running = home.spawn(&project, words);
    planwright_tests::wait_until("the payment", || {
        project.at("paid.txt").exists() && !project.read("paid.txt").is_empty()
    });
    running.kill_9();
    std::fs::remove_dir_all(home.path().join("data")).unwrap();
    // The first new run asks, and so does the second, which replaces the first.
    for _ in 0..2 {
        let again = home.planwright(&project, words).expect(3);
        assert_eq!(again.events("waiting")[0]["for"], "unknown");
        assert_eq!(project.read("paid.txt"), "PAID\n");
    }
}

#[test]
fn a_plan_that_was_moved_says_how_to_go_on() {
    let plan = "# Review\n\n## Tasks\n- [ ] **C1** Review it\n  - type: checkpoint\n";
    let home = Home::new();
    let project = Project::new().file("plans/p.md", plan);
    let approved = revision(&home, &project, "plans/p.md");
    let id = run_id(&run_revision(&home, &project, "plans/p.md", &approved, &[]).expect(3));
    std::fs::rename(project.at("plans/p.md"), project.at("plans/q.md")).unwrap();
    let resumed = home.planwright(&project, ["resume", &id]);
    let way = format!("planwright discard {id}");
    assert!(resumed.shown().contains(&way), "{}", resumed.shown());
    home.planwright(&project, ["discard", &id, "--yes"])
        .expect(0);
    let again = ["run", "plans/q.md", "--approve", &approved, "--json"];
    home.planwright(&project, again).expect(3);
}

#[test]
fn the_receipt_says_what_was_chosen_and_a_discarded_choice_is_no_mark_by_hand() {
    let plan = "\
# Choose a layout

## Tasks
- [ ] **C1** Review it
  - type: checkpoint
  - option: Go ahead -> continue
  - option: Enough -> stop
- [ ] **D1** Which layout?
  - type: decision
  - option: Lines -> T1
  - option: Array -> T2
- [ ] **T1** Write lines
  - call: `write_file {\"path\": \"a.txt\", \"content\": \"1\"}`
- [ ] **T2** Write an array
  - call: `write_file {\"path\": \"b.txt\", \"content\": \"2\"}`
- [ ] **T3** Sign it
  - by: person
";
    let home = Home::new();
    let project = Project::new().file("plans/p.md", plan);
    let approved = revision(&home, &project, "plans/p.md");
    let answers = Answers::new()
        .choose("C1", "Go ahead")
        .choose("D1", "Lines");
    let answers = answers.write_to(home.path()).display().to_string();
    let more = ["--answers", answers.as_str()];
    let id = run_id(&run_revision(&home, &project, "plans/p.md", &approved, &more).expect(3));
    let receipt = home.planwright(&project, ["receipt", &id]).expect(0);
    assert!(
        receipt.shown().contains("chose “Go ahead”"),
        "{}",
        receipt.shown()
    );
    home.planwright(&project, ["discard", &id, "--yes"])
        .expect(0);
    assert!(project.read("plans/p.md").contains("skipped:"));
    let approved = revision(&home, &project, "plans/p.md");
    let again = run_revision(&home, &project, "plans/p.md", &approved, &more).expect(3);
    assert_eq!(again.events("waiting")[0]["id"], "T3", "{}", again.shown());
}

#[test]
fn a_look_at_a_repository_that_is_not_there_shows_nothing() {
    let plan =
        "# Look\n\n## Tasks\n- [ ] **T1** Look at the repository\n  - call: `git_status {}`\n";
    let home = Home::new();
    let project = Project::new().file("plans/p.md", plan);
    let approved = revision(&home, &project, "plans/p.md");
    let ran = run_revision(&home, &project, "plans/p.md", &approved, &[]).expect(6);
    assert_eq!(ran.events("task")[0]["reason"], "not a Git repository");
}

#[test]
fn functions_deleted_one_step_at_a_time_are_asked_about_as_one_loss() {
    let one = |at: usize| format!("def f{at}(a):\n    return a + {at}\n\n");
    let source: String = (0..12).map(one).collect();
    let step = |at: usize| {
        format!(
            "- [ ] **T{at}** Take f{at} out of the module\n  - files: `a.py`\n  - call: `edit_file {}`\n",
            serde_json::json!({"path": "a.py", "old_text": one(at), "new_text": ""})
        )
    };
    let steps: String = (1..6).map(step).collect();
    let home = Home::new();
    let project = Project::new().file("a.py", &source).file(
        "plans/p.md",
        format!("# Tidy the module\n\n## Tasks\n{steps}"),
    );
    let approved = revision(&home, &project, "plans/p.md");
    let ran = run_revision(&home, &project, "plans/p.md", &approved, &[]).expect(3);
    let asked = &ran.events("waiting")[0];
    assert_eq!(
        (&asked["for"], &asked["id"]),
        (&"destructive".into(), &"T3".into()),
        "{asked}"
    );
    assert!(
        asked
            .to_string()
            .contains("3 of its 12 definitions: f1, f2, f3"),
        "{asked}"
    );
}
