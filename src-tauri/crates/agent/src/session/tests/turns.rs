//! Tests of turns, from the person's message to all the ways in which they can end.

use super::*;

#[test]
fn an_answer_in_plan_mode_is_an_answer() {
    let mut world = World::new(vec![says("It is in src.")]);
    assert_eq!(world.say("where?"), Some(Ending::Answered));
}

#[test]
fn words_are_stored_before_anything_is_done_about_them() {
    let mut machine = Machine::replay(&[], World::new(vec![]).config);
    let effects = machine.handle(Event::Said {
        words: "hi".to_owned(),
        purpose: Purpose::Talk,
    });
    assert!(matches!(&effects[0], Effect::Store(rows) if matches!(rows[0], Entry::Said { .. })));
    assert!(matches!(effects[1], Effect::ReadPlan { .. }));
    assert_eq!(effects.len(), 2);
}

#[test]
fn between_a_reply_and_the_next_request_there_are_two_writes() {
    let mut machine = Machine::replay(&[], World::new(vec![]).config);
    machine.handle(Event::Said {
        words: "hi".to_owned(),
        purpose: Purpose::Talk,
    });
    machine.handle(Event::PlanRead {
        found: PlanFound::Missing,
        known_text: None,
    });
    let reply = does("read_file", json!({"path": "a"}));
    let mut effects = machine.handle(Event::ReplyArrived(reply));
    effects.extend(machine.handle(Event::CallDone {
        id: "call00000".to_owned(),
        outcome: Outcome::default(),
    }));
    let names: Vec<&str> = effects
        .iter()
        .map(|effect| match effect {
            Effect::Store(_) => "store",
            Effect::CallTool { .. } => "call",
            Effect::StartModel(_) => "model",
            _ => "other",
        })
        .collect();
    assert_eq!(names, ["store", "call", "store", "model"]);
}

#[test]
fn several_calls_of_one_reply_are_carried_out_in_order() {
    let reply = calls(vec![
        call("edit_plan", json!({"new_text": PLAN})),
        call("read_file", json!({"path": "a"})),
        call("nonsense", json!({})),
        call("propose_plan", json!({})),
        call("read_file", json!({"path": "b"})),
    ]);
    let mut world = World::new(vec![reply]);
    assert_eq!(world.goal("add a flag"), Some(Ending::Proposed));
    let answered: Vec<&str> = world
        .state()
        .messages
        .iter()
        .filter_map(|message| message.call.as_deref())
        .collect();
    let ids: Vec<String> = (0..5).map(|n| format!("call{n:05}")).collect();
    assert_eq!(answered, ids);
}

#[test]
fn faults_beside_good_calls_are_told_with_the_last_answer() {
    let mut reply = calls(vec![
        call("read_file", json!({"path": "a"})),
        call("read_file", json!({"path": "b"})),
    ]);
    reply.faults = vec![fault("the third call could not be read")];
    let mut world = World::new(vec![reply]);
    world.say("look");
    let messages = &world.requests[1].messages;
    assert!(!messages[2].content.contains("third call"));
    assert!(
        messages[3]
            .content
            .ends_with("\n\nthe third call could not be read")
    );
}

#[test]
fn prose_in_place_of_a_plan_is_nudged_once_and_never_a_success() {
    let mut world = World::new(vec![says("Here is my plan: 1. do it"), says("As I said.")]);
    let ending = world.goal("add a flag");
    assert!(
        matches!(ending, Some(Ending::Unfinished { reason }) if reason.contains("without writing a plan"))
    );
    assert_eq!(world.requests.len(), 2);
    let nudge = &world.requests[1].messages.last().unwrap().content;
    assert!(nudge.contains("Call edit_plan now"), "{nudge}");
}

#[test]
fn a_nudge_that_helps_ends_with_the_proposal() {
    let mut world = World::new(vec![
        says("I will write the plan."),
        does("edit_plan", json!({"new_text": PLAN})),
        does("propose_plan", json!({})),
    ]);
    assert_eq!(world.goal("add a flag"), Some(Ending::Proposed));
}

