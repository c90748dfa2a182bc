//! A step handed over to an agent that speaks the Agent Client Protocol. The agent is a script with
//! fixed answers; agents that misbehave are tested in `bridges`.

use planwright_tests::{Answers, Home, Project, processes_with, wait_until};
use serde_json::{Value, json};

use crate::{resume, revision, run, run_id};

const PLAN: &str = "\
# Greet in German

## Tasks
- [ ] **T1** Change the greeting in the program
  - files: `hello.py`
  - verify: `grep -q Moin hello.py`
";

/// An agent as a script: answers three requests, and changes the file in its private copy during
/// its turn.
const AGENT: &str = r#"
say() { echo "{\"jsonrpc\":\"2.0\",$1}"; }
read -r line; say '"id":1,"result":{"protocolVersion":1}'
read -r line; say '"id":2,"result":{"sessionId":"s"}'
read -r line; WORK
sed -i s/Hello/Moin/ hello.py
say '"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"It greets in German now."}}}'
say '"id":3,"result":{"stopReason":"end_turn"}'
while read -r line; do :; done
"#;

const HAND_OVER: [&str; 2] = ["--hand-over", "acp:script"];

fn home() -> Home {
    let home = Home::new();
    let agent = json!({"name": "script", "command": ["sh", "agent.sh"], "network": false});
    home.write_settings(&json!({ "agents": [agent] }));
    home
}

fn project(work: &str) -> Project {
    Project::new()
        .file("plans/p.md", PLAN)
        .file("hello.py", "GREETING = \"Hello\"\n")
        .file("agent.sh", AGENT.replace("WORK", work))
        .git()
}

#[test]
fn an_agent_carries_out_a_step_and_the_receipt_says_so() {
    let (home, project) = (home(), project(":"));
    let ran = run(&home, &project, "plans/p.md", &HAND_OVER).expect(0);
    assert_eq!(ran.last_json()["state"], "done", "{}", ran.shown());
    assert!(project.read("hello.py").contains("Moin"));
    let report = &ran.events("report")[0];
    assert_eq!(report["summary"], "It greets in German now.");
    let receipt = home
        .planwright(&project, ["receipt", &run_id(&ran), "--json"])
        .expect(0)
        .last_json();
    let step = &receipt["steps"][0];
    assert_eq!(step["changes"], json!(["hello.py"]), "{step}");
    assert_eq!(step["handed_to"]["to"], "acp:script", "{step}");
    home.planwright(&project, ["undo", &run_id(&ran), "T1"])
        .expect(0);
    assert!(project.read("hello.py").contains("Hello"));
}

#[test]
fn an_agent_that_is_not_installed_refuses_the_run_before_it_starts() {
    let (home, project) = (home(), project(":"));
    let approve = revision(&home, &project, "plans/p.md");
    for (agent, says) in [
        ("acp:nanocoder", "npm install -g @nanocollective/nanocoder"),
        ("acp:nobody", "unknown agent “nobody”"),
    ] {
        let arguments = [
            "run",
            "plans/p.md",
            "--approve",
            &approve,
            "--hand-over",
            agent,
        ];
        let refused = home.planwright(&project, arguments).expect(64);
        assert!(refused.stderr.contains(says), "{}", refused.shown());
    }
    let runs = home.planwright(&project, ["runs", "--json"]).expect(0);
    assert!(runs.json().is_empty(), "{}", runs.shown());
}

#[test]
fn a_workspace_cannot_name_an_agent() {
    let home = Home::new();
    let agents: Value = json!({"agents": [{"name": "script", "command": ["sh", "agent.sh"]}]});
    let project = project(":").file(".planwright/settings.json", agents.to_string());
    let approve = revision(&home, &project, "plans/p.md");
    let arguments = [
        "run",
        "plans/p.md",
        "--approve",
        &approve,
        HAND_OVER[0],
        HAND_OVER[1],
    ];
    let refused = home.planwright(&project, arguments).expect(64);
    assert!(
        refused.stderr.contains("unknown agent"),
        "{}",
        refused.shown()
    );
}

#[test]
fn a_run_killed_during_a_turn_leaves_nothing_and_goes_on() {
    // When the run is killed, the agent has changed its copy and started a child process that
    // outlives it.
    let work = "sed -i s/Hello/Half/ hello.py; setsid sleep 1000 & echo working >&2; say '\
        \"method\":\"session/update\",\"params\":{\"sessionId\":\"s\",\"update\":{\"sessionUpdate\":\"agent_message_chunk\",\
        \"content\":{\"type\":\"text\",\"text\":\"working\"}}}'; sleep 1000";
    let (home, project) = (home(), project(work));
    let approve = revision(&home, &project, "plans/p.md");
    let [option, agent] = HAND_OVER;
    let arguments = [
        "run",
        "plans/p.md",
        "--approve",
        &approve,
        "--json",
        option,
        agent,
    ];
    let mut running = home.spawn(&project, arguments);
    running.wait_for_event("output");
    let killed = running.kill_9();
    let id = run_id(&killed);
    wait_until("the agent and its child end", || {
        processes_with(&format!("{id}-T1-agent")).is_empty()
    });
    assert!(project.read("hello.py").contains("Hello"));
    project.write("agent.sh", AGENT.replace("WORK", ":"));
    let ended = resume(&home, &project, &id, &Answers::new()).expect(0);
    assert_eq!(ended.last_json()["state"], "done", "{}", ended.shown());
    assert!(project.read("hello.py").contains("Moin"));
}
