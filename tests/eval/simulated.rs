//! Tests the simulated model: it knows only what the messages say, and the same seed gives the same
//! mistakes.

use planwright_tests::evaluation::Baseline;
use planwright_tests::model_server::Flavour;
use planwright_tests::simulator::{self, Fault, MODEL, Profile, Setting, Simulated, Wording};
use serde_json::{Value, json};

use crate::{play, scenario};

fn tools(names: &[&str]) -> Value {
    let schema = json!({"type": "object", "properties": {}});
    let tool =
        |name: &&str| json!({"type": "function", "function": {"name": name, "parameters": schema}});
    names.iter().map(tool).collect()
}

const ALL: [&str; 4] = ["read_file", "search_files", "edit_file", "report_progress"];

fn start(profile: &str, flavour: Flavour) -> Simulated {
    let setting = Setting {
        profile: Profile::named(profile).unwrap(),
        seed: 7,
        flavour,
        wording: Wording::Shown,
    };
    simulator::start(&scenario("S1"), setting)
}

/// Sends a request unchanged and returns the whole stream.
fn ask(simulated: &Simulated, messages: Value, more: Value) -> String {
    use std::io::{Read, Write};
    let mut body = json!({"model": MODEL, "messages": messages, "stream": true});
    for (key, value) in more.as_object().unwrap() {
        body[key] = value.clone();
    }
    let body = body.to_string();
    let address = ("127.0.0.1", simulated.server.port());
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn opening() -> Value {
    let step =
        "Your step: Mend `with_discount` in `shop/prices.py`, which takes off ten times too much";
    json!({"role": "user", "content": step})
}

fn called(id: &str, name: &str, arguments: Value) -> Value {
    let function = json!({"name": name, "arguments": arguments.to_string()});
    json!({"role": "assistant", "content": "", "tool_calls": [{"id": id, "type": "function", "function": function}]})
}

fn result(id: &str, content: &str) -> Value {
    json!({"role": "tool", "tool_call_id": id, "content": content})
}

#[test]
fn it_looks_first_and_goes_on_by_what_it_was_shown() {
    let simulated = start("clean", Flavour::OpenAi);
    let offered = json!({"tools": tools(&ALL)});
    let first = ask(&simulated, json!([opening()]), offered.clone());
    assert!(first.contains("read_file"), "{first}");
    let read = called("a", "read_file", json!({"path": "shop/prices.py"}));
    let shown = result(
        "a",
        "def with_discount(price, percent):\n    return price - price * percent / 10\n",
    );
    let second = ask(&simulated, json!([opening(), read, shown]), offered.clone());
    assert!(second.contains("edit_file"), "{second}");
    // If the file is shown with the step, the model doesn't request it.
    let preloaded = json!({"role": "user", "content": "1 | def with_discount(price, percent):\n2 |     return price - price * percent / 10"});
    let at_once = ask(&simulated, json!([opening(), preloaded]), offered);
    assert!(at_once.contains("edit_file"), "{at_once}");
}

#[test]
fn an_edit_that_was_refused_is_looked_after_in_any_words() {
    let simulated = start("clean", Flavour::OpenAi);
    let edit = called(
        "a",
        "edit_file",
        json!({
            "path": "shop/prices.py",
            "old_text": "    return price - price * percent / 10\n",
            "new_text": "    return price - price * percent / 100\n",
        }),
    );
    let offered = json!({"tools": tools(&ALL)});
    let preloaded = json!({"role": "user", "content": "def with_discount(price, percent):\n    return price - price * percent / 10"});
    let refused = result(
        "a",
        "This was not carried out: the person wants to see it first.",
    );
    let messages = json!([opening(), preloaded, edit.clone(), refused]);
    let looks = ask(&simulated, messages, offered.clone());
    assert!(looks.contains("read_file"), "{looks}");
    // The message that rejects a report contains no word such as "failed".
    let report = called(
        "b",
        "report_progress",
        json!({"summary": "mended", "done": true}),
    );
    let messages = json!([
        opening(),
        preloaded,
        edit,
        result("a", "ok"),
        report,
        result("b", "Hm, 45 was wanted.")
    ]);
    let looks = ask(&simulated, messages, offered);
    assert!(looks.contains("read_file"), "{looks}");
}

#[test]
fn a_grammar_for_calls_makes_faults_of_form_impossible_where_the_server_has_one() {
    let told = |flavour| {
        let simulated = start("coder7b-ollama", flavour);
        let more = json!({"tools": tools(&ALL), "tool_choice": "required"});
        ask(&simulated, json!([opening()]), more);
        simulated.notes.all()[0].fault
    };
    assert_eq!(told(Flavour::LlamaCpp), None);
    assert_eq!(told(Flavour::Strict), None);
    assert_eq!(
        told(Flavour::Ollama),
        Some(Fault::TextCall),
        "Ollama does not heed tool_choice"
    );
}

#[test]
fn messages_over_the_window_are_dropped_silently_and_the_task_is_lost_with_them() {
    let setting = Setting {
        profile: Profile::named("clean").unwrap(),
        seed: 1,
        flavour: Flavour::Ollama,
        wording: Wording::Shown,
    };
    let simulated = simulator::start(&scenario("S20"), setting);
    let read = called("a", "read_file", json!({"path": "shop/prices.py"}));
    let long = result("a", &"x = 1\n".repeat(3_000));
    let answer = ask(
        &simulated,
        json!([opening(), read, long]),
        json!({"tools": tools(&ALL)}),
    );
    assert!(simulated.notes.all()[0].was_cut);
    assert!(answer.contains("What would you like"), "{answer}");
}

#[test]
fn a_planner_is_given_small_steps_and_a_claim_when_all_are_there() {
    let simulated = start("clean", Flavour::OpenAi);
    let asked = "Goal: Mend the discount. Answer with {\"what\": \"…\", \"why\": \"…\", \"tools\": []} or null.";
    let words = json!({"role": "user", "content": asked});
    let first = ask(&simulated, json!([words.clone()]), json!({}));
    assert!(first.contains("with_discount"), "{first}");
    let done =
        json!({"role": "user", "content": format!("{asked}\nDone: {}", opening()["content"])});
    let last = ask(&simulated, json!([done]), json!({}));
    assert!(!last.contains("with_discount"), "{last}");
    let notes = simulated.notes.all();
    assert!(
        notes
            .iter()
            .all(|noted| noted.surface == simulator::Surface::Plan),
        "{notes:?}"
    );
}

#[test]
fn a_letter_is_given_where_letters_are_asked_for() {
    let simulated = start("clean", Flavour::OpenAi);
    let asked = format!(
        "This failed: {}\nA) Try again\nB) Another way\nC) Skip it\nD) Ask the person",
        opening()["content"]
    );
    let answer = ask(
        &simulated,
        json!([{"role": "user", "content": asked}]),
        json!({}),
    );
    assert!(answer.contains("\"content\":\"A\""), "{answer}");
}

#[test]
fn the_same_seed_makes_the_same_mistakes_and_every_kind_is_made() {
    let faults = |seed| {
        let trial = play(&mut Baseline, &scenario("L7"), "7b", seed);
        trial
            .notes
            .iter()
            .map(|noted| noted.fault)
            .collect::<Vec<_>>()
    };
    assert_eq!(faults(3), faults(3));
    let profile = Profile::named("7b").unwrap();
    let draws = 40_000;
    for fault in Fault::ALL {
        let made = (0..draws)
            .filter(|turn| profile.draw(11, *turn) == Some(fault))
            .count();
        let share = f64::from(u32::try_from(made).unwrap()) / 40_000.0;
        let rate = profile.rate(fault);
        assert!(
            (share - rate).abs() < 0.005,
            "{}: {share} for {rate}",
            fault.as_str()
        );
    }
}

#[test]
fn after_a_fault_it_is_right_as_often_as_its_profile_says() {
    let (mut again, mut right) = (0, 0);
    for seed in 0..40 {
        let simulated = start_with_seed("only_prose", seed);
        let offered = json!({"tools": tools(&ALL)});
        let words = json!({"role": "assistant", "content": "I will now read shop/prices.py."});
        let nudge = json!({"role": "user", "content": "Ein Aufruf, bitte."});
        ask(&simulated, json!([opening(), words, nudge]), offered);
        match simulated.notes.all()[0].fault {
            Some(Fault::Prose) => again += 1,
            None => right += 1,
            Some(other) => panic!("{other:?} was not the mistake before"),
        }
    }
    assert!(
        again >= 5 && right >= 18,
        "{right} of 40 right, expected 26"
    );
}

fn start_with_seed(profile: &str, seed: u64) -> Simulated {
    let setting = Setting {
        profile: Profile::named(profile).unwrap(),
        seed,
        flavour: Flavour::OpenAi,
        wording: Wording::Shown,
    };
    simulator::start(&scenario("S1"), setting)
}
