//! Tests of how a model may change and propose the plan.

use super::super::call::PlanTarget;
use super::super::plan_edit::{PlanEditError, apply};
use super::*;

fn task(id: &str) -> PlanTarget {
    PlanTarget::Task(id.to_owned())
}

#[test]
fn an_edit_by_task_leaves_every_other_byte() {
    let new = "- [ ] **T1** Add the flag\n  - files: `src/args.py`";
    let text = apply(Some(PLAN), &task("T1"), new).unwrap().text;
    let before = &PLAN[..PLAN.find("- [ ] **T1**").unwrap()];
    let after = &PLAN[PLAN.find("- [ ] **T2**").unwrap()..];
    assert_eq!(text, format!("{before}{new}\n{after}"));
}

#[test]
fn a_task_is_deleted_with_its_line_and_added_behind_another() {
    let text = apply(Some(PLAN), &task("T1"), "").unwrap().text;
    assert!(!text.contains("T1** Add"));
    assert!(text.contains("## Tasks\n- [ ] **T2**"));
    let after = PlanTarget::After("T1".to_owned());
    let text = apply(Some(PLAN), &after, "- [ ] **T3** Document it")
        .unwrap()
        .text;
    assert!(text.contains("`src/cli.py`\n- [ ] **T3** Document it\n- [ ] **T2**"));
}

#[test]
fn a_sub_task_keeps_its_depth_and_the_file_its_line_ends() {
    let plan = "# P\r\n\r\n## Tasks\r\n- [ ] **T1** Group\r\n  - [ ] **T1.1** Part\r\n  - [ ] **T1.2** Other\r\n";
    let new = "- [ ] **T1.1** Better\n  - files: `a`";
    let text = apply(Some(plan), &task("T1.1"), new).unwrap().text;
    assert!(
        text.contains("Group\r\n  - [ ] **T1.1** Better\r\n    - files: `a`\r\n  - [ ] **T1.2**")
    );
    assert_eq!(text.replace("\r\n", "").matches('\n').count(), 0);
}

#[test]
fn what_an_edit_may_not_do_is_refused_with_a_reason() {
    let old = |text: &str| PlanTarget::Text(text.to_owned());
    for (target, new, part) in [
        (PlanTarget::New, "# Other", "There is a plan already"),
        (task("T9"), "x", "Its tasks are T1, T2."),
        (old("no such text"), "x", "not in the plan"),
        (old("**T"), "x", "2 times"),
        (
            old("One prose line."),
            "One prose line.",
            "reads so already",
        ),
        (task("T1"), "- [x] **T1** Add the flag", "app ticks boxes"),
        (old("- [ ] **T1**"), "- [X] **T1**", "app ticks boxes"),
        (
            old("## Requirements\n"),
            "## Decisions\n- D1: Yes — me, today\n\n## Requirements\n",
            "## Decisions",
        ),
        (old("One prose line."), "```\nopen", "unreadable"),
        (task("T1"), "- [ ] **T2** Twice", "two tasks T2"),
    ] {
        let error = apply(Some(PLAN), &target, new).unwrap_err().to_string();
        assert!(error.contains(part), "{target:?}: {error}");
    }
    assert_eq!(
        apply(None, &task("T1"), "x").unwrap_err(),
        PlanEditError::Missing
    );
    assert_eq!(
        apply(Some("  "), &PlanTarget::New, " ").unwrap_err(),
        PlanEditError::Blank
    );
}

#[test]
fn a_new_plan_is_written_whole_and_read_back() {
    let edited = apply(None, &PlanTarget::New, PLAN).unwrap();
    assert_eq!(edited.text, PLAN);
}

#[test]
fn the_answer_to_an_edit_says_what_changed_and_not_the_file() {
    let world = approved_world(vec![]);
    let told = &world.requests[1].messages.last().unwrap().content;
    assert_eq!(
        told,
        &format!(
            "Changed: 2 steps. Revision {}. Adequacy: fair 72; T1 no_verification.",
            &revision(PLAN)[..12]
        )
    );
}

