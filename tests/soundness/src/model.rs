//! A simulated model that does its own step, other steps, or nonsense.

use agent::model_step::{Offer, StepRequest};
use agent::turn::{Call, Fault, Reply};
use repair::{FaultKind, Finish};
use serde_json::{Value, json};

use crate::dice::Dice;
use crate::program::Program;

/// A reply to the request for a step.
pub fn reply(dice: &mut Dice, request: &StepRequest, program: &Program, id: &str) -> Reply {
    match request.offer {
        Offer::Letters(count) => {
            let letter = u8::try_from(dice.roll(count)).unwrap_or_default() + b'A';
            words(&char::from(letter).to_string())
        }
        Offer::Words => planned(dice),
        _ => acts(dice, program, id),
    }
}

/// What a model, or another agent, does in a step.
pub fn acts(dice: &mut Dice, program: &Program, id: &str) -> Reply {
    let step = program.place(id).map(|place| &program.steps[place]);
    let file = step
        .and_then(|step| step.files.first())
        .map_or("f1", String::as_str);
    let value = program
        .place(id)
        .map_or_else(|| "v".to_owned(), |place| format!("v{place}"));
    let write = |path: &str| ("write_file", json!({"path": path, "content": value}));
    let run = |line: String| ("run_command", json!({ "command": line }));
    let report = |done: bool| ("report_progress", json!({"summary": "said", "done": done}));
    let other = dice
        .pick(&program.steps)
        .map_or("T1", |step| step.id.as_str());
    match dice.roll(20) {
        0..5 => calls(vec![write(file)]),
        5..8 => calls(vec![report(true)]),
        8..10 => calls(vec![write(file), report(true)]),
        10 => calls(vec![run(format!("make {id}.shown")), write(file)]),
        11 => calls(vec![run(format!("make {other}.0"))]),
        12 => calls(vec![write(&format!("f{}", dice.between(1, 4)))]),
        13 => calls(vec![write("plans/p.md")]),
        14 => calls(vec![("delete_file", json!({ "path": file }))]),
        15 => calls(vec![(
            "ask_user",
            json!({"question": "May I?", "options": []}),
        )]),
        16 => calls(vec![
            ("read_file", json!({ "path": file })),
            ("list_files", json!({})),
        ]),
        17 => calls(vec![report(false)]),
        18 => calls(vec![
            ("approve", json!({"task": other})),
            ("write_file", json!({})),
        ]),
        _ => words("I have done it."),
    }
}

fn planned(dice: &mut Dice) -> Reply {
    let number = dice.between(1, 40);
    words(&match dice.roll(6) {
        0..3 => json!({"what": format!("Write the part {number} of f3"), "why": "it is wanted", "tools": ["write_file"]})
            .to_string(),
        3..5 => json!({ "done": true }).to_string(),
        _ => "Nothing.".to_owned(),
    })
}

fn words(text: &str) -> Reply {
    let fault = Fault {
        kind: FaultKind::NoCall,
        message: "Answer with one call.".to_owned(),
    };
    Reply {
        text: text.to_owned(),
        calls: Vec::new(),
        faults: vec![fault],
        finish: Finish::Stop,
        usage: agent::turn::Usage::default(),
        elapsed_ms: 0,
    }
}

fn calls(calls: Vec<(&str, Value)>) -> Reply {
    let calls = calls.into_iter().map(|(name, arguments)| {
        Call::new(name, arguments.as_object().cloned().unwrap_or_default())
    });
    Reply {
        text: String::new(),
        calls: calls.collect(),
        faults: Vec::new(),
        finish: Finish::ToolCalls,
        ..words("")
    }
}
