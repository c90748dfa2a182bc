//! Settings → Agents: which agents are on this machine, a trial of one, and the hook of another.
//! Also tests plans that an agent writes for a goal and revises. The agents are scripts, named in
//! the user's settings.

use planwright_tests::window::Window;
use planwright_tests::{Home, Project};
use serde_json::{Value, json};

use crate::eyes::{bring, hush, look};

/// An agent: proposes the same plan for every prompt. With the argument `slow`, it takes long to
/// start.
const AGENT: &str = r##"
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9][0-9]*\).*/\1/p')
  case "$line" in
    *'"method":"initialize"'*) [ "$1" = slow ] && sleep 100; printf '%s\n' '{"jsonrpc":"2.0","id":'"$id"',"result":{"protocolVersion":1}}';;
    *'"method":"session/new"'*) printf '%s\n' '{"jsonrpc":"2.0","id":'"$id"',"result":{"sessionId":"s1","modes":{"currentModeId":"auto","availableModes":[{"id":"auto"},{"id":"plan"}]}}}';;
    *'"method":"session/prompt"'*)
      printf '%s\n' '{"jsonrpc":"2.0","id":"p","method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"c","kind":"switch_mode","title":"Plan:","rawInput":{"plan":"# Greet in German\n\n## Tasks\n- [ ] **T1** Change the greeting in `hello.py` to Moin\n  - files: `hello.py`\n  - verify: `grep -q Moin hello.py`\n"}},"options":[{"optionId":"cancel","kind":"reject_once","name":"No"}]}}'
      IFS= read -r reply
      printf '%s\n' '{"jsonrpc":"2.0","id":'"$id"',"result":{"stopReason":"end_turn","usage":{"inputTokens":1000,"outputTokens":50}}}';;
    *) printf '%s\n' '{"jsonrpc":"2.0","id":'"$id"',"result":{}}';;
  esac
done
"##;

fn project() -> Project {
    Project::named("greeter")
        .file("hello.py", "GREETING = \"Hello\"\n")
        .file("agent.sh", AGENT)
        .git()
}

fn settings(project: &Project, theme: &str) -> Value {
    let script = project.at("agent.sh");
    json!({
        "theme": theme,
        "agents": [
            {"name": "scripted", "like": "qwen", "command": ["/bin/sh", script], "env": ["SCRIPTED_KEY"]},
            {"name": "slow", "like": "claude", "command": ["/bin/sh", script, "slow"], "network": false},
            {"name": "broken", "command": ["/nowhere/agent"]},
        ],
    })
}

fn open() -> (Home, Project, Window) {
    let home = Home::new();
    let project = project();
    home.write_settings(&settings(&project, "light"));
    let window = Window::open(&home, [project.path().to_string_lossy().into_owned()]);
    window.resize(1400, 900);
    window.find("heading", "What do you want to do?");
    (home, project, window)
}

fn open_settings() -> (Home, Project, Window) {
    let (home, project, window) = open();
    window.click("button", "Settings");
    window.find("heading", "Agents");
    window.wait_for_text("scripted");
    (home, project, window)
}

#[test]
fn a_person_sees_which_agents_are_there_and_tries_one() {
    let (home, project, window) = open_settings();
    window.wait_for_text("It writes files through Planwright.");
    window.wait_for_text(
        "It works in a private copy; Planwright checks its changes, then applies them.",
    );
    window.wait_for_text("From your environment, it gets SCRIPTED_KEY, if set.");
    window.wait_for_text("It has no network access.");
    // An agent whose program doesn't exist is listed too.
    window.wait_for_text("/nowhere/agent");
    // The command that installs another agent's hook is shown.
    window.wait_for_text("planwright hook install claude");

    bring(&window, "#agents");
    window.tab_to("button", "Try scripted");
    assert!(window.focus_is_visible());
    window.press("Enter");
    window.wait_for_text("In plan mode after");
    window.wait_for_text("Its modes: auto, plan.");
    assert_eq!(project.read("hello.py"), "GREETING = \"Hello\"\n");

    for theme in ["light", "dark"] {
        home.write_settings(&settings(&project, theme));
        window.wait_for(
            &format!("the page to be {theme}"),
            &format!("document.documentElement.dataset.mantineColorScheme === '{theme}'"),
        );
        for width in [1400, 900, 500] {
            window.resize(width, 900);
            bring(&window, "#agents");
            look(&window, &format!("agents-{theme}-{width}"));
            window.script(
                "document.querySelector('#agents').scrollIntoView({ block: 'start' });",
                Vec::new(),
            );
            look(&window, &format!("agents-list-{theme}-{width}"));
        }
    }
}