#[test]
fn a_plan_written_and_not_proposed_is_unfinished() {
    let mut world = World::new(vec![
        does("edit_plan", json!({"new_text": PLAN})),
        says("The plan is ready."),
        says("It is."),
    ]);
    let ending = world.goal("add a flag");
    assert!(
        matches!(ending, Some(Ending::Unfinished { reason }) if reason.contains("not proposed"))
    );
}

#[test]
fn prose_in_place_of_feedback_is_unfinished() {
    let mut world = approved_world(vec![says("Good idea."), says("Indeed.")]);
    let ending = world.give(Event::Feedback {
        revision: revision(PLAN),
        words: "smaller steps".to_owned(),
    });
    assert!(matches!(ending, Some(Ending::Unfinished { .. })));
}

#[test]
fn a_cut_reply_is_neither_an_answer_nor_a_plan() {
    let half = &PLAN[..120];
    for finish in [Finish::Length, Finish::Cut] {
        let mut reply = does("edit_plan", json!({"new_text": half}));
        reply.finish = finish;
        let mut world = World::new(vec![reply, ended("half an answ", finish)]);
        let ending = world.goal("add a flag");
        assert!(
            matches!(ending, Some(Ending::Cut { .. })),
            "{finish:?}: {ending:?}"
        );
        assert_eq!(world.plan, None);
        assert_eq!(world.performed, Vec::<String>::new());
        assert_eq!(world.requests.len(), 2);
    }
}

#[test]
fn a_reply_that_broke_off_is_asked_for_again_with_the_same_request() {
    let mut world = World::new(vec![
        ended("It is in sr", Finish::Cut),
        says("It is in src."),
    ]);
    assert_eq!(world.say("where?"), Some(Ending::Answered));
    assert_eq!(world.requests[0], world.requests[1]);
    assert!(
        !world
            .state()
            .messages
            .iter()
            .any(|m| m.content.ends_with("in sr"))
    );
}

#[test]
fn a_filtered_reply_fails_with_the_reason() {
    let mut world = World::new(vec![ended("I", Finish::ContentFilter)]);
    assert!(matches!(
        world.say("x"),
        Some(Ending::Failed { reason }) if reason.contains("content filter")
    ));
}

#[test]
fn faulty_and_empty_replies_are_bounded() {
    let mut faulty = says("{broken");
    faulty.faults = vec![fault("write the call so: …")];
    let mut world = World::new(vec![faulty.clone(), says(" "), faulty]);
    let ending = world.say("x");
    assert!(
        matches!(ending, Some(Ending::Failed { reason }) if reason.contains("3 unusable replies in a row"))
    );
    assert!(world.requests[1].wire().contains("write the call so"));
    assert!(world.requests[2].wire().contains("Your reply was empty"));
}

#[test]
fn a_call_made_over_and_over_is_refused_until_something_changes() {
    let look = || does("read_file", json!({"path": "a"}));
    let mut world = World::new(vec![look(), look(), look(), look(), look(), look()]);
    let ending = world.say("look");
    assert!(matches!(
        ending,
        Some(Ending::Failed { reason }) if reason.contains("made this call already")
    ));
    assert_eq!(
        world.requests.len(),
        4,
        "once carried out, three times answered from before"
    );

    let check = || does("run_command", json!({"command": "python3 -m unittest"}));
    let write = |n: u8| {
        let title = format!("- [ ] **T1** Try {n}");
        does("edit_plan", json!({"task": "T1", "new_text": title}))
    };
    let tries = (0..6).flat_map(|n| [write(n), check()]).collect();
    let mut world = World::with_plan(PLAN, tries);
    world.say("go");
    assert_eq!(count("made this call already", &world.wire()), 0);
}

#[test]
fn a_goal_is_for_plan_mode() {
    let mut world = World::new(vec![]);
    world.mode(Mode::Exec);
    world.goal("add a flag");
    assert_eq!(world.state().mode, Mode::Plan);
}

#[test]
fn words_that_do_not_fit_the_window_are_not_taken() {
    let mut world = World::new(vec![]);
    assert_eq!(world.say(&"long ".repeat(20_000)), None);
    assert!(world.notices[0].contains("Save it to a file"));
    assert_eq!(world.rows, Vec::new());
}

