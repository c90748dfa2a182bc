//! Tests in which other programs edit the plan file while a run carries out the approved plan.

use super::*;
use crate::journal::{EarlierEnd, Evidence, HalfDone};

const GATED: &str = "\
---
planwright: 1
goal: Pay once the numbers were reviewed
---
# Pay once the numbers were reviewed

## Tasks
- [ ] **T1** Write the numbers into the report
  - call: `write_file {\"path\": \"report\", \"content\": \"1\"}`
- [ ] **C1** Review the numbers
  - type: checkpoint
  - option: Continue -> continue
  - option: Stop -> stop
- [ ] **T2** Send the payment
  - call: `run_command {\"command\": \"make pay\"}`

## Notes
Nothing yet.
";

fn paid(world: &World) -> bool {
    world.performed.iter().any(|line| line.contains("make pay"))
}

/// All ways to disable a gate by editing the file.
fn tampered() -> Vec<(&'static str, String)> {
    let gate = "- [ ] **C1** Review the numbers\n  - type: checkpoint\n  - option: Continue -> continue\n  - option: Stop -> stop\n";
    let without = GATED.replace(gate, "");
    vec![
        ("ticked", GATED.replace("[ ] **C1**", "[x] **C1**")),
        ("deleted", without.clone()),
        (
            "moved to the end",
            without.replace("\n## Notes", &format!("{gate}\n## Notes")),
        ),
        (
            "moved to the front",
            without.replace("## Tasks\n", &format!("## Tasks\n{gate}")),
        ),
        (
            "commented out",
            GATED.replace(gate, &format!("<!--\n{gate}-->\n")),
        ),
        (
            "in a fence",
            GATED.replace(gate, &format!("```\n{gate}```\n")),
        ),
        ("no checkpoint", GATED.replace("  - type: checkpoint\n", "")),
        (
            "skipped",
            GATED.replace(
                "Review the numbers\n",
                "Review the numbers\n  - skipped: no need\n",
            ),
        ),
        (
            "left behind",
            GATED.replace("Send the payment\n", "Send the payment\n  - depends: T1\n"),
        ),
        ("optional", GATED.replace("- [ ] **C1**", "- [ ]* **C1**")),
        (
            "notifies",
            GATED.replace(
                "  - type: checkpoint\n",
                "  - type: checkpoint\n  - confirm: no\n",
            ),
        ),
        (
            "twice",
            GATED.replace(gate, &format!("{gate}{}", gate.replace("[ ]", "[x]"))),
        ),
        (
            "a sub-task of a ticked one",
            GATED.replace("- [ ] **C1**", "- [x] **T9** Group\n  - [x] **C1**"),
        ),
        (
            "answered",
            format!("{GATED}\n## Decisions\n- C1: Continue — Ann\n"),
        ),
        ("gone with all others", "# Nothing\n".to_owned()),
    ]
}

#[test]
fn no_edit_of_the_file_opens_a_gate() {
    for (how, text) in tampered() {
        // The file is edited before the first step, and later while the run waits.
        let mut world = World::new(GATED);
        world.plan = text.clone();
        world.play(World::config("{}"), Die::Never);
        assert!(!paid(&world), "{how}, at the start");

        let mut world = World::new(GATED);
        world.play(World::config("{}"), Die::Never);
        world.plan = text;
        for _ in 0..2 {
            let (ended, _) = world.play(World::config("{}"), Die::Never);
            assert_ne!(ended, Some(EndState::Done), "{how}");
        }
        assert!(!paid(&world), "{how}, while it waited");
        // When the person continues with the approved plan, the gate still asks.
        let keep = r#"{"changed": "Continue with the approved plan"}"#;
        world.play(World::config(keep), Die::Never);
        assert!(!paid(&world), "{how}, continued");
        let answers = r#"{"changed": "Continue with the approved plan", "C1": "Continue"}"#;
        let (ended, _) = world.play(World::config(answers), Die::Never);
        assert_eq!(
            (ended, paid(&world)),
            (Some(EndState::Done), true),
            "{how}, answered"
        );
    }
}

