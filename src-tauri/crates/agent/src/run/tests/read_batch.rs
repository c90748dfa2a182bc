//! Tests that read-only calls are batched and that their results keep the order of the calls.

use gate::permissions::{Match, Rule, Verdict};
use serde_json::json;

use super::model_work::{calls, config, report, said, world};
use super::*;

const LOOKS: &str = "\
# Look around before the change

## Tasks
- [ ] **T1** Look at the three things that matter here
  - call: `list_files {}`
  - call: `read_file {\"path\": \"a\"}`
  - call: `write_file {\"path\": \"b\", \"content\": \"1\"}`
  - call: `read_file {\"path\": \"b\"}`
";

/// The calls of each effect that carries out calls, in the order in which the run starts them.
fn groups(world: &mut World, config: Config) -> Vec<Vec<usize>> {
    let mut machine = Machine::replay(&world.journal, &world.approved, config).unwrap();
    let mut queue: std::collections::VecDeque<Effect> = machine.handle(Event::Begin).into();
    let mut groups = Vec::new();
    while let Some(effect) = queue.pop_front() {
        match &effect {
            Effect::PerformAll { calls, .. } => {
                groups.push(calls.iter().map(|(number, ..)| *number).collect());
            }
            Effect::Perform { call, .. } => groups.push(vec![*call]),
            Effect::End { .. } => return groups,
            _ => {}
        }
        if let Some(event) = world.answer(effect) {
            queue.extend(machine.handle(event));
        }
    }
    panic!("the machine stopped without an end");
}

/// The numbers of the calls that finished, in journal order.
fn finished(world: &World) -> Vec<usize> {
    let entries = world.journal.iter();
    entries
        .filter_map(|entry| match entry {
            Entry::Finished { call, .. } => Some(*call),
            _ => None,
        })
        .collect()
}

#[test]
fn looks_of_a_step_go_together_and_a_write_goes_alone() {
    let mut world = World::new(LOOKS);
    let groups = groups(&mut world, World::config("{}"));
    assert_eq!(groups, [vec![0, 1], vec![2], vec![3]]);
    assert_eq!(finished(&world), [0, 1, 2, 3]);
    assert_eq!(world.standing("T1"), Standing::Done);
}

#[test]
fn the_first_look_that_fails_fails_the_step_and_what_the_other_found_is_kept() {
    let mut world = World::new(LOOKS);
    world.failing.push("list_files");
    let (ended, _) = world.play(World::config("{}"), Die::Never);
    assert_eq!(ended, Some(EndState::Failed));
    assert_eq!(finished(&world), [0, 1]);
    assert!(world.performed.is_empty(), "nothing was written");
    let reason = world.state().tasks["T1"].reason.clone();
    assert!(reason.unwrap().contains("list_files"));
}

#[test]
fn a_process_that_ends_between_looks_again_and_writes_once() {
    let mut whole = World::new(LOOKS);
    let (_, effects) = whole.play(World::config("{}"), Die::Never);
    for at in 0..effects {
        let mut world = World::new(LOOKS);
        world.play(World::config("{}"), Die::Before(at));
        let (ended, _) = world.play(World::config(r#"{"unknown": "check"}"#), Die::Never);
        assert_eq!(ended, Some(EndState::Done), "died before effect {at}");
        assert_eq!(world.performed.len(), 1, "died before effect {at}");
    }
}

#[test]
fn a_call_about_which_a_rule_speaks_waits_for_its_own_turn() {
    let mut world = World::new(LOOKS);
    let mut config = World::config("{}");
    config.rules.push(Rule {
        tool: "read_file".to_owned(),
        matches: Match::Exact("a".to_owned()),
        verdict: Verdict::Deny,
    });
    assert_eq!(groups(&mut world, config), [vec![0]]);
    assert_eq!(world.standing("T1"), Standing::Failed);
}

/// A model that makes three reads in one reply, of which the last is a repetition, then the change
/// and the report.
fn curious(request: &StepRequest) -> Reply {
    let look = |path: &str| ("read_file", json!({ "path": path }));
    match said(request) {
        0 => calls(&[look("a"), look("b"), look("a")]),
        1 => calls(&[("write_file", json!({"path": "hello.py", "content": "x"}))]),
        _ => report(true),
    }
}

#[test]
fn looks_of_one_reply_go_together_and_each_is_answered_in_its_place() {
    let mut world = world(curious);
    let groups = groups(&mut world, config("{}"));
    assert_eq!(groups[0], [0, 1], "the repetition is answered from before");
    let work = &world.state().tasks["T1"].work;
    let first = &work.rounds.all()[0];
    assert_eq!(first.results.len(), 3);
    assert!(first.results[&0].content.contains("\"a\""));
    assert!(first.results[&1].content.contains("\"b\""));
    assert!(!first.results[&2].is_performed);
}
