//! axe reports no serious problem on any screen: light and dark, wide and narrow, and at 200 %
//! zoom.

use planwright_tests::window::Window;
use planwright_tests::{Home, job, stage, wait_until};
use serde_json::json;

/// The source of axe, in the version that `ui/package.json` pins.
fn axe() -> String {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../ui/node_modules/axe-core/axe.min.js"
    );
    std::fs::read_to_string(path).expect("`npm ci` in ui/ installs axe")
}

struct Judge {
    source: String,
    found: Vec<String>,
    looked: usize,
}

impl Judge {
    fn new() -> Self {
        Self {
            source: axe(),
            found: Vec::new(),
            looked: 0,
        }
    }

    fn look(&mut self, window: &Window, screen: &str) {
        window.settle();
        self.looked += 1;
        let lines = window.axe(&self.source);
        self.found
            .extend(lines.into_iter().map(|line| format!("{screen}: {line}")));
    }

    #[track_caller]
    fn assert_clean(&self, least: usize) {
        assert!(self.looked >= least, "{} looks", self.looked);
        assert!(
            self.found.is_empty(),
            "{} looks, found:\n{}",
            self.looked,
            self.found.join("\n")
        );
    }
}

fn home(theme: &str) -> Home {
    let home = Home::new();
    home.write_settings(&json!({"theme": theme}));
    home
}

/// Checks every screen that needs no run.
fn look_at_all(window: &Window, judge: &mut Judge, at: &str, is_wide: bool) {
    for (keys, heading) in [
        ("Control+n", "What do you want to do?"),
        ("g i", "Inbox"),
        ("g n", "Insights"),
        ("g t", "Templates"),
        ("Control+,", "Settings"),
    ] {
        window.chord(keys);
        // The goal box takes focus when it is shown. Without the `blur` below, the next keys would
        // be typed into it.
        window.find("heading", heading);
        judge.look(window, &format!("{heading} {at}"));
        window.script("document.activeElement.blur();", Vec::new());
    }
    window.chord("g o");
    window.find("row", "Find where the report rows are built");
    judge.look(window, &format!("plan {at}"));
    look_at_the_views(window, judge, at);
    for tab in [
        ("g k", "Talk"),
        ("g f", "Findings"),
        ("g v", "Review"),
        ("g r", "Run"),
        ("g c", "Changes"),
    ] {
        window.chord(tab.0);
        window.find("tab", tab.1);
        judge.look(window, &format!("{} {at}", tab.1));
        if !is_wide {
            window.press("Escape");
            window.wait_until_gone("dialog", "Panel");
        }
    }
    window.press("j");
    window.press("e");
    window.find("textbox", "Title");
    judge.look(window, &format!("open step {at}"));
    window.press("Escape");
    window.wait_until_gone("textbox", "Title");
    for (keys, dialog) in [
        ("p a", "Approve and run"),
        ("p n", "Approve with notes"),
        ("p c", "Request changes"),
        ("p e", "Expand the plan"),
        ("?", "Keyboard shortcuts"),
        ("Control+k", "All actions"),
    ] {
        window.chord(keys);
        window.find("dialog", dialog);
        judge.look(window, &format!("{dialog} {at}"));
        window.press("Escape");
        window.wait_until_gone("dialog", dialog);
    }
}

/// Checks the other views of the plan; ends in the outline.
fn look_at_the_views(window: &Window, judge: &mut Judge, at: &str) {
    window.chord("v g");
    window.wait_for(
        "the graph to be drawn",
        "document.querySelectorAll('.react-flow__node').length > 4",
    );
    judge.look(window, &format!("Graph {at}"));
    window.chord("v s");
    window.wait_for(
        "the source to be there",
        "document.querySelectorAll('.cm-line').length > 3",
    );
    judge.look(window, &format!("Source {at}"));
    window.script("document.activeElement.blur();", Vec::new());
    window.chord("v h");
    window.wait_for_text("Compare with current");
    judge.look(window, &format!("History {at}"));
    window.chord("v o");
    window.find("row", "Find where the report rows are built");
    window.press("/");
    window.find("textbox", "Filter steps by text");
    window.type_text("report");
    window.wait_for_text(" steps");
    judge.look(window, &format!("a filtered outline {at}"));
    window.press("Escape");
    window.script("document.activeElement.blur();", Vec::new());
    window.press("Control+Shift+f");
    window.find("dialog", "Search");
    window.type_text("report");
    judge.look(window, &format!("Search {at}"));
    window.press("Escape");
    window.wait_until_gone("dialog", "Search");
    window.press("j");
    window.settle();
    window.press("s");
    window.find("dialog", "Split ");
    judge.look(window, &format!("Split {at}"));
    window.press("Escape");
    window.wait_until_gone("dialog", "Split ");
}