#[test]
fn no_edit_of_the_file_at_any_moment_opens_a_gate() {
    let (_, effects) = World::new(GATED).play(World::config("{}"), Die::Never);
    for (how, text) in tampered() {
        for at in 0..effects {
            let mut world = World::new(GATED);
            world.play(World::config("{}"), Die::Before(at));
            world.plan = text.clone();
            world.play(World::config(r#"{"unknown": "check"}"#), Die::Never);
            assert!(!paid(&world), "{how}, before effect {at}");
        }
    }
}

#[test]
fn another_structure_is_asked_about_once() {
    let mut world = World::new(GATED);
    world.plan = GATED.replace(
        "## Notes",
        "- [ ] **T3** More\n  - call: `run_command {\"command\": \"make more\"}`\n\n## Notes",
    );
    let (ended, _) = world.play(World::config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert_eq!(world.asked[0].question, QuestionKind::Changed);
    assert!(
        world.asked[0].message.contains("T3 was added"),
        "{}",
        world.asked[0].message
    );
    assert_eq!(world.performed, Vec::<String>::new());
    let answers = r#"{"changed": "Continue with the approved plan", "C1": "Continue"}"#;
    let (ended, _) = world.play(World::config(answers), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
    assert_eq!(
        world.performed.len(),
        2,
        "what nobody approved is not run: {:?}",
        world.performed
    );
}

#[test]
fn the_approved_words_are_carried_out_whatever_the_file_says() {
    let mut world = World::new(GATED);
    world.play(World::config("{}"), Die::Never);
    world.plan = world.plan.replace("make pay", "make steal");
    let (ended, _) = world.play(World::config(r#"{"C1": "Continue"}"#), Die::Never);
    assert_eq!(ended, Some(EndState::NotCovered));
    assert_eq!(world.performed.len(), 1, "{:?}", world.performed);
}

#[test]
fn prose_ticks_of_ours_and_layout_ask_nothing() {
    let mut world = World::new(GATED);
    world.play(World::config("{}"), Die::Never);
    world.plan = world
        .plan
        .replace("Nothing yet.", "The bank called.")
        .replace("  - call: `run_command", "\n  * call: `run_command")
        .replace("- [ ] **T2**", "* [ ] **T2**")
        .replace('\n', "\r\n");
    let (ended, _) = world.play(World::config(r#"{"C1": "Continue"}"#), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
}

#[test]
fn a_tick_by_hand_is_a_claim_that_is_asked_about_once() {
    let ticked = WRITES
        .replacen("- [ ] **T1**", "- [x] **T1**", 1)
        .replace("- [ ] **T3**", "- [x] **T3**");
    let claimed = || {
        let mut world = World::new(WRITES);
        world.plan = ticked.clone();
        let (ended, _) = world.play(World::config("{}"), Die::Never);
        assert_eq!(ended, Some(EndState::Waiting));
        assert_eq!(world.asked.len(), 1);
        assert_eq!(world.asked[0].question, QuestionKind::Claims);
        assert!(
            world.asked[0]
                .message
                .starts_with("T1, T3 are marked by hand"),
            "{}",
            world.asked[0].message
        );
        world
    };
    let mut world = claimed();
    let (ended, _) = world.play(World::config(r#"{"claims": "Carry out"}"#), Die::Never);
    assert_eq!((ended, world.performed.len()), (Some(EndState::Done), 3));

    let mut world = claimed();
    let (ended, _) = world.play(World::config(r#"{"claims": "Count as done"}"#), Die::Never);
    assert_eq!((ended, world.performed.len()), (Some(EndState::Done), 2));
    let state = world.state();
    assert!(state.tasks["T1"].signed.is_some(), "it is on the receipt");
}

#[test]
fn what_an_earlier_run_recorded_is_no_claim() {
    let mut world = World::new(WRITES);
    world.plan = WRITES.replacen("- [ ] **T1**", "- [x] **T1**", 1);
    let Some(Entry::Started(started)) = world.journal.first_mut() else {
        panic!("a run begins so")
    };
    let evidence = Evidence {
        run: "earlier".to_owned(),
        end: EarlierEnd::Done,
        is_checked: true,
    };
    started.evidence.insert("T1".to_owned(), evidence);
    let (ended, _) = world.play(World::config("{}"), Die::Never);
    assert_eq!((ended, world.performed.len()), (Some(EndState::Done), 2));
}

#[test]
fn what_an_earlier_run_carried_out_of_an_open_step_does_not_happen_again_unasked() {
    let mut world = World::new(WRITES);
    let Some(Entry::Started(started)) = world.journal.first_mut() else {
        panic!("a run begins so")
    };
    let half_done = HalfDone {
        run: "earlier".to_owned(),
        lines: vec!["run_command {\"command\": \"make c\"}".to_owned()],
        is_done: false,
        on: String::new(),
        is_changed: false,
    };
    started.half_done.insert("T2".to_owned(), half_done);
    for answers in ["{}", r#"{"T2": {"unknown": "check"}}"#] {
        let (ended, _) = world.play(World::config(answers), Die::Never);
        assert_eq!(ended, Some(EndState::Waiting), "{answers}");
        let asked = &world.asked[0];
        assert_eq!(
            (asked.task.as_str(), asked.question),
            ("T2", QuestionKind::Unknown)
        );
        assert!(asked.message.contains("make c"), "{}", asked.message);
        assert_eq!(world.performed.len(), 1, "only T1");
    }
    let repeat = r#"{"T2": {"unknown": "repeat"}}"#;
    let (ended, _) = world.play(World::config(repeat), Die::Never);
    assert_eq!((ended, world.performed.len()), (Some(EndState::Done), 3));
}

/// A run of [`WRITES`] after an earlier run that finished T2.
fn with_t2_done_before() -> World {
    let mut world = World::new(WRITES);
    let Some(Entry::Started(started)) = world.journal.first_mut() else {
        panic!("a run begins so")
    };
    let half_done = HalfDone {
        run: "earlier".to_owned(),
        lines: Vec::new(),
        is_done: true,
        on: "2026-11-20".to_owned(),
        is_changed: false,
    };
    started.half_done.insert("T2".to_owned(), half_done);
    world
}

#[test]
fn what_an_earlier_run_finished_is_repeated_only_where_a_person_says_so() {
    for (answer, performed) in [("Count as done", 1), ("Carry out", 0), ("Repeat", 3)] {
        let mut world = with_t2_done_before();
        let answers = format!("{{\"claims\": \"{answer}\"}}");
        let (ended, _) = world.play(World::config(&answers), Die::Never);
        let expected = match answer {
            "Carry out" => EndState::Waiting,
            _ => EndState::Done,
        };
        assert_eq!(ended, Some(expected), "{answer}");
        assert_eq!(world.performed.len(), performed, "{answer}");
        let asked = world.asked.first().map(|asked| asked.message.as_str());
        let is_asked = asked.is_some_and(|asked| {
            asked.starts_with(
                "T2 (run earlier, 2026-11-20) is recorded as done by an earlier run but open",
            )
        });
        assert_eq!(is_asked, answer == "Carry out", "{asked:?}");
    }
}

/// A step that an earlier run finished isn't repeated without asking, even if the file changes or
/// drops it.
#[test]
fn what_an_earlier_run_finished_is_asked_about_whatever_the_file_says_of_it() {
    let at = WRITES.find("- [ ] **T2**").unwrap();
    let end = WRITES[at + 1..]
        .find("\n- [")
        .map_or(WRITES.len(), |end| at + 2 + end);
    let (before, step, after) = (&WRITES[..at], &WRITES[at..end], &WRITES[end..]);
    let files = [
        format!("{before}{step}{after}"),
        format!("{before}{after}"),
        format!("{before}<!--\n{step}-->\n{after}"),
        format!("{before}```\n{step}```\n{after}"),
        format!("{before}{}{after}", step.replace("**T2**", "**T9**")),
        format!(
            "{before}{}{after}",
            step.replace("**T2** ", "**T2** Surely ")
        ),
        format!("{after}{before}{step}"),
    ];
    for file in files {
        let mut world = with_t2_done_before();
        world.plan.clone_from(&file);
        let keep = r#"{"changed": "Continue with the approved plan"}"#;
        let (ended, _) = world.play(World::config(keep), Die::Never);
        assert_eq!(ended, Some(EndState::Waiting), "{file}");
        let asked = world.asked.last().map(|asked| asked.question);
        assert_eq!(asked, Some(QuestionKind::Claims), "{file}");
        assert_eq!(world.performed, Vec::<String>::new(), "{file}");
    }
}

#[test]
fn a_decision_ticked_or_answered_by_hand_is_still_asked() {
    let mut world = World::new(BRANCHES);
    world.plan = format!(
        "{}\n## Decisions\n- D1: One array — Ann\n",
        BRANCHES.replace("[ ] **D1**", "[x] **D1**")
    );
    let (ended, _) = world.play(World::config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Waiting));
    assert_eq!(world.asked[0].question, QuestionKind::Decision);
    assert_eq!(world.performed, Vec::<String>::new());
}

/// A plan with a gate, a step after it, and another step after that.
const BEHIND: &str = "\
# Pay once the numbers were reviewed

## Tasks
- [ ] **C1** Review the numbers
  - type: checkpoint
- [ ] **T1** Write the order for the bank
  - call: `write_file {\"path\": \"order\", \"content\": \"1\"}`
- [ ] **T2** Send the payment
  - call: `run_command {\"command\": \"make pay\"}`
";

#[test]
fn neither_a_signature_nor_leaving_out_a_step_behind_a_gate_opens_the_gate() {
    let mut world = World::new(BEHIND);
    world.plan = BEHIND.replace("[ ] **T1**", "[x] **T1**");
    let count = r#"{"claims": "Count as done"}"#;
    let (ended, _) = world.play(World::config(count), Die::Never);
    assert_eq!((ended, paid(&world)), (Some(EndState::Waiting), false));

    let mut world = World::new(BEHIND);
    world.play(World::config("{}"), Die::Never);
    world.journal.push(Entry::Skipped {
        task: "T1".to_owned(),
        reason: "not needed".to_owned(),
        by: SkippedBy::Person,
    });
    for answers in [r#"{"T2": "Run"}"#, r#"{"C1": "Continue"}"#] {
        let (ended, _) = world.play(World::config(answers), Die::Never);
        assert_eq!((ended, paid(&world)), (Some(EndState::Waiting), false));
    }
    let (ended, _) = world.play(World::config(r#"{"T2": "Run"}"#), Die::Never);
    assert_eq!((ended, paid(&world)), (Some(EndState::Done), true));
}

/// A plan that contains everything that an approval covers besides its steps.
const COVERED: &str = "\
---
planwright: 1
goal: Write two files
---
# Write two files

Keep them small.

## Requirements
- R1 the first file is there

## Tasks
- [ ] **T1** Write the first file of the two
  - call: `write_file {\"path\": \"a\", \"content\": \"1\"}`
  - covers: R1
  - verify: `test -f a`
- [ ] **T2** Write the second file of the two
  - call: `write_file {\"path\": \"b\", \"content\": \"2\"}`
  - verify: `test -f b`
";

/// Changes to this plan, each with the message that the person gets.
const ABOVE: [(&str, &str, &str); 4] = [
    (
        "goal: Write two files",
        "goal: Write four files",
        "the goal was changed: “Write two files” is now “Write four files”",
    ),
    (
        "Keep them small.",
        "Keep them small.\n\nAnd sorted.",
        "the text above the steps was changed: added “And sorted.”",
    ),
    (
        "is there\n",
        "is there and empty\n",
        "R1 was changed: “- R1 the first file is there” is now “- R1 the first file is there and empty”",
    ),
    (
        "# Write two files",
        "# Write both files",
        "the text above the steps was changed: “# Write two files” is now “# Write both files”",
    ),
];

/// Plays a run in which the file is edited before effect number `at`; `None` if the run has fewer
/// effects.
fn edited_before(
    plan: &str,
    at: usize,
    edit: impl Fn(&str) -> String,
) -> Option<(World, EndState)> {
    let mut world = World::new(plan);
    let machine = Machine::replay(&world.journal, &world.approved, World::config("{}"));
    let mut machine = machine.unwrap();
    let mut queue: std::collections::VecDeque<Effect> = machine.handle(Event::Begin).into();
    let (mut count, mut ended) = (0, None);
    while let Some(effect) = queue.pop_front() {
        if count == at {
            world.plan = edit(&world.plan);
        }
        count += 1;
        if let Effect::End { state, .. } = &effect {
            ended = Some(*state);
        }
        if let Some(event) = world.answer(effect) {
            queue.extend(machine.handle(event));
        }
    }
    (count > at).then_some((world, ended?))
}

#[test]
fn a_change_above_the_tasks_says_what_it_is_and_can_be_continued_or_stopped() {
    for (from, to, said) in ABOVE {
        let mut world = World::new(COVERED);
        world.plan = COVERED.replacen(from, to, 1);
        assert_ne!(world.plan, COVERED, "{from}");
        let (ended, _) = world.play(World::config("{}"), Die::Never);
        assert_eq!(
            (ended, world.performed.len()),
            (Some(EndState::NotCovered), 0)
        );
        let asked = &world.asked[0];
        assert_eq!(asked.question, QuestionKind::Changed);
        assert!(asked.message.contains(said), "{}", asked.message);
        assert_eq!(asked.options, ["Continue with the approved plan", "Stop"]);

        let keep = r#"{"changed": "Continue with the approved plan"}"#;
        let (ended, _) = world.play(World::config(keep), Die::Never);
        assert_eq!((ended, world.performed.len()), (Some(EndState::Done), 2));
        assert!(world.asked.is_empty(), "once: {:?}", world.asked);
    }
}

#[test]
fn another_change_above_is_asked_about_anew_and_what_is_put_back_is_not() {
    let keep = r#"{"changed": "Continue with the approved plan"}"#;
    let gated = COVERED.replace(
        "- [ ] **T2**",
        "- [ ] **C1** Look at the first file\n  - type: checkpoint\n- [ ] **T2**",
    );
    for (then, ended_so) in [
        ("Write ten files", EndState::NotCovered),
        ("Write two files", EndState::Done),
    ] {
        let mut world = World::new(&gated);
        world.plan = gated.replace("goal: Write two files", "goal: Write four files");
        world.play(World::config(keep), Die::Never);
        world.plan = world.plan.replace("Write four files", then);
        let (ended, _) = world.play(World::config(r#"{"C1": "Continue"}"#), Die::Never);
        assert_eq!(ended, Some(ended_so), "{then}: {:?}", world.asked);
    }
}

#[test]
fn whatever_is_changed_at_any_moment_the_approved_plan_is_carried_out_once() {
    let changed: [fn(&str) -> String; 2] = [
        |text| text.replace("Write two files", "Write four files"),
        |text| text.replace("test -f a", "test -s a"),
    ];
    for edit in changed {
        for at in 0.. {
            let Some((mut world, mut ended)) = edited_before(COVERED, at, edit) else {
                break;
            };
            if ended != EndState::Done {
                let keep = r#"{"changed": "Continue with the approved plan"}"#;
                ended = world.play(World::config(keep), Die::Never).0.unwrap();
            }
            assert_eq!(
                ended,
                EndState::Done,
                "before effect {at}: {:?}",
                world.asked
            );
            assert_eq!(world.performed.len(), 2, "before effect {at}");
        }
    }
}

#[test]
fn what_a_step_says_otherwise_is_shown_and_can_be_continued() {
    let mut world = World::new(COVERED);
    world.plan = COVERED.replace("the second file of", "the last file of");
    let (ended, _) = world.play(World::config("{}"), Die::Never);
    assert_eq!(
        (ended, world.performed.len()),
        (Some(EndState::NotCovered), 1)
    );
    let said = "T2 was changed: “- [ ] **T2** Write the second file of the two” is now “- [ ] **T2** Write the \
                last file of the two”";
    let (_, message) = world.state().ended.unwrap();
    assert!(message.contains(said), "{message}");
    assert!(world.asked[0].message.contains(said), "{:?}", world.asked);
    let keep = r#"{"changed": "Continue with the approved plan"}"#;
    let (ended, _) = world.play(World::config(keep), Die::Never);
    assert_eq!((ended, world.performed.len()), (Some(EndState::Done), 2));
}
