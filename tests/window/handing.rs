//! Delegating a step to a user-defined command in the window: the command is chosen in the approval
//! dialog, shown while it works, and named in the receipt. Also tests copying the step's brief.

use planwright_tests::window::Window;
use planwright_tests::{Home, Project, stage, wait_until};
use serde_json::{Value, json};

use crate::eyes::{Place, bring, everywhere, hush, run_is_shown};

const PLAN: &str = "\
---
planwright: 1
goal: Greet in German
---
# Greet in German

## Requirements
- R1 the greeting is German

## Tasks
- [ ] **T1** Look for the greeting
  - call: `search_files {\"pattern\": \"GREETING\"}`
- [ ] **T2** Change the greeting in `hello.py` to Moin
  Leave the file's name as it is.
  - depends: T1
  - files: `hello.py`
  - covers: R1
  - verify: `grep -q Moin hello.py`
";

/// A script that acts as the agent. Finishes once the file `go.seen` exists, or fails after a
/// minute.
const AGENT: &str = "\
cat > brief.seen
echo \"Reading the brief: one step, one file.\"
echo \"Changing hello.py\"
n=0
until [ -e go.seen ]; do n=$((n+1)); [ $n -lt 1200 ] || exit 9; sleep 0.05; done
sed -i s/Hello/Moin/ hello.py
echo \"All done, every check passes!\"
";

struct Open {
    home: Home,
    settings: Value,
    project: Project,
    window: Window,
}

fn open() -> Open {
    let home = Home::new();
    let settings = json!({"executors": [{"name": "other-agent", "command": ["sh", "agent.sh"], "timeout_s": 600}]});
    home.write_settings(&settings);
    let project = Project::named("greeter")
        .file("plans/p.md", PLAN)
        .file("hello.py", "GREETING = \"Hello\"\n")
        .file(".gitignore", "*.seen\n")
        .file("agent.sh", AGENT)
        .git();
    let plan = project.at("plans/p.md").to_string_lossy().into_owned();
    let window = Window::open(&home, [plan]);
    window.resize(1400, 900);
    window.find("row", "Change the greeting");
    Open {
        home,
        settings,
        project,
        window,
    }
}

#[test]
fn a_step_goes_to_another_command_that_is_chosen_watched_and_named() {
    let Open {
        home,
        settings,
        project,
        window,
    } = open();
    let look = |name: &str, place: Place, there: &dyn Fn(&Window)| {
        everywhere(&window, (&home, &settings), name, place, there);
    };

    // The command is chosen by keyboard alone; until then the step is assigned to the person.
    window.click("button", "Approve and run…");
    window.find("dialog", "Approve and run");
    window.wait_for_text("no model: steps without tool calls are yours");
    window.tab_to("button", "Run options");
    window.press("Enter");
    window.tab_to("radio", "You");
    window.press("ArrowUp");
    window.wait_for_text("other-agent: sh agent.sh");
    look("handing-choice", Place::Dialog, &|window| {
        window.find("radio", "other-agent");
        window.wait_for_text("without network access, for up to 10 min");
        bring(window, "[role=dialog] [role=radiogroup]:last-of-type");
    });
    window.click("radio", "Run approved steps without asking");
    window.click_armed("button", "Approve and run");
    window.wait_until_gone("dialog", "Approve and run");

    // The command's name and output are shown while it works.
    run_is_shown(&window);
    window.wait_for_text("Reading the brief: one step, one file.");
    look("handing-run", Place::Panel, &|window| {
        window.wait_for_text("Handed off to other-agent");
        window.find("region", "Live output");
        window.wait_for_text("Changing hello.py");
    });
    assert!(project.read("brief.seen").contains("Your step, T2"));
    project.write("go.seen", "");
    wait_until("the run to have ended", || {
        stage::runs(&home)[0]["state"] == "done"
    });
    assert_eq!(project.read("hello.py"), "GREETING = \"Moin\"\n");

    window.click("button", "Receipt");
    look("handing-receipt", Place::Dialog, &|window| {
        window.find("dialog", "Receipt");
        window.wait_for_text("Handed off to other-agent: sh agent.sh");
    });
    let run = stage::runs(&home)[0]["run"]
        .as_str()
        .expect("an id")
        .to_owned();
    let receipt = stage::receipt(&home, &run);
    assert_eq!(
        receipt["steps"][1]["handed_to"],
        json!({"to": "other-agent", "line": "sh agent.sh"}),
        "{receipt:#}"
    );
    assert_eq!(stage::step_state(&receipt, "T2"), "done");
}

#[test]
fn the_brief_of_a_step_is_copied_and_the_settings_name_the_commands() {
    let Open {
        home,
        settings,
        window,
        project: _project,
    } = open();
    window.click("row", "Change the greeting");
    window.press("Control+k");
    window.fill("Search actions and plans", "brief");
    window.find("option", "Copy step as brief");
    window.press("Enter");
    window.wait_for_text("Brief for T2 copied");
    hush(&window);

    // Pastes the brief, to check that it is in the clipboard.
    window.script("document.activeElement?.blur();", Vec::new());
    window.press("Control+n");
    window.find("textbox", "What do you want to do?");
    window.press("Control+v");
    window.wait_for(
        "the brief to be pasted",
        "[...document.querySelectorAll('textarea')].some(e => e.value.includes('Change the greeting') && e.value.includes('grep -q Moin hello.py'))",
    );
    window.script("document.activeElement?.blur();", Vec::new());
    window.press("Control+,");
    window.find("heading", "Executors");
    everywhere(
        &window,
        (&home, &settings),
        "handing-settings",
        Place::Centre,
        |window| {
            bring(window, "#executors");
            window.wait_for_text("sh agent.sh");
            window.wait_for_text("without network access, for up to 10 min");
        },
    );
}
