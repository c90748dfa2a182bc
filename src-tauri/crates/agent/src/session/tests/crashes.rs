//! Tests that the process may end at any row and in any effect: the session continues, and no call
//! that may have had a side effect is started twice.

use std::collections::BTreeSet;

use super::*;

fn script() -> Vec<Reply> {
    vec![
        calls(vec![
            call("read_file", json!({"path": "src/cli.py"})),
            call("edit_plan", json!({"new_text": PLAN})),
        ]),
        does("propose_plan", json!({})),
        calls(vec![
            call("run_command", json!({"command": "git log"})),
            call(
                "edit_plan",
                json!({"task": "T2", "new_text": "- [ ] **T2** Print JSON"}),
            ),
        ]),
        does("run_command", json!({"command": "git status"})),
        says("Done."),
    ]
}

/// Plays until the session is in the state that it would reach without a crash, with actions of the
/// person that depend on its current state. Returns whether it reached that state; the script can't
/// react to a lost edit.
fn play(world: &mut World) -> bool {
    for _ in 0..30 {
        if world.is_dead {
            world.restart();
            world.give(Event::Resume);
            continue;
        }
        let replies = world.replies_stored();
        if world.state().question.is_some() {
            world.answer(Answer::Once);
        } else if world.state().turn.is_some() {
            world.give(Event::Resume);
        } else if !world
            .rows
            .iter()
            .any(|row| matches!(row, Entry::Said { .. }))
        {
            world.goal("add a flag");
        } else if replies < 2 || world.cards.is_empty() {
            world.say("go on with the plan and propose it");
        } else if replies < 5 {
            world.say("go");
        } else {
            return true;
        }
    }
    false
}

fn check(world: &World, how: &str) {
    let ids: BTreeSet<&String> = world.performed.iter().collect();
    assert_eq!(
        ids.len(),
        world.performed.len(),
        "a call was begun twice, {how}"
    );
    for request in &world.requests {
        let calls: usize = request.messages.iter().map(|m| m.calls.len()).sum();
        let answers = request.messages.iter().filter(|m| m.call.is_some()).count();
        assert_eq!(calls, answers, "a call without an answer, {how}");
    }
    let again = State::replay(&world.rows);
    assert_eq!(&again, world.state(), "{how}");
    for pair in world.requests.windows(2) {
        assert!(
            pair[1].wire().starts_with(&pair[0].wire()),
            "the prefix moved, {how}"
        );
    }
}

#[test]
fn at_every_row_it_goes_on_and_repeats_nothing() {
    let mut whole = World::new(script());
    assert!(play(&mut whole));
    check(&whole, "whole");
    assert_eq!(whole.performed.len(), 4);
    assert!(whole.rows.len() > 20);
    for at in 0..whole.rows.len() {
        let mut world = World::new(script());
        world.die = Die::AtRow(at);
        assert!(play(&mut world), "dead at row {at}");
        check(&world, &format!("dead at row {at}"));
        // Every call was either carried out or reported as unknown; no call disappeared.
        let unknown = world
            .rows
            .iter()
            .filter(|row| matches!(row, Entry::CallEnded { result, .. } if result.is_unknown))
            .count();
        assert!(world.performed.len() + unknown >= 4, "dead at row {at}");
        assert_eq!(unknown, world.notices.len(), "the person is told as well");
    }
}

#[test]
fn in_every_effect_it_goes_on_and_repeats_nothing() {
    let mut whole = World::new(script());
    play(&mut whole);
    for at in 0..whole.effects {
        let mut world = World::new(script());
        world.die = Die::InEffect(at);
        play(&mut world);
        check(&world, &format!("dead in effect {at}"));
    }
}

#[test]
fn a_look_that_was_cut_off_is_simply_made_again() {
    let mut world = World::new(vec![does("read_file", json!({"path": "a"})), says("Seen.")]);
    world.die = Die::InEffect(5);
    assert_eq!(world.say("look"), None);
    world.restart();
    assert_eq!(world.give(Event::Resume), Some(Ending::Answered));
    assert_eq!(world.notices, Vec::<String>::new());
    assert!(!world.wire().contains("not known"));
}

#[test]
fn words_after_a_crash_give_the_old_turn_up() {
    let run = does("run_command", json!({"command": "python3 -m unittest"}));
    let mut world = World::with_plan(PLAN, vec![run]);
    // The effects are Store, ReadPlan, Store, StartModel, Store and CallTool; the process dies in
    // the last one.
    world.die = Die::InEffect(5);
    world.say("go");
    world.restart();
    world.say("leave that; what is in T1?");
    assert!(world.wire().contains("whether it happened is not known"));
    assert!(world.wire().contains("This turn ended without an answer"));
    assert!(world.last_words().ends_with("leave that; what is in T1?"));
}

#[test]
fn rows_are_read_back_as_they_were_written() {
    let mut world = World::new(script());
    play(&mut world);
    for row in &world.rows {
        let text = serde_json::to_string(row).unwrap();
        let back: Entry = serde_json::from_str(&text).unwrap();
        assert_eq!(&back, row, "{text}");
        assert!(text.starts_with("{\"kind\":"), "{text}");
    }
}