#[test]
fn an_agent_writes_the_plan_for_a_goal() {
    for theme in ["light", "dark"] {
        let home = Home::new();
        let project = project();
        home.write_settings(&settings(&project, theme));
        let window = Window::open(&home, [project.path().to_string_lossy().into_owned()]);
        window.resize(1400, 900);
        window.fill("What do you want to do?", "Make the greeting German");
        window.wait_for_text("Or have it written by");
        for width in [1400, 900, 500] {
            window.resize(width, 900);
            look(&window, &format!("agents-goal-{theme}-{width}"));
        }
        window.tab_to("button", "Have the plan written by scripted");
        window.press("Enter");
        window.find("row", "Change the greeting");
        window.resize(1400, 900);
        look(&window, &format!("agents-planned-{theme}"));
        let plan = project.read("plans/greet-in-german.md");
        let head = "---\nplanwright: 1\ngoal: Make the greeting German\n---\n# Greet in German";
        assert!(plan.starts_with(head), "{plan}");
        assert_eq!(project.read("hello.py"), "GREETING = \"Hello\"\n");
    }
}

#[test]
fn the_agent_that_wrote_a_plan_revises_it() {
    const WORKING: &str = "scripted reads the plan and revises it";
    let (home, project, window) = open();
    window.fill("What do you want to do?", "Make the greeting German");
    window.tab_to("button", "Have the plan written by scripted");
    window.press("Enter");
    window.find("row", "Change the greeting");
    let before = project.read("plans/greet-in-german.md");

    // The agent starts to revise the plan and doesn't finish by itself.
    let hangs = r#"*'"method":"session/prompt"'*) sleep 100"#;
    let prompt = r#"*'"method":"session/prompt"'*)"#;
    std::fs::write(
        project.at("agent.sh"),
        AGENT.replace(prompt, &format!("{hangs};;\n    {prompt}")),
    )
    .unwrap();
    hush(&window);
    window.chord("p c");
    window.find("dialog", "Request changes");
    window.fill("What should change", "Say Servus");
    window.find("radiogroup", "Revised by");
    for (theme, width) in [("light", 1400), ("dark", 900), ("light", 500)] {
        home.write_settings(&settings(&project, theme));
        window.wait_for(
            &format!("the page to be {theme}"),
            &format!("document.documentElement.dataset.mantineColorScheme === '{theme}'"),
        );
        window.resize(width, 900);
        look(&window, &format!("agents-request-{theme}-{width}"));
    }
    window.resize(1400, 900);
    window.click("button", "Request changes");
    window.wait_for_text(WORKING);
    hush(&window);
    look(&window, "agents-revising");

    // The window stays usable while the agent works.
    window.click("tab", "Source");
    window.click("tab", "Outline");
    window.find("row", "Change the greeting");
    window.wait_for_text(WORKING);
    window.click("button", "Cancel");
    window.wait_for_text("The revision by scripted was cancelled.");
    look(&window, "agents-revision-cancelled");
    assert_eq!(project.read("plans/greet-in-german.md"), before);

    // When the agent fails, the cause is shown and the request is kept.
    std::fs::write(project.at("agent.sh"), "echo 'no key is set' >&2; exit 3\n").unwrap();
    window.click("button", "Send again…");
    window.wait_for_text("1 COMMENT INCLUDED");
    window.click("button", "Request changes");
    window.wait_for_text("scripted didn’t revise the plan.");
    window.wait_for_text("no key is set");
    hush(&window);
    look(&window, "agents-revision-failed");

    // The agent revises the plan, which still needs approval.
    let servus = AGENT.replace("Moin", "Servus");
    std::fs::write(project.at("agent.sh"), servus).unwrap();
    window.click("button", "Send again…");
    window.wait_for_text("1 COMMENT INCLUDED");
    window.click("button", "Request changes");
    window.wait_for_text("scripted revised the plan");
    window.wait_for_text("to Servus");
    window.find("button", "Approve and run…");
    look(&window, "agents-revised");
    let after = project.read("plans/greet-in-german.md");
    assert_eq!(after, before.replace("Moin", "Servus"));
    assert_eq!(project.read("hello.py"), "GREETING = \"Hello\"\n");
    window.chord("p c");
    window.find("dialog", "Request changes");
    assert!(!window.shows("COMMENT INCLUDED"));
}

#[test]
fn a_trial_can_be_cancelled_and_a_failure_is_explained() {
    let (home, project, window) = open_settings();
    window.click("button", "Try slow");
    window.wait_for_text("Starting slow");
    window.click("button", "Cancel");
    window.wait_for_text("cancelled");

    std::fs::write(project.at("agent.sh"), "echo 'no key is set' >&2; exit 3\n").unwrap();
    window.click("button", "Try scripted");
    window.wait_for_text("no key is set");
    bring(&window, "#agents");
    look(&window, "agents-failed");

    // Agents that are removed from the settings disappear from the list.
    home.write_settings(&json!({}));
    window.wait_for(
        "the entries to be gone",
        "!document.querySelector('main, body').innerText.includes('scripted')",
    );
    look(&window, "agents-none");
}
