//! Tests of properties that hold for any history of a session.

use proptest::prelude::*;

use super::*;

fn any_reply() -> impl Strategy<Value = Reply> {
    let path = prop::sample::select(vec!["a", "src/cli.py", "plans/flag.md"]);
    let one = (0..12_u8, path).prop_map(|(kind, path)| match kind {
        0 => call("read_file", json!({"path": path})),
        1 => call("write_file", json!({"path": path, "content": "x"})),
        2 => call("run_command", json!({"command": format!("cat {path}")})),
        3 => call("edit_plan", json!({"new_text": PLAN})),
        4 => call(
            "edit_plan",
            json!({"task": "T1", "new_text": format!("- [ ] **T1** Do {path}")}),
        ),
        5 => call("read_plan", json!({})),
        6 => call("read_plan", json!({"task": "T2"})),
        7 => call("propose_plan", json!({})),
        8 => call("ask_user", json!({"question": "Which?"})),
        9 => call("exit_plan_mode", json!({})),
        10 => call("edit_file", json!({"path": path})),
        _ => call("read_file", json!({"path": path, "start_line": 1})),
    });
    let finish = prop::sample::select(vec![
        Finish::Stop,
        Finish::Stop,
        Finish::Stop,
        Finish::ToolCalls,
        Finish::Length,
        Finish::Cut,
        Finish::ContentFilter,
    ]);
    let text = prop::sample::select(vec!["", "Some words.", "More words, and so on."]);
    (
        prop::collection::vec(one, 0..4),
        finish,
        text,
        any::<bool>(),
    )
        .prop_map(|(list, finish, text, is_faulty)| Reply {
            text: text.to_owned(),
            finish,
            faults: if is_faulty {
                vec![fault("write it so")]
            } else {
                Vec::new()
            },
            ..calls(list)
        })
}

#[derive(Debug, Clone)]
enum Step {
    Say,
    Goal,
    Feedback,
    Mode(Mode),
    Approve,
    RunEnds,
    Answer(u8),
    Edit(u8),
    Delete,
    Restart,
    Resume,
    Cancel,
    DieAtRow(usize),
    DieInEffect(usize),
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => Just(Step::Say),
        2 => Just(Step::Goal),
        1 => Just(Step::Feedback),
        2 => Just(Step::Mode(Mode::Exec)),
        1 => Just(Step::Mode(Mode::Plan)),
        2 => Just(Step::Approve),
        1 => Just(Step::RunEnds),
        4 => (0..5_u8).prop_map(Step::Answer),
        2 => (0..4_u8).prop_map(Step::Edit),
        1 => Just(Step::Delete),
        1 => Just(Step::Restart),
        2 => Just(Step::Resume),
        1 => Just(Step::Cancel),
        1 => (0..9_usize).prop_map(Step::DieAtRow),
        1 => (0..9_usize).prop_map(Step::DieInEffect),
    ]
}

fn take(world: &mut World, step: &Step) {
    match step {
        Step::Say => {
            world.say("words of the person");
        }
        Step::Goal => {
            world.goal("a goal");
        }
        Step::Feedback => {
            let revision = revision(world.plan.as_deref().unwrap_or_default());
            let words = "other steps".to_owned();
            world.give(Event::Feedback { revision, words });
        }
        Step::Mode(to) => world.mode(*to),
        Step::Approve if world.plan.is_some() => world.approve(),
        Step::Approve => {}
        Step::RunEnds => {
            world.give(Event::SetMode {
                to: Mode::Plan,
                by: ModeSetBy::RunEnd,
            });
        }
        Step::Answer(kind) => {
            let answer = match kind {
                0 => Answer::Once,
                1 => Answer::Session,
                2 => Answer::No {
                    words: "no".to_owned(),
                },
                3 => Answer::Skip,
                _ => Answer::Words {
                    words: "this one".to_owned(),
                },
            };
            if world.state().question.is_some() {
                world.answer(answer);
            }
        }
        Step::Edit(number) => {
            world.write_plan(&PLAN.replace("Print rows", &format!("Print {number} rows")));
        }
        Step::Delete => world.plan = None,
        Step::Restart => world.restart(),
        Step::Resume => {
            world.give(Event::Resume);
        }
        Step::Cancel => {
            world.give(Event::Cancel);
        }
        Step::DieAtRow(after) => world.die = Die::AtRow(world.rows.len() + after),
        Step::DieInEffect(after) => world.die = Die::InEffect(world.effects + after),
    }
}

