//! Tests of the checkpoint that a rule requires before anything destructive.

use gate::answers::{Answer, Grant};
use gate::destructive::PathState;
use gate::permissions::{Match, Rule, Verdict};

use super::*;
use crate::pending_answers::GivenAnswer;

const REMOVES: &str = "\
---
planwright: 1
goal: Tidy up the old outputs
---
# Tidy up the old outputs

## Tasks
- [ ] **T1** Take the old output away
  - call: `delete_file {\"path\": \"old.txt\"}`
- [ ] **T2** Write the new one
  - call: `write_file {\"path\": \"new.txt\", \"content\": \"1\"}`
";

/// A configuration that overrides the quality gate, which would otherwise ask for a safeguard.
fn passing(answers: &str) -> Config {
    Config {
        reason: Some("the outputs are made again".to_owned()),
        ..World::config(answers)
    }
}

fn asked(world: &World) -> &Question {
    assert_eq!(world.asked.len(), 1, "{:?}", world.asked);
    &world.asked[0]
}

fn parked(plan: &str) -> World {
    let mut world = World::new(plan);
    assert_eq!(
        world.play(passing("{}"), Die::Never).0,
        Some(EndState::Waiting)
    );
    world
}

fn given(question: &Question, grant: Grant, words: Option<&str>) -> Entry {
    Entry::Given {
        given: GivenAnswer {
            task: question.task.clone(),
            question: question.question,
            fingerprint: question.fingerprint.clone(),
            answer: Answer::Permission {
                grant,
                words: words.map(str::to_owned),
            },
            permission: question.permission.clone(),
        },
    }
}

fn answer(world: &mut World, grant: Grant, words: Option<&str>) {
    let question = asked(world).clone();
    world.journal.push(given(&question, grant, words));
}

fn allow(tool: &str, matches: Match) -> Rule {
    Rule {
        tool: tool.to_owned(),
        matches,
        verdict: Verdict::Allow,
    }
}

#[test]
fn a_destructive_call_asks_with_what_it_destroys_and_nothing_is_prepared() {
    let world = parked(REMOVES);
    let question = asked(&world);
    assert_eq!(question.question, QuestionKind::Destructive);
    assert_eq!(question.options, ["once", "run", "no"]);
    let danger = question
        .permission
        .as_ref()
        .and_then(|request| request.danger.as_ref());
    assert_eq!(danger.unwrap().subjects, ["old.txt"]);
    assert!(
        question.message.contains("`old.txt`"),
        "{}",
        question.message
    );
    assert_eq!(world.performed, Vec::<String>::new());
    let intended = |entry: &Entry| matches!(entry, Entry::Intended { .. });
    assert!(!world.journal.iter().any(intended));
}

#[test]
fn a_yes_is_for_exactly_what_was_there() {
    let mut world = parked(REMOVES);
    answer(&mut world, Grant::Once, None);
    assert_eq!(
        world.play(passing("{}"), Die::Never).0,
        Some(EndState::Done)
    );
    assert_eq!(world.performed.len(), 2, "{:?}", world.performed);

    let plan = REMOVES.replace(
        "delete_file {\"path\": \"old.txt\"}",
        "run_command {\"command\": \"rm -r build\"}",
    );
    let mut world = World::new(&plan);
    let holds = |files| [("build".to_owned(), PathState::Folder { files })].into();
    world.seen.found = holds(2);
    world.play(passing("{}"), Die::Never);
    answer(&mut world, Grant::Once, None);
    world.seen.found = holds(3);
    assert_eq!(
        world.play(passing("{}"), Die::Never).0,
        Some(EndState::Waiting)
    );
    assert!(asked(&world).message.contains("3 files"), "asked again");
    assert_eq!(world.performed, Vec::<String>::new());
}

