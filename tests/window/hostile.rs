//! A hostile plan: nothing in it runs, nothing is fetched, and the layout stays intact.

use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use planwright_tests::window::Window;
use planwright_tests::{Home, Project};
use serde_json::{Value, json};

/// The other views of the plan: each with its name, its shortcut, and a script condition that is
/// true once the view is drawn.
const VIEWS: [(&str, &str, &str); 3] = [
    (
        "graph",
        "v g",
        "document.querySelectorAll('.react-flow__node').length >= 2",
    ),
    (
        "source",
        "v s",
        "document.querySelectorAll('.cm-line').length > 3",
    ),
    (
        "history",
        "v h",
        "document.body.innerText.includes('Compare with current')",
    ),
];

/// Counts connections to a port of this machine.
struct Listener {
    port: u16,
    connections: Arc<AtomicU32>,
}

impl Listener {
    fn new() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let connections = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&connections);
        std::thread::spawn(move || {
            for _ in listener.incoming() {
                counted.fetch_add(1, Ordering::SeqCst);
            }
        });
        Self { port, connections }
    }
}

fn hostile_plan(port: u16) -> String {
    let site = format!("http://127.0.0.1:{port}");
    let long = "w".repeat(10_000);
    let prose = [
        "<script>window.__evil = 'script'; document.title = 'evil'</script>".to_owned(),
        format!("<script src=\"{site}/s.js\"></script>"),
        "<img src=x onerror=\"window.__evil = 'onerror'\">".to_owned(),
        format!("<img src=\"{site}/i.png\"> ![remote]({site}/j.png) ![data](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+)"),
        "<svg onload=\"window.__evil = 'svg'\"><script>window.__evil = 'svg script'</script></svg>".to_owned(),
        format!("<iframe src=\"{site}/f\"></iframe><object data=\"{site}/o\"></object><embed src=\"{site}/e\">"),
        format!("<link rel=stylesheet href=\"{site}/c.css\"><style>@import url({site}/d.css); #root {{ display: none }}</style>"),
        format!("<form action=\"{site}/p\"><button>Approve and run…</button></form><meta http-equiv=refresh content=\"0;url={site}\">"),
        "[javascript](javascript:window.__evil='link') [data](data:text/html,<script>parent.__evil='data'</script>) [vb](vbscript:x)".to_owned(),
        format!("[a link]({site}/l) <{site}/auto> <a href=\"{site}/h\" onclick=\"window.__evil='click'\">html link</a>"),
        "<div style=\"position:fixed;inset:0;background:red;z-index:99999\">over everything</div>".to_owned(),
        format!("A word: {long}"),
        "Right to left: \u{202e}txt.exe\u{202c} \u{2066}isolated\u{2069} עברית العربية".to_owned(),
    ]
    .join("\n\n");
    let word = "t".repeat(10_000);
    format!(
        "---\nplanwright: 1\nid: hostile-5h2q\ngoal: <b onmouseover=\"window.__evil='goal'\">goal</b> {word}\n---\n\
         # <img src=x onerror=\"window.__evil='title'\"> Title {word}\n\n{prose}\n\n\
         ## Requirements\n- R1 <script>window.__evil='requirement'</script> {word}\n\n\
         ## Tasks\n\
         - [ ] **T1** <svg onload=\"window.__evil='task'\"> {word}\n\n  {}\n\n  - files: `{word}`\n  - call: `run_command {{\"command\": \"echo \\u202e\\u0007 safe; echo {word}\"}}`\n  - covers: R1\n\
         - [ ] **T2** \u{202e}desrever si siht\n  - verify: `echo \u{202e}\u{7}\u{1b}[31m red`\n  - by: person\n\
         ## <script>window.__evil='section'</script>\n{prose}\n",
        prose.replace('\n', "\n  ")
    )
}

const WATCH: &str = "
window.__violations ??= [];
if (!window.__watched) { window.__watched = true;
  document.addEventListener('securitypolicyviolation', e => window.__violations.push(e.violatedDirective + ' ' + e.blockedURI)); }
return true;";

