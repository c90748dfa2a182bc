//! Profiles: what is known about a model determines how it is used: the maximum request size, when
//! and how many steps are planned at once, and the format of tools and changes. The plan's size
//! affects none of these.

use planwright_tests::model_server::{Flavour, Recorded, Scenario, Turn};
use planwright_tests::{Home, ModelServer, Project};
use serde_json::{Value, json};

use crate::greeting::{self, edit, home_with_profile, replace, report, typed};
use crate::run;

const PLAN: &str = "\
---
planwright: 1
goal: Greet in German
---
# Greet in German

## Requirements
- R1 the greeting is German

## Tasks
- [ ] **T1** Change the greeting in the program
  - files: `hello.py`
  - covers: R1
  - verify: `grep -q Moin hello.py`
";

/// A plan in which one requirement has no step.
const LACKING: &str = "\
---
planwright: 1
goal: Greet in German
---
# Greet in German

## Requirements
- R1 the greeting is German
- R2 the greeting is loud

## Tasks
- [ ] **T1** Change the greeting in the program
  - files: `hello.py`
  - covers: R1
  - verify: `grep -q Moin hello.py`
";

fn project(plan: &str) -> Project {
    let filler: String = (0..900)
        .map(|line| format!("# greeting {line}\n"))
        .collect();
    Project::new()
        .file(greeting::PLAN, plan)
        .file("hello.py", format!("GREETING = \"Hello\"\n{filler}"))
        .git()
}

/// Runs the plan with these profile values and returns the model's requests.
fn requests(values: &[&str], plan: &str, turns: Vec<Turn>) -> Vec<Recorded> {
    let server = ModelServer::start(Scenario::new(turns));
    let home = home_with_profile(&server, values);
    let project = project(plan);
    let ran = run(&home, &project, greeting::PLAN, &["--upto", "T1"]);
    assert_eq!(ran.last_json()["state"], "done", "{}", ran.shown());
    server.finished()
}

fn first(values: &[&str]) -> Recorded {
    requests(values, PLAN, vec![edit()]).remove(0)
}

fn system(request: &Recorded) -> String {
    let content = &request.json["messages"][0]["content"];
    content.as_str().unwrap().to_owned()
}

#[test]
fn a_small_window_gets_a_small_request() {
    let small = first(&["contextWindow=4096", "maxOutputTokens=1024"]);
    let large = first(&["contextWindow=65536", "maxOutputTokens=4096"]);
    // Request and answer fit into the window, at four bytes per token.
    assert!(
        small.body.len() / 4 + 1_024 <= 4_096,
        "{}",
        small.body.len()
    );
    assert!(
        large.body.len() > small.body.len() * 2,
        "{}",
        large.body.len()
    );
    assert_eq!(small.json["max_tokens"], 1_024, "{}", small.json);
}

#[test]
fn a_model_that_types_its_calls_gets_the_tools_as_text() {
    let native = first(&["toolChannel=native"]);
    assert!(native.json["tools"].as_array().unwrap().len() > 3);
    let asked = requests(&["toolChannel=json_text"], PLAN, vec![typed(&edit())]);
    for request in &asked {
        assert_eq!(request.json["tools"], Value::Null);
        assert!(
            system(request).contains("report_progress"),
            "{}",
            system(request)
        );
    }
}

#[test]
fn the_form_of_a_change_is_the_one_that_the_model_gets_right() {
    let whole = "by writing it whole with write_file";
    assert!(system(&first(&["editForm=whole_file"])).contains(whole));
    assert!(!system(&first(&["editForm=replace"])).contains(whole));
}

#[test]
fn the_profile_says_how_many_steps_are_thought_of_at_once() {
    let growing = PLAN.replace("goal: Greet", "strategy: iterative\ngoal: Greet");
    let asked = |values: &[&str]| {
        let turns = vec![edit(), report("it is Moin"), Turn::say("null")];
        let server = ModelServer::start(Scenario::new(turns));
        let home = home_with_profile(&server, values);
        let project = project(&growing);
        run(&home, &project, greeting::PLAN, &[]).expect(0);
        server.finished()[2].text()
    };
    let one = asked(&["maxTasksPerPlan=1", "needsSimplifiedPrompts=true"]);
    let more = asked(&["maxTasksPerPlan=12", "needsSimplifiedPrompts=false"]);
    assert_ne!(one, more);
    assert!(
        more.contains("up to 3") || more.contains("1 to 3"),
        "{more}"
    );
    assert!(!one.contains("up to 3") && !one.contains("1 to 3"), "{one}");
}

