//! The decision layer on screen: estimates for each effort, the route while a plan is made, the two
//! ways to stop planning, the reasons for a plan's route, and the learned statistics and how to
//! delete them.

use planwright_tests::fixtures::python_report;
use planwright_tests::model_server::{Scenario, Turn};
use planwright_tests::window::Window;
use planwright_tests::{Home, ModelServer, Project};
use serde_json::{Value, json};

use crate::eyes::{Place, bring, everywhere, hush};

/// A goal that a template fits.
const RENAME: &str = "Rename the function render_rows to table_lines everywhere and test it";
/// A goal that no template fits and for which rules can only repeat the goal as a step.
const OPEN: &str = "The totals of the report are hard to read; lay them out anew";

const MODEL: &str = "gpt-4o";

/// A reply that isn't a plan, with which the model answers every request.
const PROSE: &str = "I will first look at the code and then write a very good plan for you.";

/// The reply in which the model says what it read from the goal.
const READ: &str = r#"{"requirements": [], "constraints": [], "terms": ["render_rows"], "missing": [], "assumptions": []}"#;

fn home_with(server: &ModelServer) -> Home {
    // Taking screenshots takes longer than a model's default timeout.
    Home::new()
        .with_env("PLANWRIGHT_BASE_URL", &server.base_url())
        .with_env("PLANWRIGHT_MODEL", MODEL)
        .with_env("PLANWRIGHT_MODEL_PATIENCE_S", "600")
}

fn open(home: &Home, project: &Project) -> Window {
    home.write_settings(&json!({}));
    let window = Window::open(home, [project.path().to_string_lossy()]);
    window.resize(1400, 900);
    window.find("button", "Make a plan");
    window
}

/// Enters the goal and selects an effort by keyboard.
#[track_caller]
fn state(window: &Window, goal: &str, effort: &str) {
    window.fill("What do you want to do?", goal);
    window.script("document.activeElement?.blur();", Vec::new());
    let (keys, name) = match effort {
        "quick" => ("mod+e q", "Effort: Quick"),
        "thorough" => ("mod+e t", "Effort: Thorough"),
        _ => ("mod+e a", "Effort: Auto"),
    };
    window.chord(keys);
    window.find("button", name);
}

