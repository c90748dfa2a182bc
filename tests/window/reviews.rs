//! Another agent asks for a review of a plan: the window shows which agent is waiting, and passes
//! the person's decision on to it. The test acts as the agent through its own connection to the
//! same data.

use planwright_tests::window::Window;
use planwright_tests::{Home, Project};
use workbench::{AskedReview, Environment, ReviewOutcome, ReviewRequest, Workbench};

use crate::eyes::look;

const AGENT: &str = "Claude Code";
const STRIP: &str = "Claude Code is waiting for your decision on this plan.";
const APPROVE: &str = "Approve for Claude Code…";

const PLAN: &str = "\
# Greet in German

## Requirements
- R1 the greeting is German

## Tasks
- [ ] **T1** Look for the greeting
  - call: `search_files {\"pattern\": \"GREETING\"}`
- [ ] **T2** Change the greeting in `hello.py` to Moin
  - depends: T1
  - files: `hello.py`
  - covers: R1
  - verify: `grep -q Moin hello.py`
";

/// A project with the agent's connection to the data.
struct Stage {
    home: Home,
    project: Project,
    bench: Workbench,
}

impl Stage {
    fn new() -> Self {
        let home = Home::new();
        let project = Project::named("greeter")
            .file("hello.py", "GREETING = \"Hello\"\n")
            .git();
        let environment = Environment {
            variables: vec![("PLANWRIGHT_HOME".to_owned(), home.path().into())],
            cwd: project.path().to_owned(),
            program: "/nonexistent".into(),
        };
        let (bench, _) = Workbench::open(environment).expect("the data opens");
        Self {
            home,
            project,
            bench,
        }
    }

    fn ask(&self, session: &str, text: &str) -> AskedReview {
        let request = ReviewRequest {
            folder: self.project.path(),
            agent: AGENT,
            agent_session: session,
            text,
            file: None,
            waits: false,
        };
        self.bench.ask_for_review(&request).expect("a review")
    }

    /// Opens the window with the plan, as an agent's process does.
    fn open(&self, asked: &AskedReview) -> Window {
        self.open_in(asked, "light")
    }

    fn open_in(&self, asked: &AskedReview, theme: &str) -> Window {
        self.home
            .write_settings(&serde_json::json!({ "theme": theme }));
        let plan = asked.plan.to_string_lossy().into_owned();
        let window = Window::open(&self.home, [plan]);
        window.resize(1400, 900);
        window.find("row", "Change the greeting");
        window
    }

    fn outcome(&self, asked: &AskedReview) -> ReviewOutcome {
        self.bench.review_outcome(&asked.id).expect("an outcome")
    }
}

/// Enters the reason for overriding the quality gate, if the dialog asks for one.
#[track_caller]
fn give_reason(window: &Window) {
    if window.has("textbox", "Reason for override") {
        window.fill("Reason for override", "It is small.");
    }
}

#[test]
fn a_waiting_agent_is_seen_in_the_dark_and_in_a_narrow_window() {
    let stage = Stage::new();
    let asked = stage.ask("s1", PLAN);
    let window = stage.open_in(&asked, "dark");
    for width in [1400, 900, 500] {
        window.resize(width, 900);
        window.wait_for_text(STRIP);
        look(&window, &format!("reviews-strip-{width}-dark"));
    }
    window.click("button", APPROVE);
    window.find("dialog", "Approve for Claude Code");
    look(&window, "reviews-approve-500-dark");
    assert_eq!(stage.outcome(&asked), ReviewOutcome::Waiting);
}

