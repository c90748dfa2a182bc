//! Checks one part of the screen in each theme and width that people use. Each check takes a
//! screenshot, runs axe, and fails if something is wider than the window.

use planwright_tests::Home;
use planwright_tests::window::Window;
use serde_json::Value;

/// The variants of the window: theme and width.
const LOOKS: [(&str, u32); 4] = [
    ("light", 1400),
    ("dark", 1400),
    ("dark", 900),
    ("light", 400),
];

const HEIGHT: u32 = 900;

/// Where a part of the screen is located.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// In the center, or on a screen of its own.
    Centre,
    /// In the panel, which is a drawer in a narrow window.
    Panel,
    /// In a dialog on top of everything.
    Dialog,
}

/// Checks a part of the screen in every theme and width. `there` brings it into view and fails if
/// it is missing; it is called for each variant, because a drawer is recreated each time.
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

/// Checks a part of the screen once.
#[track_caller]
pub(crate) fn look(window: &Window, name: &str) {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../ui/node_modules/axe-core/axe.min.js"
    );
    let source = std::fs::read_to_string(path).expect("`npm ci` in ui/ installs axe");
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
        "{name} is wider than its container"
    );
}

/// Dismisses toasts, so that only the page is visible.
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

/// Scrolls the first element that matches a selector to the middle of the view.
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

/// Waits until the approved run is shown. It appears automatically, and a click could miss while a
/// changing counter moves the tabs.
#[track_caller]
pub(crate) fn run_is_shown(window: &Window) {
    window.wait_for(
        "the run to be shown",
        "document.getElementById('panel-tab-run')?.getAttribute('aria-selected') === 'true'",
    );
}
