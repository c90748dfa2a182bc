//! Plan mode lets nothing through but the plan, whatever the model tries.

use gate::permissions::{Match, Rule, Verdict};
use gate::policy::Policy;

use super::*;

/// Plays one call in plan mode; what the model is told, and the world afterwards.
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
fn the_plan_file_is_not_written_like_a_file_by_any_alias() {
    for path in [
        "plans/flag.md",
        "./plans/../plans/flag.md",
        "/home/u/work/plans/flag.md",
        "~/work/plans/flag.md",
    ] {
        for mode in [Mode::Plan, Mode::Exec] {
            let write = does("write_file", json!({"path": path, "content": ""}));
            let mut world = World::with_plan(PLAN, vec![write]);
            world.mode(mode);
            world.say("try");
            let told = &world.requests[1].messages.last().unwrap().content;
            assert_eq!(told, super::super::verdict::PLAN_FILE, "{path}");
            assert_eq!(world.performed, Vec::<String>::new());
        }
    }
}

#[test]
fn a_command_that_the_cage_stopped_is_told_what_to_do_instead() {
    for (mode, failure, is_told) in [
        (
            Mode::Plan,
            "sh: 1: cannot create x: Read-only file system",
            true,
        ),
        (
            Mode::Plan,
            "touch: cannot touch 'x': Permission denied",
            true,
        ),
        (
            Mode::Plan,
            "OSError: [Errno 101] Network is unreachable",
            true,
        ),
        (Mode::Plan, "AssertionError: 2 != 3", false),
        (
            Mode::Exec,
            "touch: cannot touch 'x': Permission denied",
            false,
        ),
    ] {
        let run = does("run_command", json!({"command": "make"}));
        let mut world = World::with_plan(PLAN, vec![run, says("I see.")]);
        world.failure = Some(format!("exit 1\n{failure}"));
        world.mode(mode);
        world.say("try it");
        if mode == Mode::Exec {
            world.answer(Answer::Once);
        }
        let told = &world
            .requests
            .last()
            .unwrap()
            .messages
            .last()
            .unwrap()
            .content;
        assert!(told.starts_with(&format!("exit 1\n{failure}")), "{told}");
        assert_eq!(told.contains("edit_plan"), is_told, "{mode:?} {told}");
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

/// The effects of one turn up to the first tool.
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

#[test]
fn in_exec_without_an_approved_plan_every_write_and_every_command_asks() {
    for (name, arguments) in [
        ("write_file", json!({"path": "a", "content": "x"})),
        ("run_command", json!({"command": "ls"})),
        ("edit_plan", json!({"task": "T1", "new_text": ""})),
    ] {
        let mut world = World::with_plan(PLAN, vec![does(name, arguments.clone())]);
        world.mode(Mode::Exec);
        assert_eq!(world.say("do it"), Some(Ending::Waiting), "{name}");
        assert_eq!(world.asked.len(), 1);
        assert_eq!(world.performed, Vec::<String>::new());
        assert_eq!(world.answer(Answer::Once), Some(Ending::Answered));
        assert_eq!(world.performed.len(), 1);
    }
    // Looking does not ask.
    let mut world = World::new(vec![does("read_file", json!({"path": "a"}))]);
    world.mode(Mode::Exec);
    assert_eq!(world.say("look"), Some(Ending::Answered));
}

#[test]
fn an_approved_plan_allows_what_it_names_and_nothing_else() {
    let allowed = [
        does(
            "write_file",
            json!({"path": "./src/cli.py", "content": "x"}),
        ),
        does("run_command", json!({"command": "python3 -m unittest"})),
    ];
    for reply in allowed {
        let mut world = approved_world(vec![reply]);
        world.say("go");
        assert_eq!(world.asked, Vec::new());
    }
    let asked = [
        does("write_file", json!({"path": "setup.py", "content": "x"})),
        does(
            "run_command",
            json!({"command": "python3 -m unittest; rm -rf ."}),
        ),
    ];
    for reply in asked {
        let mut world = approved_world(vec![reply]);
        assert_eq!(world.say("go"), Some(Ending::Waiting));
        assert!(world.asked[0].message.contains("No approved step names it"));
    }
}

#[test]
fn a_permission_counts_once_or_for_the_session() {
    let run = || does("run_command", json!({"command": "make"}));
    let mut world = approved_world(vec![run(), run(), run()]);
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
    let mut world = approved_world(vec![does("run_command", json!({"command": "make"}))]);
    world.say("go");
    world.say("yes but use ninja");
    assert!(world.performed.iter().all(|id| id != "call00002"));
    assert!(
        world
            .wire()
            .contains("The person said no: yes but use ninja")
    );
}

#[test]
fn a_permission_given_for_exec_does_not_count_in_plan_mode() {
    let mut world = approved_world(vec![does(
        "write_file",
        json!({"path": "setup.py", "content": "x"}),
    )]);
    world.say("go");
    world.mode(Mode::Plan);
    world.answer(Answer::Once);
    assert_eq!(world.files.len(), 0);
    assert!(world.wire().contains("nothing but the plan may change"));
}

#[test]
fn the_strictest_rule_wins() {
    let rule = |matches, verdict| Rule {
        tool: "run_command".to_owned(),
        matches,
        verdict,
    };
    let mut world = approved_world(vec![does("run_command", json!({"command": "make all"}))]);
    world.config.rules = vec![rule(Match::Prefix("make".to_owned()), Verdict::Allow)];
    world.restart();
    world.say("go");
    assert_eq!(world.asked, Vec::new());

    let mut world = approved_world(vec![does(
        "run_command",
        json!({"command": "python3 -m unittest"}),
    )]);
    world.config.rules = vec![
        rule(Match::Prefix("python3".to_owned()), Verdict::Deny),
        rule(Match::Prefix("python3".to_owned()), Verdict::Allow),
    ];
    world.restart();
    world.say("go");
    assert!(world.wire().contains("A rule of the person's forbids"));
}

#[test]
fn propose_plan_in_exec_is_refused() {
    let mut world = approved_world(vec![does("propose_plan", json!({}))]);
    world.say("go");
    assert!(world.wire().contains("A plan is proposed in plan mode"));
    assert_eq!(world.cards.len(), 1);
}

#[test]
fn a_gate_holds_in_a_conversation_too() {
    let gated = "\
# Pay

## Tasks
- [ ] **T1** Write the report
  - files: `report.txt`
- [ ] **P1** Sign the report
  - by: person
  - call: `run_command {\"command\": \"make sign\"}`
- [ ] **T2** Write the letter
  - depends: P1
  - files: `letter.txt`
- [ ] **C1** Review the report
  - type: checkpoint
  - depends: T1
- [ ] **T3** Pay
  - depends: C1
  - call: `run_command {\"command\": \"make pay\"}`
- [ ] **D1** Which bank?
  - type: decision
  - depends: none
  - option: The one -> T4
  - option: The other -> T5
- [ ] **T4** Transfer here
  - verify: `make here`
- [ ] **T5** Transfer there
  - verify: `make there`
";
    let run = |line: &str| does("run_command", json!({ "command": line }));
    let write = |path: &str| does("write_file", json!({"path": path, "content": "x"}));
    let asks = |reply: Reply, policy: Policy| {
        let mut world = World::with_plan(gated, vec![reply]);
        world.config.policy = policy;
        world.restart();
        world.approve();
        world.say("go");
        !world.asked.is_empty()
    };
    assert!(!asks(write("report.txt"), Policy::All));
    assert!(asks(write("report.txt"), Policy::Each));
    for behind in ["make sign", "make pay", "make here", "make there"] {
        assert!(asks(run(behind), Policy::All), "{behind}");
    }
    assert!(asks(write("letter.txt"), Policy::All));
}
