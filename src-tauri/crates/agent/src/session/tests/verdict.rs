//! Tests that a model in plan mode can change only the plan, whatever it tries.

use gate::permissions::{Match, Rule, Verdict};

use super::*;

/// Makes one call in plan mode. Returns the model's answer text and the resulting world.
fn tried(name: &str, arguments: Value) -> (String, World) {
    let mut world = World::with_plan(PLAN, vec![does(name, arguments), says("I see.")]);
    world.say("try it");
    let told = world.requests[1].messages.last().unwrap().content.clone();
    (told, world)
}

#[test]
fn plan_mode_writes_no_file_and_says_what_to_do() {
    for (name, arguments) in [
        ("write_file", json!({"path": "src/evil.py", "content": "x"})),
        (
            "edit_file",
            json!({"path": "a", "old_text": "b", "new_text": "c"}),
        ),
    ] {
        let (told, world) = tried(name, arguments);
        assert!(told.contains("edit_plan"), "{told}");
        assert_eq!(world.performed, Vec::<String>::new());
        assert_eq!(world.plan.as_deref(), Some(PLAN));
    }
}

#[test]
fn a_command_that_the_cage_stopped_is_told_what_to_do_instead() {
    for (failure, is_told) in [
        ("sh: 1: cannot create x: Read-only file system", true),
        ("touch: cannot touch 'x': Permission denied", true),
        ("OSError: [Errno 101] Network is unreachable", true),
        ("AssertionError: 2 != 3", false),
    ] {
        let run = does("run_command", json!({"command": "make"}));
        let mut world = World::with_plan(PLAN, vec![run, says("I see.")]);
        world.failure = Some(format!("exit 1\n{failure}"));
        world.say("try it");
        let told = &world
            .requests
            .last()
            .unwrap()
            .messages
            .last()
            .unwrap()
            .content;
        assert!(told.starts_with(&format!("exit 1\n{failure}")), "{told}");
        assert_eq!(told.contains("edit_plan"), is_told, "{told}");
    }
}

#[test]
fn commands_run_read_only_in_plan_mode_and_not_at_all_without_a_sandbox() {
    let run = || does("run_command", json!({"command": "git log --output=x"}));
    let mut world = World::new(vec![run()]);
    let mut cages = Vec::new();
    for effect in plan_mode_effects(&mut world) {
        if let Effect::CallTool { permit, .. } = effect {
            cages.push(permit.cage());
        }
    }
    assert_eq!(cages, [gate::Cage::ReadOnly]);

    let mut world = World::new(vec![run()]);
    world.config.can_run_read_only = false;
    world.restart();
    world.say("try");
    let told = &world.requests[1].messages.last().unwrap().content;
    assert!(told.contains("`verify:`"), "{told}");
    assert_eq!(world.performed, Vec::<String>::new());
}

/// The effects of one turn, up to the first tool call.
fn plan_mode_effects(world: &mut World) -> Vec<Effect> {
    let mut machine = Machine::replay(&[], world.config.clone());
    machine.handle(Event::Said {
        words: "x".to_owned(),
        purpose: Purpose::Talk,
    });
    machine.handle(Event::PlanRead {
        found: PlanFound::Missing,
        known_text: None,
    });
    machine.handle(Event::ReplyArrived(world.script[0].clone()))
}

#[test]
fn leaving_plan_mode_is_no_tool() {
    for name in ["exit_plan_mode", "switch_to_act_mode", "plan_exit"] {
        let (told, world) = tried(name, json!({}));
        assert!(told.contains("Only the person changes the mode"), "{told}");
        assert_eq!(world.state().mode, Mode::Plan);
    }
}

#[test]
fn wrong_arguments_are_told_with_the_right_ones() {
    for (name, arguments, part) in [
        ("read_file", json!({}), "needs `path`"),
        ("edit_plan", json!({"task": "T1"}), "`new_text`"),
        (
            "edit_plan",
            json!({"task": "T1", "after": "T2", "new_text": "x"}),
            "one of",
        ),
        ("ask_user", json!({"question": " "}), "`question`"),
        ("ask_user", json!({"question": "a", "options": [1]}), "list"),
        ("read_plan", json!({"id": "T1"}), "no parameter `id`"),
    ] {
        let (told, _) = tried(name, arguments);
        assert!(told.contains(part), "{name}: {told}");
    }
}

#[test]
fn the_same_refused_call_three_times_ends_the_turn() {
    let write = || does("write_file", json!({"content": "x", "path": "a"}));
    let other = does("write_file", json!({"path": "a", "content": "x"}));
    let mut world = World::new(vec![write(), other, write(), write()]);
    let ending = world.say("try");
    assert!(matches!(
        ending,
        Some(Ending::Failed { reason }) if reason.contains("3 times") && reason.contains("edit_plan")
    ));
    assert_eq!(world.requests.len(), 3);
}

/// A world in which a rule of the person's says to ask before each `make`.
fn asking(script: Vec<Reply>) -> World {
    let mut world = World::with_plan(PLAN, script);
    world.config.rules = vec![rule(Match::Prefix("make".to_owned()), Verdict::Ask)];
    world.restart();
    world
}

fn rule(matches: Match, verdict: Verdict) -> Rule {
    Rule {
        tool: "run_command".to_owned(),
        matches,
        verdict,
    }
}

#[test]
fn a_permission_counts_once_or_for_the_session() {
    let run = || does("run_command", json!({"command": "make"}));
    let mut world = asking(vec![run(), run(), run()]);
    world.say("go");
    assert_eq!(
        world.answer(Answer::Once),
        Some(Ending::Waiting),
        "asks again"
    );
    world.answer(Answer::Session);
    assert_eq!(world.asked.len(), 2);
    world.restart();
    assert_eq!(world.state().granted.len(), 1, "and it is kept");
}

#[test]
fn words_are_never_a_permission() {
    let mut world = asking(vec![does("run_command", json!({"command": "make"}))]);
    world.say("go");
    world.say("yes but use ninja");
    assert_eq!(world.performed, Vec::<String>::new());
    assert!(
        world
            .wire()
            .contains("The person said no: yes but use ninja")
    );
}

#[test]
fn the_strictest_rule_wins() {
    let run = does("run_command", json!({"command": "python3 -m unittest"}));
    let mut world = World::with_plan(PLAN, vec![run]);
    world.config.rules = vec![
        rule(Match::Prefix("python3".to_owned()), Verdict::Deny),
        rule(Match::Prefix("python3".to_owned()), Verdict::Allow),
    ];
    world.restart();
    world.say("go");
    assert!(world.wire().contains("A rule of the person's forbids"));
}
