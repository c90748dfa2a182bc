//! Tests of the size of requests, and of what is kept when the context window is full.

use super::*;

/// With the o200k vocabulary, the tool table has 4.4 bytes per token and the system text 4. The
/// test assumes 3.5, to allow for other vocabularies.
#[test]
fn tools_and_system_are_small() {
    let tools = tools::table().to_string().len() * 2 / 7;
    let system = request::SYSTEM.len() * 2 / 7;
    assert!(tools <= 700, "{tools} tokens of tools at most");
    assert!(tools + system <= 1_000, "{tools} + {system} tokens at most");
}

#[test]
fn every_tool_of_the_workspace_has_the_parameters_of_the_plan_format() {
    for tool in tools::TOOLS {
        let Some(name) = plan::ToolName::from_name(tool.as_str()) else {
            continue;
        };
        let schema = tool.parameters();
        let given: Vec<&str> = schema["properties"]
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let wanted: Vec<&str> = name.params().iter().map(|(param, _, _)| *param).collect();
        assert_eq!(given, wanted, "{}", tool.as_str());
        for (param, _, is_required) in name.params() {
            let required = schema["required"].as_array();
            let has = required.is_some_and(|list| list.iter().any(|item| item == param));
            assert_eq!(has, *is_required, "{} {param}", tool.as_str());
        }
    }
}

#[test]
fn the_gauge_counts_every_part() {
    let world = {
        let mut world = approved_world(vec![]);
        world.say("go");
        world
    };
    let gauge = context::gauge(world.state(), &world.config.profile);
    use message::Part;
    let tokens_of = |part: Part| {
        let found = gauge.parts.iter().find(|one| one.kind == part);
        found.map_or(0, |one| one.tokens)
    };
    for part in [
        Part::System,
        Part::Tools,
        Part::Person,
        Part::Model,
        Part::Results,
        Part::Plan,
    ] {
        assert!(tokens_of(part) > 0, "{part:?}");
    }
    let wire = request::tokens(&world.wire());
    let counted = gauge.tokens - tokens_of(Part::System) - tokens_of(Part::Tools);
    let ratio = f64::from(counted) / f64::from(wire);
    assert!((0.7..1.3).contains(&ratio), "{ratio}");
    assert_eq!(gauge.percent, gauge.tokens * 100 / 32_000);
}

#[test]
fn several_large_answers_to_one_reply_stay_within_the_window_together() {
    for many in [1, 2, 6, 20] {
        let run = |number: usize| call("run_command", json!({"command": format!("make {number}")}));
        let script = vec![calls((0..many).map(run).collect()), says("I see.")];
        let mut world = World::with_plan(PLAN, script);
        world.failure = Some("0123456789".repeat(5_000));
        world.config.profile = Profile {
            context_window: 16_000,
            max_output_tokens: 2_000,
        };
        world.restart();
        assert_eq!(world.say("look"), Some(Ending::Answered));
        for request in &world.requests {
            let fixed = tools::table().to_string().len() + request.system.len();
            let tokens = request::tokens_of(fixed + request.wire().len());
            assert!(tokens <= 14_000, "{many} calls: {tokens} tokens");
        }
        // A single call may use the full size of one answer.
        let answers = world.requests.last().unwrap().messages.iter();
        let longest = answers.map(|message| message.content.len()).max();
        assert!(many > 1 || longest > Some(11_000), "{longest:?}");
    }
}

/// A session with long turns and a small window.
fn long_session(turns: usize, summary: Option<&str>) -> World {
    let ask = json!({"question": "Which layout?"});
    let mut script = vec![does("ask_user", ask), says("Noted.")];
    for turn in 0..turns {
        script.push(does("read_file", json!({"path": format!("f{turn}")})));
        script.push(says(&format!("Finding {turn}. {}", "words ".repeat(300))));
    }
    let mut world = World::with_plan(PLAN, script);
    world.config.profile = Profile {
        context_window: 8_000,
        max_output_tokens: 1_000,
    };
    world.restart();
    world.summaries = (0..turns).map(|_| summary.map(str::to_owned)).collect();
    world.say("begin");
    world.answer(Answer::Words {
        words: "one object per line".to_owned(),
    });
    for turn in 0..turns {
        world.say(&format!("turn {turn}"));
    }
    world
}

#[test]
fn memory_and_request_stay_flat_over_500_turns() {
    let world = long_session(500, Some("We looked at many files."));
    let sizes: Vec<usize> = world.requests.iter().map(|r| r.wire().len()).collect();
    let largest = sizes.iter().max().unwrap();
    assert!(*largest < 8_000 * 4, "{largest}");
    let compactions = world
        .rows
        .iter()
        .filter(|row| matches!(row, Entry::Compacted { .. }))
        .count();
    assert!((40..400).contains(&compactions), "{compactions}");
    assert!(world.state().messages.len() < 40);
    let wire = world.wire();
    assert!(
        wire.contains("Which layout? → one object per line"),
        "decisions stay"
    );
    assert!(wire.contains("We looked at many files."));
    assert!(wire.contains("Finding 498"), "the last turn stays");
}

#[test]
fn without_a_model_the_summary_says_what_was_asked_and_called() {
    let world = long_session(40, None);
    let Some(Entry::Compacted { summary, .. }) = world
        .rows
        .iter()
        .find(|row| matches!(row, Entry::Compacted { .. }))
    else {
        panic!("not compacted");
    };
    assert!(summary.contains("Person: turn 0"), "{summary}");
    assert!(summary.contains("Call: read_file f0"));
    assert!(summary.contains("You: Finding 0."));
}

#[test]
fn a_compaction_replaces_the_beginning_once() {
    let world = long_session(60, Some("summed up"));
    let mut busts = 0;
    for pair in world.requests.windows(2) {
        if !pair[1].wire().starts_with(&pair[0].wire()) {
            busts += 1;
        }
    }
    let compactions = world
        .rows
        .iter()
        .filter(|row| matches!(row, Entry::Compacted { .. }))
        .count();
    assert_eq!(busts, compactions);
    assert!(busts > 2);
}

#[test]
fn a_call_and_its_answer_are_not_parted() {
    let world = long_session(60, Some("summed up"));
    for request in &world.requests {
        let mut open: Vec<&str> = Vec::new();
        for message in &request.messages {
            match (&message.call, message.role) {
                (Some(call), _) => {
                    assert_eq!(open.first(), Some(&call.as_str()));
                    open.remove(0);
                }
                _ => assert!(open.is_empty()),
            }
            open.extend(message.calls.iter().map(|call| call.id.as_str()));
        }
        assert!(open.is_empty());
    }
}

#[test]
fn one_huge_turn_is_compacted_in_its_middle_and_keeps_the_words() {
    let mut script: Vec<Reply> = (0..25)
        .map(|n| {
            does(
                "read_file",
                json!({"path": format!("f{n}"), "start_line": n}),
            )
        })
        .map(|mut reply| {
            reply.text = "thinking ".repeat(200);
            reply
        })
        .collect();
    script.push(says("Found."));
    let mut world = World::new(script);
    world.config.profile = Profile {
        context_window: 8_000,
        max_output_tokens: 1_000,
    };
    world.restart();
    assert_eq!(world.say("find the needle"), Some(Ending::Answered));
    assert!(
        world
            .rows
            .iter()
            .any(|row| matches!(row, Entry::Compacted { .. }))
    );
    assert!(world.wire().contains("find the needle"));
}