#[test]
fn a_turn_is_bounded() {
    let looks: Vec<Reply> = (0..50)
        .map(|n| does("read_file", json!({"path": format!("f{n}")})))
        .collect();
    let mut world = World::new(looks);
    let ending = world.say("look at everything");
    assert!(
        matches!(ending, Some(Ending::Failed { reason }) if reason.contains("30 model requests"))
    );
    assert_eq!(world.requests.len(), 30);
}

#[test]
fn a_model_that_fails_ends_the_turn_with_the_reason_and_the_next_one_goes_on() {
    let mut machine = Machine::replay(&[], World::new(vec![]).config);
    let said = |words: &str| Event::Said {
        words: words.to_owned(),
        purpose: Purpose::Talk,
    };
    let read = || Event::PlanRead {
        found: PlanFound::Missing,
        known_text: None,
    };
    machine.handle(said("hi"));
    machine.handle(read());
    let effects = machine.handle(Event::ModelFailed {
        reason: "the server at :1 does not answer; start it".to_owned(),
    });
    assert!(matches!(
        effects.last(),
        Some(Effect::EndTurn { ending: Ending::Failed { reason } }) if reason.contains("start it")
    ));
    machine.handle(said("again"));
    let effects = machine.handle(read());
    let Some(Effect::StartModel(request)) = effects.last() else {
        panic!("{effects:?}");
    };
    let roles: Vec<_> = request.messages.iter().map(|m| m.role).collect();
    use message::Role::{Assistant, User};
    assert_eq!(roles, [User, Assistant, User], "roles take turns");
}

#[test]
fn a_question_waits_and_its_answer_goes_on() {
    let ask = json!({"question": "Which layout?", "options": ["lines", "array"]});
    let mut world = World::new(vec![does("ask_user", ask), says("Lines it is.")]);
    assert_eq!(world.say("plan it"), Some(Ending::Waiting));
    assert_eq!(world.asked[0].options, ["lines", "array"]);
    world.restart();
    assert_eq!(
        world.give(Event::Resume),
        Some(Ending::Waiting),
        "it still waits"
    );
    assert_eq!(world.asked.len(), 2);
    assert_eq!(
        world.say("lines"),
        Some(Ending::Answered),
        "words are an answer"
    );
    assert!(world.wire().contains("The person answered: lines"));
    assert_eq!(world.state().decisions[0].question, "Which layout?");
}

#[test]
fn a_question_can_be_left_to_the_model_and_only_be_answered_as_one() {
    let mut world = World::new(vec![does("ask_user", json!({"question": "Which?"}))]);
    world.say("plan it");
    assert_eq!(world.answer(Answer::Once), None, "not a permission");
    assert_eq!(world.notices.len(), 1);
    assert_eq!(world.answer(Answer::Skip), Some(Ending::Answered));
    assert!(world.wire().contains("leaves it to you"));
}

#[test]
fn an_answer_to_another_question_changes_nothing() {
    let mut world = World::new(vec![does("ask_user", json!({"question": "Which?"}))]);
    world.say("plan it");
    let ending = world.give(Event::Answered {
        call: "call00009".to_owned(),
        answer: Answer::Skip,
    });
    assert_eq!(ending, None);
    assert!(world.state().question.is_some());
}

