//! In the collected cases, calls that can be recovered are recovered exactly, and nothing else
//! becomes a call.

use repair::{Finish, read_choice, read_step};
use serde_json::{Value, json};

use super::{calls, of_native, of_text, repairs, tools};

/// The outcome of a case, in the notation that the cases use.
fn outcome(case: &Value) -> (Value, Vec<&'static str>, String) {
    let raw = case["raw"].as_str().unwrap();
    let kind = case["kind"].as_str().unwrap();
    if kind.starts_with("plan_") {
        return match read_step(raw, &tools()) {
            Ok(planned) => {
                let step = planned
                    .step
                    .map(|step| json!({"what": step.what, "why": step.why, "tools": step.tools}));
                let kinds = planned.repairs.iter().map(|repair| repair.kind.as_str());
                (json!({"plan": step}), kinds.collect(), String::new())
            }
            Err(fault) => (json!("error"), Vec::new(), fault.kind.as_str().to_owned()),
        };
    }
    if kind.starts_with("letter_") {
        return match read_choice(raw, 4) {
            Ok(choice) => (
                json!({"choice": choice.letter, "detail": choice.detail}),
                Vec::new(),
                String::new(),
            ),
            Err(fault) => (json!("error"), Vec::new(), fault.kind.as_str().to_owned()),
        };
    }
    let recovered = match case["tool"].as_str() {
        Some(tool) => of_native(tool, raw, Finish::ToolCalls),
        None => of_text(raw, Finish::Stop),
    };
    let faults: Vec<&str> = recovered.faults.iter().map(|f| f.kind.as_str()).collect();
    let outcome = if faults.is_empty() {
        json!({"calls": calls(&recovered), "text": recovered.text})
    } else if recovered.calls.is_empty() {
        json!("error")
    } else {
        json!({"calls": calls(&recovered), "faults": faults})
    };
    (outcome, repairs(&recovered), faults.join(","))
}

#[test]
fn every_case_is_recovered_exactly_or_makes_no_call() {
    let mut wrong = Vec::new();
    let cases = include_str!("cases/given.jsonl").lines();
    let mut count = 0;
    for line in cases {
        let case: Value = serde_json::from_str(line).unwrap();
        let id = case["id"].as_str().unwrap();
        let expected = &case["expected"];
        let (got, kinds, class) = outcome(&case);
        let mut is_right = match expected.as_object() {
            None => got == "error" && case["error_class"] == class.as_str(),
            Some(expected) => ["calls", "plan", "choice"]
                .iter()
                .all(|key| expected.get(*key).is_none_or(|value| got[*key] == *value)),
        };
        for (key, part) in [("prose_contains", "text"), ("detail", "detail")] {
            if let Some(words) = expected.get(key).and_then(Value::as_str) {
                is_right &= got[part].as_str().is_some_and(|text| text.contains(words));
            }
        }
        if let Some(named) = expected.get("repairs").and_then(Value::as_array) {
            is_right &= named
                .iter()
                .all(|kind| kinds.contains(&kind.as_str().unwrap()));
        } else if expected.get("calls").is_some() {
            is_right &= kinds.is_empty();
        }
        println!(
            "{id} {} {}\n   expected {expected}\n   got      {got} {class} {kinds:?}",
            if is_right { "ok   " } else { "WRONG" },
            case["kind"].as_str().unwrap()
        );
        if !is_right {
            wrong.push(id.to_owned());
        }
        count += 1;
    }
    assert_eq!(count, 59);
    assert!(wrong.is_empty(), "wrong: {wrong:?}");
}