#[test]
fn an_edit_tells_of_a_change_that_came_before_it() {
    let mut world = World::with_plan(PLAN, vec![does("read_plan", json!({}))]);
    world.say("read it");
    // The person edits T2 while the model is writing its edit of T1; the plan isn't read in
    // between.
    let theirs = PLAN.replace("Print rows as JSON", "Print rows as YAML");
    let mut machine = Machine::replay(&world.rows, world.config.clone());
    machine.handle(Event::Said {
        words: "change T1".to_owned(),
        purpose: Purpose::Talk,
    });
    machine.handle(Event::PlanRead {
        found: PlanFound::There(PlanNow {
            path: "plans/flag.md".to_owned(),
            revision: revision(PLAN),
            text: PLAN.to_owned(),
        }),
        known_text: Some(PLAN.to_owned()),
    });
    let new = json!({"task": "T1", "new_text": "- [ ] **T1** Mine"});
    let effects = machine.handle(Event::ReplyArrived(does("edit_plan", new)));
    let Some(Effect::EditPlan {
        id,
        target,
        new_text,
        known,
        ..
    }) = effects.last().cloned()
    else {
        panic!("{effects:?}");
    };
    assert_eq!(known, Some(revision(PLAN)));
    let text = apply(Some(&theirs), &target, &new_text).unwrap().text;
    machine.handle(Event::PlanEdited {
        id,
        edited: EditedPlan::Done(Box::new(WrittenPlan {
            made_from_revision: Some(revision(&theirs)),
            made_from: theirs,
            revision: revision(&text),
            text: text.clone(),
            standing: Standing::default(),
            known_text: Some(PLAN.to_owned()),
            screen: None,
        })),
    });
    let told = &machine.state().messages.last().unwrap().content;
    assert!(told.contains("+- [ ] **T2** Print rows as YAML"), "{told}");
    assert_eq!(machine.state().plan.known, Some(revision(&text)));
}

#[test]
fn each_proposal_that_cannot_be_made_has_its_own_message() {
    let thin = Standing {
        badge: "thin".to_owned(),
        score: 31,
        is_weak: true,
        findings: vec!["T1 vague_step".to_owned()],
    };
    for (plan, standing, part) in [
        (None, Standing::default(), "no plan file yet"),
        (Some(""), Standing::default(), "is empty"),
        (Some(" \n\t"), Standing::default(), "is blank"),
        (
            Some("# Words\n\nNo tasks."),
            Standing::default(),
            "no tasks",
        ),
        (Some(PLAN), thin, "too weak to be offered (thin 31)"),
    ] {
        let mut world = World::new(vec![does("propose_plan", json!({})), says("Oh.")]);
        world.plan = plan.map(str::to_owned);
        world.standing = standing;
        world.config.is_enforced = true;
        world.restart();
        assert_eq!(world.say("propose"), Some(Ending::Answered));
        let told = &world.requests[1].messages.last().unwrap().content;
        assert!(told.contains(part), "{told}");
        assert_eq!(world.cards, Vec::new());
    }
}

#[test]
fn a_thin_plan_can_be_proposed_where_nothing_is_enforced() {
    let mut world = World::with_plan(PLAN, vec![does("propose_plan", json!({}))]);
    world.standing.is_weak = true;
    assert_eq!(world.say("propose"), Some(Ending::Proposed));
}

#[test]
fn a_plan_unchanged_since_feedback_is_refused_and_a_changed_one_must_be_approved_anew() {
    let edit = json!({"task": "T2", "new_text": "- [ ] **T2** Print rows as JSON lines\n  - verify: `make`"});
    let mut world = approved_world(vec![
        does("propose_plan", json!({})),
        does("edit_plan", edit),
        does("propose_plan", json!({})),
    ]);
    let ending = world.give(Event::Feedback {
        revision: revision(PLAN),
        words: "JSON lines, please".to_owned(),
    });
    assert_eq!(ending, Some(Ending::Proposed));
    let told = &world.requests[3].messages.last().unwrap().content;
    assert!(
        told.contains("unchanged since the person asked for changes"),
        "{told}"
    );
    assert_eq!(world.state().mode, Mode::Plan, "feedback is never approval");
    assert_eq!(world.state().plan.approved, None);
    let card = world.cards.last().unwrap();
    assert_eq!(card.revision, revision(world.plan.as_deref().unwrap()));
    assert!(card.summary.starts_with("T2 "), "{}", card.summary);
    // T1 is unchanged, byte for byte.
    assert!(
        world
            .plan
            .as_deref()
            .unwrap()
            .contains("- [ ] **T1** Add the flag to the parser\n  - files: `src/cli.py`\n")
    );
}