#[test]
fn cancelling_ends_at_once_or_after_the_tool() {
    let config = World::new(vec![]).config;
    let start = || {
        let mut machine = Machine::replay(&[], config.clone());
        machine.handle(Event::Said {
            words: "hi".to_owned(),
            purpose: Purpose::Talk,
        });
        machine.handle(Event::PlanRead {
            found: PlanFound::Missing,
            known_text: None,
        });
        machine
    };
    let is_end = |effects: &[Effect]| {
        matches!(
            effects.last(),
            Some(Effect::EndTurn {
                ending: Ending::Cancelled
            })
        )
    };
    let mut machine = start();
    assert!(is_end(&machine.handle(Event::Cancel)));
    let late = machine.handle(Event::ReplyArrived(says("late")));
    assert_eq!(late, Vec::new(), "what arrives late changes nothing");

    let mut machine = start();
    machine.handle(Event::ReplyArrived(calls(vec![
        call("run_command", json!({"command": "sleep 9"})),
        call("run_command", json!({"command": "rm a"})),
    ])));
    assert_eq!(machine.handle(Event::Cancel), [Effect::Interrupt]);
    let effects = machine.handle(Event::CallDone {
        id: "call00000".to_owned(),
        outcome: Outcome::default(),
    });
    assert!(is_end(&effects));
    let last: Vec<_> = machine.state().messages.iter().rev().take(2).collect();
    assert!(last[1].content.starts_with("Not carried out"));
}

#[test]
fn words_while_a_turn_is_under_way_are_not_taken() {
    let mut machine = Machine::replay(&[], World::new(vec![]).config);
    let said = || Event::Said {
        words: "hi".to_owned(),
        purpose: Purpose::Talk,
    };
    machine.handle(said());
    let effects = machine.handle(said());
    assert!(matches!(effects.as_slice(), [Effect::Notice { .. }]));
}

#[test]
fn a_long_result_is_cut_in_the_middle() {
    let mut machine = Machine::replay(&[], World::new(vec![]).config);
    machine.handle(Event::Said {
        words: "hi".to_owned(),
        purpose: Purpose::Talk,
    });
    machine.handle(Event::PlanRead {
        found: PlanFound::Missing,
        known_text: None,
    });
    machine.handle(Event::ReplyArrived(does("read_file", json!({"path": "a"}))));
    machine.handle(Event::CallDone {
        id: "call00000".to_owned(),
        outcome: Outcome {
            ok: true,
            content: format!("BEGIN{}END", "x".repeat(100_000)),
            ..Outcome::default()
        },
    });
    let content = &machine.state().messages.last().unwrap().content;
    assert!(content.starts_with("BEGIN") && content.ends_with("END"));
    assert!(content.len() < 24_100 && content.contains("bytes left out"));
}

#[test]
fn a_change_of_the_plan_in_a_turn_is_told_with_the_next_answer() {
    let mut world = World::with_plan(PLAN, vec![does("read_plan", json!({}))]);
    world.say("read it");
    let mut machine = Machine::replay(&world.rows, world.config.clone());
    machine.handle(Event::Said {
        words: "hi".to_owned(),
        purpose: Purpose::Talk,
    });
    machine.handle(Event::PlanRead {
        found: world.found(),
        known_text: None,
    });
    machine.handle(Event::PlanChanged {
        change: notice::edited(&revision(PLAN), Some("old\n"), "b", "new\n"),
    });
    machine.handle(Event::ReplyArrived(does("read_file", json!({"path": "a"}))));
    machine.handle(Event::CallDone {
        id: "call00001".to_owned(),
        outcome: Outcome::default(),
    });
    let content = &machine.state().messages.last().unwrap().content;
    assert!(content.contains("-old\n+new"), "{content}");
}

#[test]
fn the_requests_of_a_small_session_read_well() {
    let mut world = approved_world(vec![
        does("read_file", json!({"path": "src/cli.py"})),
        says("Both steps are done."),
    ]);
    world.give(Event::Worked {
        run: "r1".to_owned(),
        words: "go".to_owned(),
        approved: None,
    });
    world.write_plan(&PLAN.replace("[ ]", "[x]"));
    world.give(Event::SetMode {
        to: Mode::Plan,
        by: ModeSetBy::RunEnd,
    });
    world.say("Is it done?");
    let request = world.requests.last().unwrap();
    let mut text = format!("{}\n", request.system);
    for message in &request.messages {
        text.push_str(&format!(
            "--- {}\n",
            message.to_json()["role"].as_str().unwrap()
        ));
        if !message.content.is_empty() {
            text.push_str(&format!("{}\n", message.content));
        }
        for call in &message.calls {
            text.push_str(&format!("> {}\n", call.line()));
        }
    }
    insta::assert_snapshot!(text);
}