#[test]
fn a_no_leaves_the_step_as_refused_with_the_words() {
    let mut world = parked(REMOVES);
    answer(&mut world, Grant::No, Some("keep it until Friday"));
    assert_eq!(
        world.play(passing("{}"), Die::Never).0,
        Some(EndState::Failed)
    );
    assert_eq!(world.performed, Vec::<String>::new());
    let state = world.state();
    let task = &state.tasks["T1"];
    assert!(task.is_refused && task.standing == Standing::Failed);
    let reason = task.reason.as_deref().unwrap();
    assert!(reason.contains("keep it until Friday"), "{reason}");
    let kept = world.journal.iter().any(|entry| {
        matches!(entry, Entry::Refused { words: Some(words), .. } if words == "keep it until Friday")
    });
    assert!(kept, "the words stand in the journal");
    // When the step is retried, the person is asked again.
    world.play(passing(r#"{"T1": "Retry"}"#), Die::Never);
    assert_eq!(asked(&world).question, QuestionKind::Destructive);
    assert_eq!(world.performed, Vec::<String>::new());
}

#[test]
fn a_yes_for_the_run_ends_with_the_run() {
    let twice = REMOVES.replace(
        "write_file {\"path\": \"new.txt\", \"content\": \"1\"}",
        "delete_file {\"path\": \"old.txt\"}",
    );
    let mut world = parked(&twice);
    answer(&mut world, Grant::Run, None);
    assert_eq!(
        world.play(passing("{}"), Die::Never).0,
        Some(EndState::Done)
    );
    assert_eq!(world.performed.len(), 2);
    let mut once = parked(&twice);
    answer(&mut once, Grant::Once, None);
    assert_eq!(
        once.play(passing("{}"), Die::Never).0,
        Some(EndState::Waiting)
    );
    assert_eq!(once.performed.len(), 1, "the second step asks for itself");
    let mut next = World::new(&twice);
    assert_eq!(
        next.play(passing("{}"), Die::Never).0,
        Some(EndState::Waiting)
    );
}

#[test]
fn a_rule_that_says_it_spares_the_question_and_no_other_does() {
    let with = |rules: Vec<Rule>| {
        let mut world = World::new(REMOVES);
        let config = Config {
            rules,
            ..passing("{}")
        };
        world.play(config, Die::Never).0
    };
    let exact = || allow("delete_file", Match::Exact("old.txt".to_owned()));
    assert_eq!(with(vec![exact()]), Some(EndState::Done));
    for other in ["old.tx", "Old.txt", "old.txt2", "./old.txt"] {
        let rule = allow("delete_file", Match::Exact(other.to_owned()));
        assert_eq!(with(vec![rule]), Some(EndState::Waiting), "{other}");
    }
    let other_tool = allow("write_file", Match::Exact("old.txt".to_owned()));
    assert_eq!(with(vec![other_tool]), Some(EndState::Waiting));
    let asks = Rule {
        verdict: Verdict::Ask,
        ..exact()
    };
    assert_eq!(
        with(vec![exact(), asks]),
        Some(EndState::Waiting),
        "the strictest wins"
    );
    let denies = Rule {
        verdict: Verdict::Deny,
        ..exact()
    };
    assert_eq!(with(vec![exact(), denies]), Some(EndState::Failed));
}

#[test]
fn an_answered_checkpoint_that_names_the_file_is_not_asked_twice() {
    let guarded = |title: &str| {
        format!(
            "# Tidy up the old outputs\n\n## Tasks\n- [ ] **C1** {title}\n  - type: checkpoint\n- [ ] **T1** \
             Take the old output away\n  - depends: C1\n  - call: `delete_file {{\"path\": \"old.txt\"}}`\n"
        )
    };
    let yes = r#"{"C1": "Continue"}"#;
    let mut world = World::new(&guarded("May old.txt go?"));
    assert_eq!(world.play(passing(yes), Die::Never).0, Some(EndState::Done));
    let mut world = World::new(&guarded("May it go?"));
    assert_eq!(
        world.play(passing(yes), Die::Never).0,
        Some(EndState::Waiting)
    );
    assert_eq!(asked(&world).question, QuestionKind::Destructive);
    let silent =
        guarded("May old.txt go?").replace("checkpoint\n", "checkpoint\n  - confirm: no\n");
    let mut world = World::new(&silent);
    assert_eq!(
        world.play(passing("{}"), Die::Never).0,
        Some(EndState::Waiting),
        "nobody answered it"
    );
}

#[test]
fn a_check_that_destroys_asks_too() {
    let plan = "# Check it\n\n## Tasks\n- [ ] **T1** Write it\n  - call: `write_file {\"path\": \"a\", \"content\": \"1\"}`\n  - verify: `rm -r build && make`\n";
    let mut world = World::new(plan);
    assert_eq!(
        world.play(passing("{}"), Die::Never).0,
        Some(EndState::Waiting)
    );
    assert_eq!(asked(&world).question, QuestionKind::Destructive);
}

#[test]
fn one_question_stands_for_the_sandbox_that_is_missing_too() {
    let plan = REMOVES.replace(
        "delete_file {\"path\": \"old.txt\"}",
        "run_command {\"command\": \"rm -r build\"}",
    );
    let caged = |answers: &str| Config {
        sandboxed: false,
        ..passing(answers)
    };
    let mut world = World::new(&plan);
    world.play(caged("{}"), Die::Never);
    assert_eq!(asked(&world).question, QuestionKind::Destructive);
    answer(&mut world, Grant::Once, None);
    assert_eq!(world.play(caged("{}"), Die::Never).0, Some(EndState::Done));
}

#[test]
fn the_answer_holds_through_a_crash_between_any_two_effects() {
    let base = parked(REMOVES);
    let mut whole = World {
        journal: base.journal.clone(),
        plan: base.plan.clone(),
        ..World::new(REMOVES)
    };
    whole.journal.push(given(&base.asked[0], Grant::Once, None));
    let (ended, effects) = whole.play(passing("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Done));
    for at in 0..effects {
        let mut world = World {
            journal: base.journal.clone(),
            plan: base.plan.clone(),
            ..World::new(REMOVES)
        };
        world.journal.push(given(&base.asked[0], Grant::Once, None));
        world.play(passing("{}"), Die::Before(at));
        let check = r#"{"unknown": "check"}"#;
        assert_eq!(
            world.play(passing(check), Die::Never).0,
            Some(EndState::Done),
            "cut at {at}"
        );
        let deleted = world
            .performed
            .iter()
            .filter(|line| line.contains("delete"))
            .count();
        assert_eq!(deleted, 1, "cut at {at}: {:?}", world.performed);
    }
}