const LOOK: &str = r"
const box = e => e ? e.getBoundingClientRect() : null;
const main = box(document.querySelector('#centre')), bar = box(document.querySelector('section[aria-label^=Plan]')), head = box(document.querySelector('header'));
const wide = document.scrollingElement.scrollWidth - innerWidth;
return {
  evil: window.__evil ?? null, title: document.title.startsWith('evil'), violations: window.__violations,
  wide, centre: main && main.width > 200 && main.height > 100 && main.left >= 0 && main.right <= innerWidth + 1,
  bar: bar && bar.height > 20 && bar.height < 200 && bar.bottom <= innerHeight + 1 && bar.right <= innerWidth + 1,
  head: head && head.top >= 0 && head.height > 20 && head.height < 120,
  sideways: document.querySelector('#centre').scrollWidth - document.querySelector('#centre').clientWidth,
  foreign: [...document.querySelectorAll('iframe, object, embed, form, link[rel=stylesheet][href^=http], img[src^=http], script[src^=http], [onerror], [onload], [onclick], [onmouseover], a[href^=javascript], a[href^=data]')].map(e => e.outerHTML.slice(0, 120)),
};";

#[track_caller]
fn assert_harmless(window: &Window, where_at: &str) {
    window.settle();
    let seen: Value = window.script(LOOK, Vec::new());
    let expected = json!({
        "evil": null, "title": false, "violations": [], "wide": 0, "centre": true, "bar": true,
        "head": true, "sideways": 0, "foreign": [],
    });
    assert_eq!(seen, expected, "{where_at}");
}

#[test]
fn a_hostile_plan_runs_nothing_fetches_nothing_and_keeps_the_layout() {
    let listener = Listener::new();
    let (home, project) = (
        Home::new(),
        Project::new().file("plans/p.md", hostile_plan(listener.port)),
    );
    let path = project.at("plans/p.md").to_string_lossy().into_owned();
    let window = Window::open(&home, [path]);
    window.script(WATCH, Vec::new());
    window.wait_for(
        "the rows",
        "document.querySelector('[data-task=T1]') !== null",
    );
    for width in [1400, 900, 400] {
        window.resize(width, 880);
        assert_harmless(&window, &format!("outline at {width}"));
        window.shot(&format!("hostile-{width}"));
    }
    for (view, keys, there) in VIEWS {
        window.resize(1400, 880);
        window.script("document.activeElement?.blur();", Vec::new());
        window.chord(keys);
        window.wait_for(view, there);
        for width in [1400, 900, 400] {
            window.resize(width, 880);
            assert_harmless(&window, &format!("{view} at {width}"));
            window.shot(&format!("hostile-{view}-{width}"));
        }
    }
    window.resize(1400, 880);
    window.script("document.activeElement?.blur();", Vec::new());
    window.chord("v o");
    window.wait_for(
        "the rows again",
        "document.querySelector('[role=treegrid] [data-task=T1]') !== null",
    );
    for (tab, keys) in [
        ("Talk", "g k"),
        ("Review", "g v"),
        ("Findings", "g f"),
        ("Run", "g r"),
        ("Changes", "g c"),
    ] {
        window.chord(keys);
        window.wait_for(tab, &format!("[...document.querySelectorAll('[role=tab][aria-selected=true]')].some(e => e.textContent.startsWith('{tab}'))"));
        assert_harmless(&window, tab);
    }
    window.press("j");
    window.press("e");
    window.find("textbox", "Title");
    assert_harmless(&window, "the open step");
    window.press("Escape");
    window.chord("p a");
    window.find("dialog", "Approve and run");
    window.wait_for_text("WILL RUN");
    assert_harmless(&window, "the approval");
    window.shot("hostile-approve");
    // The character that would reverse the command is shown as a visible mark.
    let marks = window.script(
        "return [...document.querySelectorAll('[role=dialog] code span[title]')].map(e => e.title).join(' ');",
        Vec::new(),
    );
    let marks = marks.as_str().unwrap_or_default().to_owned();
    assert!(
        marks.contains("202E") && marks.contains("0007"),
        "marks: {marks}"
    );
    window.press("Escape");
    for keys in ["g i", "g t", "Control+,"] {
        window.chord(keys);
        window.settle();
        let evil = window.script("return window.__evil ?? null;", Vec::new());
        assert_eq!(evil, Value::Null);
    }
    assert_eq!(
        listener.connections.load(Ordering::SeqCst),
        0,
        "a connection was made"
    );
}