#[test]
fn an_agent_that_waits_is_shown_and_told_what_the_person_decides() {
    let stage = Stage::new();
    let asked = stage.ask("s1", PLAN);
    let window = stage.open(&asked);
    window.wait_for_text(STRIP);
    look(&window, "reviews-strip");

    // Only the dialog approves, and its confirm button doesn't have focus at first.
    window.click("button", "More actions");
    window.wait_for_text("Approve and run here…");
    window.shot("reviews-verbs");
    window.press("Escape");
    window.click("button", APPROVE);
    window.find("dialog", "Approve for Claude Code");
    window.wait_for_text("carries out the plan itself, outside Planwright’s sandbox");
    assert!(window.focus().contains("Cancel"), "{}", window.focus());
    assert_eq!(stage.outcome(&asked), ReviewOutcome::Waiting);
    give_reason(&window);
    look(&window, "reviews-approve");
    window.click_armed("button", "Approve");
    window.wait_for_text("Planwright told Claude Code to carry out revision");
    window.wait_until_gone("status", STRIP);
    window.shot("reviews-approved");
    let file = std::fs::read_to_string(&asked.plan).expect("the plan");
    let approved = ReviewOutcome::Approved {
        text: file,
        revision: asked.revision.clone(),
        is_changed: false,
    };
    assert_eq!(stage.outcome(&asked), approved);
    assert!(
        planwright_tests::stage::runs(&stage.home).is_empty(),
        "Planwright runs nothing"
    );

    // A window that is already open shows a new review, and notices when it is withdrawn.
    let again = stage.ask("s1", &PLAN.replace("Moin", "Servus"));
    window.wait_for_text(STRIP);
    let reason = "the agent was stopped";
    stage
        .bench
        .withdraw_review(&again.id, reason)
        .expect("withdrawn");
    window.wait_for("the strip to be gone", &gone(STRIP));

    // Requests changes by keyboard alone.
    let again = stage.ask("s1", PLAN);
    window.wait_for_text(STRIP);
    window.script("document.activeElement?.blur();", Vec::new());
    window.chord("p c");
    window.find("dialog", "Request changes");
    window.wait_for(
        "the field to have the focus",
        "document.activeElement?.tagName === 'TEXTAREA'",
    );
    window.type_text("Say Servus instead.");
    look(&window, "reviews-request");
    window.tab_to("button", "Request changes");
    window.press("Enter");
    window.wait_for_text("Claude Code has your feedback.");
    window.wait_for("the strip to be gone", &gone(STRIP));
    let wanted = ReviewOutcome::ChangesRequested("Say Servus instead.".to_owned());
    assert_eq!(stage.outcome(&again), wanted);
}

#[test]
fn notes_reach_the_agent_with_the_plan_that_it_carries_out() {
    let stage = Stage::new();
    let asked = stage.ask("s2", PLAN);
    let window = stage.open(&asked);
    window.wait_for_text(STRIP);
    window.chord("p n");
    window.find("dialog", "Approve with notes");
    window.fill("Change the greeting", "Keep the file's name.");
    assert!(!window.has("checkbox", "Run now"));
    window.click("button", "Preview the plan");
    window.wait_for_text("PLAN WITH NOTES");
    give_reason(&window);
    window.shot("reviews-notes");
    window.click_armed("button", "Approve");
    window.wait_for_text("Planwright told Claude Code to carry out revision");
    window.wait_for("the strip to be gone", &gone(STRIP));
    match stage.outcome(&asked) {
        ReviewOutcome::Approved {
            text, is_changed, ..
        } => {
            assert!(is_changed);
            assert!(text.contains("Keep the file's name."), "{text}");
            assert_eq!(
                text,
                std::fs::read_to_string(&asked.plan).expect("the plan")
            );
        }
        other => panic!("{other:?}"),
    }

    // The Inbox names the agent; its button opens the plan.
    let again = stage.ask("s3", &PLAN.replace("Greet in German", "Greet in Dutch"));
    window.press("Control+k");
    window.fill("Search actions and plans", "inbox");
    window.press("Enter");
    window.wait_for_text("Claude Code is waiting for your decision.");
    look(&window, "reviews-inbox");
    window.click("button", "Open Greet in Dutch");
    window.wait_for_text(STRIP);
    assert_eq!(stage.outcome(&again), ReviewOutcome::Waiting);
}

/// An expression that is true once the page doesn't show this text.
fn gone(words: &str) -> String {
    format!(
        "!document.body.innerText.includes({})",
        serde_json::json!(words)
    )
}