/// Runs a plan with a model of which only the name and the context window are known, and returns
/// its requests.
fn asked(model: &str, window: u64, ends: &str, says: Vec<Turn>) -> Vec<Recorded> {
    let scenario = Scenario::new(says).flavour(Flavour::Ollama).window(window);
    let server = ModelServer::start(scenario);
    let home = Home::new()
        .with_env("PLANWRIGHT_BASE_URL", &server.base_url())
        .with_env("PLANWRIGHT_MODEL", model);
    let project = project(LACKING);
    let ended = run(&home, &project, greeting::PLAN, &[]);
    assert_eq!(ended.last_json()["state"], ends, "{}", ended.shown());
    server.finished()
}

#[test]
fn a_weak_model_is_asked_in_its_own_form_with_less_and_for_one_step_at_a_time() {
    let step = json!({"what": "Add an exclamation mark to the greeting in hello.py", "why": "R2"});
    let weak = asked(
        "qwen2.5-coder:7b",
        8_192,
        "done",
        vec![
            typed(&edit()),
            typed(&report("the greeting is Moin")),
            // The plan has no step for R2. If no strategy is chosen, such a model plans steps
            // during the run.
            Turn::say(step.to_string()),
            typed(&replace("\"Moin\"", "\"Moin!\"")),
            typed(&report("the greeting is Moin!")),
            Turn::say("null"),
        ],
    );
    let strong = asked(
        "gpt-5",
        400_000,
        // The run ends as incomplete, because no step covers R2.
        "incomplete",
        vec![edit(), report("the greeting is Moin")],
    );
    let bytes = |request: &Recorded| request.text().len();
    assert_eq!(strong.len(), 2, "it plans upfront");
    assert!(strong[0].json.get("tools").is_some(), "native tool calls");
    assert!(
        bytes(&weak[0]) < bytes(&strong[0]),
        "{} {}",
        bytes(&weak[0]),
        bytes(&strong[0])
    );
    let last = weak.last().unwrap().text();
    assert!(last.contains("next step"), "{last}");
}

/// Budget P5, for a small and a large model: the maximum tokens of a step's prompt without
/// workspace context, at four bytes each.
const P5: [(bool, usize); 2] = [(true, 1_500), (false, 2_500)];

#[test]
fn a_steps_prompt_is_the_same_in_a_plan_of_ten_a_hundred_and_a_thousand_steps() {
    for (is_small, budget) in P5 {
        let small = format!("needsSimplifiedPrompts={is_small}");
        let sizes = [10, 100, 1_000].map(|steps| {
            let others = (2..=steps).map(|step| {
                format!("- [ ] **T{step}** Look after part {step} of the program\n  - by: person\n")
            });
            let plan = format!("{PLAN}{}", others.collect::<String>());
            // A small model's step is completed by its check; a large model reports it itself.
            let turns = [edit(), report("it is Moin")];
            let turns = turns.into_iter().take(2 - usize::from(is_small)).collect();
            let asked = requests(&[&small], &plan, turns);
            let messages: Vec<Value> = asked.iter().map(|one| one.json.clone()).collect();
            messages
        });
        assert_eq!(
            sizes[0], sizes[1],
            "requests differ between 10 and 100 steps"
        );
        assert_eq!(
            sizes[1], sizes[2],
            "requests differ between 100 and 1,000 steps"
        );
        let first = &sizes[0][0];
        // Excludes the workspace context.
        let words = first["messages"][1]["content"].as_str().unwrap();
        let known = words.find("What is known:").unwrap_or(words.len());
        let own = first["messages"][0]["content"].as_str().unwrap().len()
            + first["tools"].to_string().len()
            + known;
        assert!(own / 4 <= budget, "{} tokens", own / 4);
    }
}