#[test]
fn a_proposal_does_not_credit_the_model_with_the_persons_edit() {
    let edit = json!({"task": "T2", "new_text": "- [ ] **T2** Print rows as JSON lines"});
    let propose = || does("propose_plan", json!({}));
    let script = vec![propose(), does("edit_plan", edit), propose()];
    let mut world = World::with_plan(PLAN, script);
    world.say("propose it");
    assert_eq!(world.cards.last().unwrap().since, None);
    let by_person = PLAN.replace("Add the flag to the parser", "Add the flag by hand");
    world.write_plan(&by_person);
    world.say("JSON lines, please");
    let card = world.cards.last().unwrap();
    assert_eq!(card.since, Some(revision(&by_person)));
    assert!(!card.summary.contains("T1"), "{}", card.summary);
    assert!(card.summary.starts_with("T2 "), "{}", card.summary);
}

#[test]
fn a_proposal_with_edits_by_others_among_the_models_says_so() {
    let edit = |task: &str, title: &str| {
        let new_text = format!("- [ ] **{task}** {title}");
        does("edit_plan", json!({"task": task, "new_text": new_text}))
    };
    let script = vec![
        does("propose_plan", json!({})),
        edit("T2", "Print rows as JSON lines"),
        says("That is T2."),
        edit("T1", "Add the flag"),
        does("propose_plan", json!({})),
    ];
    let mut world = World::with_plan(PLAN, script);
    world.say("propose it");
    world.say("JSON lines, please");
    let by_person = format!("{}\nA line by the person.\n", world.plan.clone().unwrap());
    world.write_plan(&by_person);
    world.say("and T1");
    let card = world.cards.last().unwrap();
    assert_eq!(card.since, Some(revision(PLAN)));
    assert!(
        card.summary.ends_with("(including edits by others)"),
        "{}",
        card.summary
    );
}

#[test]
fn a_proposal_holds_no_plan_text() {
    let mut world = World::with_plan(PLAN, vec![does("propose_plan", json!({}))]);
    world.say("propose it");
    world.say("thanks");
    let rows = serde_json::to_string(&world.rows).unwrap();
    for text in [world.wire(), rows] {
        for line in ["Add the flag", "Print rows", "One prose line", "src/cli.py"] {
            assert!(!text.contains(line), "{line} in {text}");
        }
    }
    assert!(world.wire().contains(&format!(
        "Proposed: plans/flag.md at revision {}, adequacy fair 72.",
        &revision(PLAN)[..12]
    )));
}

/// Rows of an older version, in which the card and the answer to the call contain the plan's text.
#[test]
fn rows_of_version_0_are_read_and_their_plan_text_reaches_no_request() {
    let rows = include_str!("rows_of_version_0.jsonl");
    let rows: Vec<Entry> = rows
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    let Some(Entry::Proposed { card }) = rows
        .iter()
        .find(|row| matches!(row, Entry::Proposed { .. }))
    else {
        panic!("{rows:?}");
    };
    assert_eq!(card.path, "plans/old.md");
    assert!(card.content.as_deref().unwrap().contains("OLDPLANTEXT"));
    let mut world = World::new(vec![says(""), says("Hello.")]);
    world.rows = rows;
    world.restart();
    world.say("hi");
    assert!(
        world
            .wire()
            .contains("Plan proposed. Waiting for user approval.")
    );
    assert!(!world.wire().contains("OLDPLANTEXT"), "{}", world.wire());
}

#[test]
fn an_approval_twice_is_one() {
    let mut world = approved_world(vec![]);
    let rows = world.rows.len();
    world.approve();
    assert_eq!(world.rows.len(), rows);
}

#[test]
fn the_end_of_a_run_returns_to_plan_mode_and_spends_the_approval() {
    let mut world = approved_world(vec![]);
    world.give(Event::SetMode {
        to: Mode::Plan,
        by: ModeSetBy::RunEnd,
    });
    assert_eq!(world.state().mode, Mode::Plan);
    assert_eq!(world.state().plan.approved, None);
}