/// Checks that roles alternate and that every call is answered, in order, by the messages directly
/// after it.
fn check_request(request: &Request) {
    use message::Role;
    let mut open: Vec<&str> = Vec::new();
    let mut last = Role::Assistant;
    for message in &request.messages {
        match message.role {
            Role::Tool => {
                assert!(!open.is_empty(), "an answer to nothing");
                assert_eq!(message.call.as_deref(), Some(open.remove(0)));
            }
            role => {
                assert!(open.is_empty(), "a call without its answer");
                // Results are followed by a reply or, if there was none, by the message that closes
                // the turn.
                let expected = match last {
                    Role::User | Role::Tool => Role::Assistant,
                    Role::Assistant => Role::User,
                };
                assert_eq!(role, expected, "roles take turns");
            }
        }
        last = message.role;
        open.extend(message.calls.iter().map(|call| call.id.as_str()));
        assert!(!message.content.is_empty() || !message.calls.is_empty());
    }
    assert!(open.is_empty());
    assert_ne!(last, Role::Assistant, "the model answers, not itself");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300.max(ProptestConfig::default().cases), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens(
        script in prop::collection::vec(any_reply(), 1..40),
        steps in prop::collection::vec(any_step(), 1..25),
        context_window in prop::sample::select(vec![2_200, 4_000, 32_000]),
    ) {
        let mut world = World::new(script);
        world.config.profile = Profile { context_window, max_output_tokens: 300 };
        world.restart();
        for step in &steps {
            if world.is_dead {
                world.restart();
            }
            let before = world.requests.len();
            let mode = world.state().mode;
            take(&mut world, step);
            // Replies never change the mode; only the person and the end of a run do.
            if !matches!(step, Step::Mode(_) | Step::Approve | Step::RunEnds | Step::Feedback | Step::Goal) && !world.is_dead {
                prop_assert_eq!(world.state().mode, mode);
            }
            for request in &world.requests[before..] {
                check_request(request);
                let wire = request.wire();
                prop_assert!(!wire.contains("SCREENONLY"));
            }
            if !world.is_dead {
                prop_assert_eq!(&State::replay(&world.rows), world.state());
            }
        }
        let compactions = world
            .rows
            .iter()
            .filter(|row| matches!(row, Entry::Compacted { .. }))
            .count();
        let mut moved = 0;
        for pair in world.requests.windows(2) {
            moved += usize::from(!pair[1].wire().starts_with(&pair[0].wire()));
            prop_assert_eq!(pair[0].system, pair[1].system);
            prop_assert_eq!(&pair[0].tools, &pair[1].tools);
        }
        prop_assert!(moved <= compactions, "the prefix moved {moved} times");
        let mut performed = world.performed.clone();
        performed.sort();
        performed.dedup();
        prop_assert_eq!(performed.len(), world.performed.len(), "begun twice");
        prop_assert!(world.files.is_empty(), "a conversation writes nothing but the plan");
        for card in &world.cards {
            let text = &world.revisions[&card.revision];
            prop_assert!(!text.trim().is_empty());
        }
    }

    #[test]
    fn a_prefix_of_rows_is_a_session(
        script in prop::collection::vec(any_reply(), 1..20),
        cut in 0..60_usize,
    ) {
        let mut world = World::with_plan(PLAN, script);
        world.goal("a goal");
        world.approve();
        world.say("go");
        let rows = &world.rows[..cut.min(world.rows.len())];
        let mut one_by_one = State::new();
        for row in rows {
            one_by_one.apply(row);
        }
        prop_assert_eq!(&one_by_one, &State::replay(rows));
        let mut machine = Machine::replay(rows, world.config.clone());
        let effects = machine.handle(Event::Resume);
        let has_turn = one_by_one.turn.is_some();
        prop_assert_eq!(effects.is_empty(), !has_turn);
    }

    #[test]
    fn plan_text_never_closes_its_envelope(parts in prop::collection::vec("[</ >planPLAN\u{200b}\n-]{0,8}", 0..40)) {
        let plan = format!("# P\n\n{}\n\n## Tasks\n- [ ] **T1** x\n", parts.concat());
        let shown = crate::session::handoff::shown(&entry::ShownPlan {
            path: "p\"><x".to_owned(),
            revision: revision(&plan),
            extent: entry::Extent::Whole,
            text: plan,
            framing: entry::Framing::Soft,
        }, None);
        let bare: String = shown.to_lowercase().chars().filter(|c| !c.is_whitespace() && *c != '\u{200b}').collect();
        prop_assert_eq!(bare.matches("</plan").count(), 1);
        prop_assert!(bare.ends_with("</plan>"));
    }
}
