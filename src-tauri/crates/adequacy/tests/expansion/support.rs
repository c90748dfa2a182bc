//! Plans, inputs and replies used by these tests.

use std::sync::Arc;

use adequacy::WorkspaceFacts;
use adequacy::expansion::{
    Edit, Event, Expansion, Input, LoopMode, Outcome, ReplyForm, RoundRequest, Settings, Step,
};
use repair::ReplyTask;

/// A plan that lacks four steps, has no checks and leaves one requirement open.
pub(crate) const THIN: &str = "\
---
planwright: 1
goal: Implement a `--json` flag for the report command in src/cli.py that prints every row as JSON, keep the default output as it is, and describe the flag in docs/report.md
---
# Report as JSON

Some context that must stay.

## Requirements
- R1 `report --json` prints every row as JSON
- R2 the default output does not change

## Tasks
- [ ] **T1** Find where the rows of the report are built
  - files: `src/report.py`
  - note: ask Mara about the column order
- [ ] **T2** Add a `--json` flag to the argument parser
  Behind the flag for the width.
  - depends: T1
  - files: `src/cli.py`
  - covers: R1
  - accept: `report --help` lists `--json`
";

/// A small plan that is complete and has checks.
pub(crate) const FULL: &str = "\
---
planwright: 1
goal: Rename the flag
---
# Rename the flag

## Tasks
- [ ] **T1** Rename `--fmt` to `--format` in src/cli.py
  - files: `src/cli.py`
  - verify: `python3 -m unittest tests.test_cli`
";

/// A plan that is a list without ids.
pub(crate) const PLAIN: &str = "\
# Implement the import of contacts from CSV files with a preview and tests for broken lines

- [ ] Read the CSV file
- [ ] Show a preview of the first rows
- [ ] Write the contacts
";

pub(crate) fn facts() -> WorkspaceFacts {
    let paths = [
        "src/cli.py",
        "src/report.py",
        "docs/report.md",
        "tests/test_cli.py",
        "tests/test_report.py",
    ];
    WorkspaceFacts {
        paths: Some(paths.iter().map(|path| (*path).to_owned()).collect()),
        symbols: ["render_rows", "build_parser"].map(str::to_owned).into(),
        commands: vec!["python3 -m unittest".to_owned()],
        ..WorkspaceFacts::default()
    }
}

pub(crate) fn input(text: &str, settings: Settings) -> Input {
    Input {
        text: text.to_owned(),
        goal: None,
        scope: Vec::new(),
        facts: Arc::new(facts()),
        has_model: true,
        settings,
        tokens_used: 0,
        has_gaps: false,
    }
}

pub(crate) fn auto() -> Settings {
    Settings {
        loop_mode: LoopMode::Auto,
        ..Settings::default()
    }
}

pub(crate) fn start(text: &str, settings: Settings) -> (Expansion, Step) {
    Expansion::start(input(text, settings))
}

#[track_caller]
pub(crate) fn asked(step: &Step) -> &RoundRequest {
    match step {
        Step::Ask(request) => request,
        Step::Stop(outcome) => panic!("it stopped: {:?}", outcome.stop_reason),
    }
}

#[track_caller]
pub(crate) fn stopped(step: &Step) -> &Outcome {
    match step {
        Step::Stop(outcome) => outcome,
        Step::Ask(request) => panic!("it asks for round {}", request.round),
    }
}

pub(crate) fn says(text: &str) -> Event {
    Event::Reply {
        reply: ReplyForm::Text(text.to_owned()),
        tokens: 1000,
    }
}

pub(crate) fn tasks(tasks: Vec<ReplyTask>) -> Event {
    Event::Reply {
        reply: ReplyForm::Tasks(tasks),
        tokens: 1000,
    }
}

pub(crate) fn edits(edits: Vec<Edit>) -> Event {
    Event::Reply {
        reply: ReplyForm::Edits(edits),
        tokens: 1000,
    }
}

pub(crate) fn task(id: &str, description: &str) -> ReplyTask {
    ReplyTask {
        id: id.to_owned(),
        description: description.to_owned(),
        ..ReplyTask::default()
    }
}

/// Sends these replies until the loop ends, repeating the last one.
pub(crate) fn play(text: &str, settings: Settings, replies: &[Event]) -> Outcome {
    let (mut expansion, mut step) = start(text, settings);
    let mut replies = replies.iter();
    let mut last = Event::ModelFailed;
    for _ in 0..40 {
        match step {
            Step::Stop(outcome) => return *outcome,
            Step::Ask(_) => {
                if let Some(next) = replies.next() {
                    last = next.clone();
                }
                step = expansion.handle(last.clone());
            }
        }
    }
    panic!("the loop does not end");
}

/// A reply that completes THIN: it adds a check, the open requirement, the documentation and an
/// order.
pub(crate) const GOOD: &str = r#"{"summary": "A fuller plan", "tasks": [
 {"id": "T1", "description": "Find where the rows of the report are built", "files": ["src/report.py"], "estimated_complexity": 2, "depends_on": []},
 {"id": "T2", "description": "Add a `--json` flag to the argument parser", "files": ["src/cli.py"], "estimated_complexity": 3, "depends_on": ["T1"], "verify": "python3 -m unittest tests.test_cli"},
 {"id": "T3", "description": "Print every row with `json.dumps(row, ensure_ascii=False)` in `render_rows` when the flag is given", "files": ["src/report.py"], "estimated_complexity": 4, "depends_on": ["T2"], "covers": ["R1"], "accept": ["each line of `report --json` parses as JSON"], "verify": "python3 -m unittest tests.test_report"},
 {"id": "T4", "description": "Compare the default output of `report sales.csv` with `tests/golden.txt`", "files": ["tests/test_report.py"], "estimated_complexity": 3, "depends_on": ["T3"], "covers": ["R2"], "verify": "python3 -m unittest tests.test_report"},
 {"id": "T5", "description": "Describe the flag with the example `report --json | jq .total`", "files": ["docs/report.md"], "estimated_complexity": 1, "depends_on": ["T3"], "accept": ["docs/report.md shows a call with `--json`"]},
 {"id": "T6", "description": "Test that a row with an empty column prints `null`", "files": ["tests/test_report.py"], "estimated_complexity": 3, "depends_on": ["T3"], "verify": "python3 -m unittest tests.test_report"},
 {"id": "T7", "description": "Test the flag together with `--width 40`", "files": ["tests/test_cli.py"], "estimated_complexity": 3, "depends_on": ["T2"], "verify": "python3 -m unittest tests.test_cli"},
 {"id": "T8", "description": "Note the flag in the list of changes for 2.4", "files": ["docs/report.md"], "estimated_complexity": 1, "depends_on": ["T5"]}
]}"#;
