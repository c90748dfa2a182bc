//! Measures the size in tokens of the prompt for a step, without workspace context, for plans of
//! three sizes and two model profiles. The model is scripted.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;

use planwright_tests::model_server::{Recorded, Scenario, Turn};
use planwright_tests::{Home, ModelServer, Project};
use serde_json::json;
use tiktoken_rs::CoreBPE;

use crate::Figure;

/// Where the workspace context starts in a prompt.
const WORKSPACE: &str = "What is known:";

/// Measures budget P5: the prompt must stay within the limit and not grow with the plan.
pub(crate) fn prompts(words: &CoreBPE) -> Result<Vec<Figure>, Box<dyn Error>> {
    let mut figures = Vec::new();
    for (is_small, profile, limit) in [(true, "small", 1_500), (false, "large", 2_500)] {
        let mut measured = BTreeMap::new();
        for tasks in [10, 100, 1_000] {
            measured.insert(tasks, tokens(words, &first_request(is_small, tasks)?)?);
        }
        let most = measured.values().copied().max().unwrap_or_default();
        let least = measured.values().copied().min().unwrap_or_default();
        let each: Vec<String> = measured
            .iter()
            .map(|(tasks, cost)| format!("{tasks}: {cost}"))
            .collect();
        figures.push(Figure {
            what: format!("step prompt, {profile} profile ({})", each.join(", ")),
            measured: most.to_string(),
            budget: format!("≤ {limit}, equal"),
            within: most <= limit && least == most,
        });
    }
    Ok(figures)
}

fn first_request(is_small: bool, tasks: usize) -> Result<Recorded, Box<dyn Error>> {
    let mut turns = vec![Turn::call(
        "write_file",
        json!({"path": "src/part0001.py", "content": "import logger\n\nlogger.write(\"ready\")\n"}),
    )];
    // A small model's step ends as soon as its check passes, without a report.
    if !is_small {
        let report = json!({"summary": "it uses the new logger", "done": true, "learned": []});
        turns.push(Turn::call("report_progress", report));
    }
    let server = ModelServer::start(Scenario::new(turns));
    let home = Home::new()
        .with_env("PLANWRIGHT_BASE_URL", &server.base_url())
        .with_env("PLANWRIGHT_MODEL", "scripted:7b")
        .with_env("PLANWRIGHT_API_KEY", "sk-bench");
    let project = Project::new().file("plans/long.md", plan(tasks)).file(
        "src/part0001.py",
        "import logging\n\nlogging.info(\"ready\")\n",
    );
    let simplified = format!("needsSimplifiedPrompts={is_small}");
    home.planwright(&project, ["models", "--set", &simplified]);
    let checked = home.planwright(&project, ["check", "plans/long.md", "--json"]);
    let checked = checked.last_json();
    let revision = checked["revision"].as_str().unwrap_or_default();
    let ran = home.planwright(
        &project,
        [
            "run",
            "plans/long.md",
            "--approve",
            revision,
            "--upto",
            "T1",
            "--reason",
            "measured",
            "--json",
        ],
    );
    if ran.status != 0 {
        return Err(ran.shown().into());
    }
    let first = server.finished().into_iter().next();
    first.ok_or_else(|| "no request was sent".into())
}

/// Counts the tokens of the tools, the rules and the step's own text.
fn tokens(words: &CoreBPE, request: &Recorded) -> Result<usize, Box<dyn Error>> {
    let messages = request.json["messages"]
        .as_array()
        .ok_or("a request without messages")?;
    let mut text = request.json["tools"].to_string();
    for message in messages {
        let content = message["content"].as_str().unwrap_or_default();
        let own = content.find(WORKSPACE).unwrap_or(content.len());
        text.push_str(content.get(..own).unwrap_or_default());
    }
    Ok(words.encode_with_special_tokens(&text).len())
}

fn plan(tasks: usize) -> String {
    let mut text = "---\nplanwright: 1\nid: long-0001\ngoal: Move every module to the new logger\n---\n# Move every module to the new logger\n\n## Requirements\n- R1 every module writes its messages through the new logger\n\n## Tasks\n- [ ] **T1** Use the new logger in `src/part0001.py`\n  - files: `src/part0001.py`\n  - covers: R1\n  - verify: `grep -q logger src/part0001.py`\n".to_owned();
    for number in 2..=tasks {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "- [ ] **T{number}** Use the new logger in `src/part{number:04}.py`\n  - files: `src/part{number:04}.py`\n  - by: person\n"
        );
    }
    text
}