fn look_everywhere(theme: &str) {
    let home = home(theme);
    let window = Window::open(&home, [""; 0]);
    window.resize(1400, 880);
    let scheme = format!("document.documentElement.dataset.mantineColorScheme === '{theme}'");
    window.wait_for("the theme", &scheme);
    let mut judge = Judge::new();
    judge.look(&window, "first screen of a new user");
    job::open_sample(&window);
    for width in [1400, 900] {
        window.resize(width, 880);
        look_at_all(
            &window,
            &mut judge,
            &format!("at {width}, {theme}"),
            width == 1400,
        );
    }
    window.resize(1400, 880);
    for _ in 0..5 {
        window.press("Control+=");
    }
    window.wait_for("200 %", "innerWidth <= 702");
    look_at_all(&window, &mut judge, &format!("at 200 %, {theme}"), false);
    judge.assert_clean(60);
}

#[test]
fn axe_finds_nothing_serious_in_the_light() {
    look_everywhere("light");
}

#[test]
fn axe_finds_nothing_serious_in_the_dark() {
    look_everywhere("dark");
}

/// Checks a run with its cards, and its receipt.
fn look_at_a_run(theme: &str) {
    let home = home(theme);
    let window = Window::open(&home, [""; 0]);
    window.resize(1400, 880);
    let mut judge = Judge::new();
    job::open_sample(&window);
    window.chord("p a");
    window.click("radio", "Ask before each step");
    window.click_armed("button", "Approve and run");
    window.find("region", "Start T2?");
    judge.look(&window, "a step that asks to start");
    window.click_armed("button", "Approve and continue");
    window.find("region", "D1 needs your answer");
    judge.look(&window, "a decision");
    window.chord("g i");
    window.find("heading", "Inbox");
    window.find("region", "D1 needs your answer");
    judge.look(&window, "the Inbox with a card");
    window.chord("g o");
    window.click_armed("button", "One object per line");
    window.find("region", "Start T3?");
    window.click_armed("button", "Approve and continue");
    window.find("region", "C1: review checkpoint");
    judge.look(&window, "a checkpoint");
    window.chord("g c");
    window.find("region", "src/report.py");
    judge.look(&window, "Changes with a diff");
    window.resize(900, 880);
    window.chord("g r");
    window.find("region", "C1: review checkpoint");
    judge.look(&window, "a checkpoint in the drawer");
    window.click_armed("button", "Continue");
    window.find("region", "Start T5?");
    window.resize(1400, 880);
    window.chord("g r");
    window.click_armed("button", "Approve and continue");
    window.find("region", "T6 is yours");
    judge.look(&window, "a person's own step");
    window.fill("Note", "read");
    window.click_armed("button", "Mark as done");
    wait_until("the run to be done", || {
        stage::runs(&home)[0]["state"] == "done"
    });
    window.find("button", "Receipt");
    judge.look(&window, "a run that is done");
    window.chord("r e");
    window.find("dialog", "Receipt");
    window.wait_for_text("Approved revision");
    judge.look(&window, "the receipt");
    judge.assert_clean(9);
}

#[test]
fn axe_finds_nothing_serious_in_a_run_in_the_light() {
    look_at_a_run("light");
}

#[test]
fn axe_finds_nothing_serious_in_a_run_in_the_dark() {
    look_at_a_run("dark");
}
