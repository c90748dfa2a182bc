//! Looking at one place on the screen as people have it: light and dark, wide and narrow. Each look is a
//! picture, a page in which axe finds nothing serious, and one in which nothing is wider than the window.

use planwright_tests::Home;
use planwright_tests::window::Window;
use serde_json::Value;

/// How a person has the window: its theme and its size.
const LOOKS: [(&str, u32); 4] = [
    ("light", 1400),
    ("dark", 1400),
    ("dark", 900),
    ("light", 400),
];

const HEIGHT: u32 = 900;

/// Where it is that is looked at.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// In the plan, or on a screen of its own.
    Centre,
    /// In the panel, which is a drawer where the window is narrow.
    Panel,
    /// In a dialog that is open over everything.
    Dialog,
}

/// Looks at a place in every theme and width. `there` brings it into view, and fails where it is not;
/// it begins anew each time, since a drawer is made anew.
#[track_caller]
pub(crate) fn everywhere(
    window: &Window,
    (home, settings): (&Home, &Value),
    name: &str,
    place: Place,
    there: impl Fn(&Window),
) {
    for (theme, width) in LOOKS {
        let mut settings = settings.clone();
        settings["theme"] = theme.into();
        home.write_settings(&settings);
        window.resize(width, HEIGHT);
        window.wait_for(
            &format!("the page to be {theme}"),
            &format!("document.documentElement.dataset.mantineColorScheme === '{theme}'"),
        );
        let is_drawer = matches!(place, Place::Panel) && width < 1100;
        if is_drawer {
            window.click("button", "Show panel");
            window.find("tablist", "Panel");
        }
        there(window);
        hush(window);
        let at = format!("{name}-{theme}-{width}");
        look(window, &at);
        if is_drawer {
            window.press("Escape");
            window.wait_until_gone("dialog", "Panel");
        }
    }
    window.resize(1400, HEIGHT);
}

/// One look.
#[track_caller]
pub(crate) fn look(window: &Window, name: &str) {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../ui/node_modules/axe-core/axe.min.js"
    );
    let source = std::fs::read_to_string(path).expect("`npm ci` in ui/ brings axe");
    window.settle();
    let found = window.axe(&source);
    window.shot(name);
    assert!(found.is_empty(), "{name}:\n{}", found.join("\n"));
    let wide = window.script(
        "return [document.scrollingElement, ...document.querySelectorAll('#centre, #panel-body, [role=dialog]')]
           .filter(e => e.getClientRects().length && e.scrollWidth > e.clientWidth + 1)
           .map(e => `${e.id || e.tagName}: ${e.scrollWidth} of ${e.clientWidth}`);",
        Vec::new(),
    );
    assert_eq!(
        wide,
        serde_json::json!([]),
        "{name} is wider than its place"
    );
}

/// Waits for nothing but the page: what was told in passing is put away.
#[track_caller]
pub(crate) fn hush(window: &Window) {
    window.script(
        "document.querySelectorAll('section[aria-label=Notifications] button[aria-label^=Close]').forEach(button => button.click());",
        Vec::new(),
    );
    window.wait_for(
        "nothing to be told in passing",
        "document.querySelector('section[aria-label=Notifications] button') === null",
    );
}

/// Brings the first element of a selector into the middle of what is seen.
#[track_caller]
pub(crate) fn bring(window: &Window, selector: &str) {
    let selector = serde_json::json!(selector);
    window.wait_for(
        &format!("{selector} to be there"),
        &format!("document.querySelector({selector}) !== null"),
    );
    window.script(
        &format!("document.querySelector({selector}).scrollIntoView({{ block: 'center' }});"),
        Vec::new(),
    );
}

/// Waits until the run is shown that was approved: it comes by itself, and while the tabs move beside a
/// number that comes and goes a click may miss.
#[track_caller]
pub(crate) fn run_is_shown(window: &Window) {
    window.wait_for(
        "the run to be shown",
        "document.getElementById('panel-tab-run')?.getAttribute('aria-selected') === 'true'",
    );
}