/// The rows of a list of attempts, each with the plugin and its result.
fn rows(window: &Window, list: &str) -> Vec<String> {
    let rows = window.script(
        &format!(
            "return [...document.querySelectorAll('[aria-label={}] li[data-status]')]
               .map(row => `${{row.querySelector('code').textContent}} ${{row.dataset.status}}`);",
            json!(list)
        ),
        Vec::new(),
    );
    let rows = rows.as_array().cloned().unwrap_or_default();
    rows.iter()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

/// The attempts of plugins that write plans.
fn solvers(window: &Window, list: &str) -> Vec<String> {
    let mut rows = rows(window, list);
    rows.retain(|row| row.starts_with("gs-"));
    rows
}

fn plans(project: &Project) -> usize {
    std::fs::read_dir(project.at("plans")).map_or(0, Iterator::count)
}

/// Expands everything in the dialog that can be expanded.
fn unfold(window: &Window) {
    window.script(
        "document.querySelectorAll('[role=dialog] details').forEach(one => { one.open = true; });",
        Vec::new(),
    );
}

#[test]
fn an_effort_says_what_it_would_take_and_is_kept_while_the_window_is_open() {
    let server = ModelServer::start(Scenario::new([]));
    let (home, project) = (home_with(&server), python_report().git());
    let window = open(&home, &project);
    window.wait_for_text("Uses templates and rules first, then gpt-4o.");
    window.fill("What do you want to do?", RENAME);
    everywhere(
        &window,
        (&home, &json!({})),
        "routes-effort",
        Place::Centre,
        |window| {
            if !window.has("menuitemradio", "Thorough") {
                window.click("button", "Effort: Auto");
            }
            window.find("menuitemradio", "Quick");
            window.wait_for_text("gs-llm-deep");
            window.wait_for_text("estimated: about");
        },
    );
    if !window.has("menuitemradio", "Thorough") {
        window.click("button", "Effort: Auto");
    }
    window.click("menuitemradio", "Thorough");
    window.find("button", "Effort: Thorough");
    window.wait_for_text("gpt-4o drafts the plan and looks for gaps");

    // Sets the effort through the palette. It stays the same after another screen was shown.
    window.press("Control+k");
    window.fill("Search actions and plans", "effort quick");
    window.press("Enter");
    window.find("button", "Effort: Quick");
    window.script("document.activeElement?.blur();", Vec::new());
    window.chord("g n");
    window.find("heading", "Insights");
    window.press("Control+n");
    window.find("button", "Effort: Quick");
    assert!(server.requests().is_empty(), "estimates call no model");
    assert_eq!(plans(&project), 0);
}

#[test]
fn the_effort_of_the_next_plan_is_chosen_in_the_header_of_a_plan() {
    let server = ModelServer::start(Scenario::new([]));
    let (home, project) = (home_with(&server), python_report().git());
    let window = open(&home, &project);
    state(&window, RENAME, "auto");
    window.click("button", "Make a plan");
    window.find("tab", "Outline");
    window.click("button", "Effort: Auto, for the next plan");
    window.wait_for_text("Effort for the next plan.");
    hush(&window);
    crate::eyes::look(&window, "header-effort-open-light-1400");
    window.click("menuitemradio", "Quick");
    window.find("button", "Effort: Quick, for the next plan");
    everywhere(
        &window,
        (&home, &json!({})),
        "header-effort",
        Place::Centre,
        |window| {
            window.find("button", "Why this route");
            // In a narrow window, only the goal box has the effort menu.
            let there = window.script("return innerWidth >= 1100;", Vec::new()) == json!(true);
            window.wait_for(
                "the header to have room for it, or not to have it",
                &format!(
                    "(document.querySelector('header [aria-label^=\"Effort\"]') !== null) === {there}"
                ),
            );
        },
    );

    // The effort shortcuts also work while a step is selected.
    window.script("document.activeElement?.blur();", Vec::new());
    window.press("j");
    window.chord("mod+e t");
    window.find("button", "Effort: Thorough, for the next plan");
    window.chord("mod+e q");
    window.press("Control+n");
    window.wait_for(
        "the goal box to say the same",
        "[...document.querySelectorAll('#centre button')].some(one => one.textContent === 'Effort: Quick')",
    );
    crate::eyes::look(&window, "header-effort-first-light-1400");
    assert_eq!(plans(&project), 1);
    assert!(server.requests().is_empty(), "no model was called");
}

#[test]
fn a_route_that_fails_is_repaired_then_the_next_then_rules_and_the_plan_is_labelled() {
    // The deep route reads the goal and drafts twice without success; the fast route drafts twice
    // without success.
    let server = ModelServer::start(Scenario::new([
        Turn::say(READ),
        Turn::say(PROSE),
        Turn::say(PROSE).expecting("could not be used"),
        Turn::say(PROSE),
        Turn::say(PROSE)
            .expecting("could not be used")
            .stall_after(3),
    ]));
    let (home, project) = (home_with(&server), python_report().git());
    let window = open(&home, &project);
    state(&window, OPEN, "thorough");
    window.click("button", "Make a plan");
    server.wait_until_stalled(1);
    window.wait_for(
        "the second solver under way",
        "document.querySelector('[aria-label=\"Attempts\"] li[data-status=running] code')?.textContent === 'gs-llm-fast'",
    );
    window.wait_for_text("characters received");
    assert_eq!(
        solvers(&window, "Attempts"),
        ["gs-llm-deep failed", "gs-llm-fast running"]
    );
    everywhere(
        &window,
        (&home, &json!({})),
        "routes-timeline",
        Place::Centre,
        |window| {
            window.find("button", "Use best plan so far");
            window.find("button", "Cancel");
            bring(window, "[aria-label='Attempts']");
        },
    );
    server.release();

    window.find("tab", "Outline");
    window.find("button", "Why this route");
    window.wait_for_text("Written by templates and rules");
    window.wait_for_text("5 requests");
    window.wait_for_text("Fallback");
    assert_eq!(server.finished().len(), 5);
    assert_eq!(plans(&project), 1, "one plan, and nothing else");
    hush(&window);
    everywhere(
        &window,
        (&home, &json!({})),
        "routes-labelled",
        Place::Centre,
        |window| {
            window.wait_for_text("gs-llm-deep: the model gave two unusable answers");
        },
    );

    // Opens the dialog with the reasons by keyboard. When it closes, focus returns to its button.
    window.tab_to("button", "Why this route");
    window.press("Enter");
    window.find("dialog", "Why this route");
    assert_eq!(
        solvers(&window, "Attempts"),
        [
            "gs-llm-deep failed",
            "gs-llm-fast failed",
            "gs-symbolic weak"
        ]
    );
    window.wait_for_text("thorough plugins first: you chose Thorough");
    window.press("Escape");
    window.wait_until_gone("dialog", "Why this route");
    window.wait_for(
        "the focus to be back",
        "document.activeElement?.textContent === 'Why this route'",
    );
    window.script("document.activeElement?.blur();", Vec::new());
    window.chord("g w");
    window.find("dialog", "Why this route");
    everywhere(
        &window,
        (&home, &json!({})),
        "routes-why",
        Place::Dialog,
        |window| {
            window.find("dialog", "Why this route");
        },
    );
    unfold(&window);
    window.wait_for_text("files scanned");
    everywhere(
        &window,
        (&home, &json!({})),
        "routes-terms",
        Place::Dialog,
        |window| {
            // The dialog shows each term of the score, with its sign and its reason.
            window.wait_for(
                "the terms",
                "[...document.querySelectorAll('[role=dialog] details table td[data-number]')].some(cell => /^[+−]?\\d\\.\\d\\d$/.test(cell.textContent))",
            );
            bring(window, "[aria-label='Order: Writes the plan']");
        },
    );
}

#[test]
fn a_plan_that_is_weak_by_every_route_is_labelled_until_it_is_changed() {
    let vague = "- [ ] **T1** Improve the report\n- [ ] **T2** Clean up\n";
    let server = ModelServer::start(Scenario::new([Turn::say(vague)]));
    let (home, project) = (home_with(&server), python_report().git());
    let settings = json!({
        "auto_expand_thin_plan": false,
        "plannerFallbackOrder": ["planner-default"],
        "defaultKBPlan": ["kb-fast"],
        "defaultGoalSolverPlan": ["gs-llm-fast"],
    });
    home.write_settings(&settings);
    let window = Window::open(&home, [project.path().to_string_lossy()]);
    window.resize(1400, 900);
    window.fill("What do you want to do?", OPEN);
    window.click("button", "Make a plan");
    window.find("tab", "Outline");
    window.wait_for_text("Written by gpt-4o");
    window.wait_for_text("Weak plan");
    server.finished();
    everywhere(
        &window,
        (&home, &settings),
        "routes-weak",
        Place::Centre,
        |window| {
            window.wait_for_text("Weak plan");
        },
    );
    let plan = std::fs::read_dir(project.at("plans"))
        .ok()
        .and_then(|mut all| all.next()?.ok())
        .map(|one| one.path())
        .expect("the plan was written");
    let text = std::fs::read_to_string(&plan).expect("the plan is read");
    std::fs::write(&plan, text.replace("Clean up", "Remove the old report"))
        .expect("the plan is changed");
    window.wait_for_text("Remove the old report");
    window.find("button", "Why this route");
    window.wait_for(
        "nothing to be said of the worth of another revision",
        "!document.body.innerText.includes('Weak plan')",
    );
}

#[test]
fn cancelled_planning_writes_nothing_and_the_goal_stays() {
    let server = ModelServer::start(Scenario::new([Turn::say(PROSE).stall_after(2)]));
    let (home, project) = (home_with(&server), python_report().git());
    let window = open(&home, &project);
    window.fill("What do you want to do?", OPEN);
    window.press("Control+Enter");
    server.wait_until_stalled(1);
    window.find("list", "Attempts");
    // Cancels by shortcut while the goal box has focus.
    window.press("Control+Shift+x");
    window.wait_until_gone("list", "Attempts");
    window.find("button", "Make a plan");
    window.wait_for(
        "the goal in its box",
        &format!("document.getElementById('goal')?.value === {}", json!(OPEN)),
    );
    assert_eq!(plans(&project), 0);
}

#[test]
fn what_there_is_becomes_the_plan_and_what_was_learned_of_it_can_be_forgotten() {
    let server = ModelServer::start(Scenario::new([Turn::say(PROSE).stall_after(2)]));
    let (home, project) = (home_with(&server), python_report().git());
    let window = open(&home, &project);
    state(&window, OPEN, "auto");
    window.click("button", "Make a plan");
    server.wait_until_stalled(1);
    window.wait_for_text("gs-llm-fast");
    window.click("button", "Use best plan so far");
    window.find("tab", "Outline");
    window.wait_for_text("Written by templates and rules");
    window.find("button", "Why this route");
    assert_eq!(plans(&project), 1);

    window.script("document.activeElement?.blur();", Vec::new());
    window.chord("g n");
    window.find("heading", "Routes");
    hush(&window);
    everywhere(
        &window,
        (&home, &json!({})),
        "routes-insights",
        Place::Centre,
        |window| {
            window.find("group", "Routes: ");
            window.wait_for_text("gs-symbolic");
            window.wait_for_text("after 5");
            bring(window, "[aria-labelledby='insights-routes']");
        },
    );
    window.script("document.activeElement?.blur();", Vec::new());
    window.chord("f r");
    window.find("dialog", "Forget all routes?");
    crate::eyes::look(&window, "routes-forget");
    window.click_armed("button", "Forget");
    window.wait_until_gone("dialog", "Forget all routes?");
    window.wait_for_text("Nothing learned yet");
    assert_eq!(plans(&project), 1, "plans are kept");
}
