//! Scripts that run in the page: finding elements by role and name, waiting, and running axe; and
//! the parsing of keys.

use serde_json::json;

/// Helper functions for visibility and accessible names, which precede expressions that find an
/// element.
const WORDS: &str = r#"
const visible = e => e.getClientRects().length > 0 && getComputedStyle(e).visibility !== 'hidden' && !e.closest('[aria-hidden="true"]');
const clean = s => (s || '').replace(/\s+/g, ' ').trim();
const labelled = e => {
  const by = e.getAttribute('aria-labelledby');
  if (by) return clean(by.split(/\s+/).map(id => document.getElementById(id)?.textContent || '').join(' '));
  const own = e.getAttribute('aria-label');
  if (own) return clean(own);
  if (e.labels && e.labels.length) return clean([...e.labels].map(l => l.textContent).join(' '));
  if (['INPUT', 'TEXTAREA', 'SELECT'].includes(e.tagName)) return clean(e.getAttribute('placeholder') || e.title);
  return clean(e.textContent) || clean(e.title);
};
const implied = {
  button: 'button,summary', link: 'a[href]', heading: 'h1,h2,h3,h4,h5,h6', checkbox: 'input[type=checkbox]',
  radio: 'input[type=radio]', textbox: 'textarea,input:not([type]),input[type=text],input[type=search],input[type=number]',
  combobox: 'select', dialog: 'dialog', list: 'ul,ol', listitem: 'li', main: 'main', navigation: 'nav', region: 'section',
};
const of = role => [...document.querySelectorAll(`[role="${role}"]${implied[role] ? ',' + implied[role].split(',').map(s => s + ':not([role])').join(',') : ''}${role === 'textbox' ? ',[role=combobox],input[role=searchbox]' : ''}`)];
const find = (role, name) => {
  const seen = of(role).filter(visible);
  const dialogs = [...document.querySelectorAll('[role=dialog],[role=alertdialog],[role=menu],[role=listbox]')].filter(visible);
  const inTop = dialogs.length ? seen.filter(e => dialogs[dialogs.length - 1].contains(e)) : [];
  for (const some of [inTop, seen]) {
    const exact = some.find(e => labelled(e) === name);
    if (exact) return exact;
    const begins = some.find(e => labelled(e).startsWith(name));
    if (begins) return begins;
    const within = some.find(e => labelled(e).includes(name));
    if (within) return within;
  }
  return null;
};
"#;

/// An expression for the role and name of the focused element, as in `button “Approve”`.
pub(super) const FOCUS: &str = "(e => `${e.getAttribute('role') || e.tagName.toLowerCase()} “${(e.getAttribute('aria-label') || e.innerText || e.getAttribute('placeholder') || '').trim().slice(0, 80)}”`)(document.activeElement)";

/// A script that returns whether an element has focus and visibly shows it.
pub(super) const FOCUS_IS_VISIBLE: &str = r"
const held = document.activeElement;
if (!held || held === document.body) return false;
if (['INPUT', 'TEXTAREA', 'SELECT'].includes(held.tagName)) return true;
const drawn = e => {
  const style = getComputedStyle(e);
  return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
};
return held.matches(':focus-visible') ? drawn(held) || drawn(held.parentElement) : held.tabIndex < 0;";

/// An expression for the visible element with a role whose name equals, starts with or contains
/// `name`, in this order of preference; `null` if there is none. Elements of the topmost dialog or
/// menu come first.
pub(super) fn find(role: &str, name: &str) -> String {
    format!(
        "(() => {{ {WORDS} return find({}, {}); }})()",
        json!(role),
        json!(name)
    )
}

/// An expression that is true if the page shows this text.
pub(super) fn shows(words: &str) -> String {
    format!(
        "document.body.innerText.replace(/\\s+/g, ' ').includes({})",
        json!(words)
    )
}

/// A script that returns `true` as soon as the expression is true, or the page's text after a
/// timeout in milliseconds, which is passed as an argument. It checks after each change of the page
/// or the focus, and before each frame.
pub(super) fn waiting(expression: &str) -> String {
    format!(
        r#"
const patience = arguments[0], done = arguments[arguments.length - 1];
let over = false;
const holds = () => {{ try {{ return Boolean({expression}); }} catch (error) {{ return false; }} }};
const end = answer => {{ if (!over) {{ over = true; seen.disconnect(); clearInterval(tick); clearTimeout(late); done(answer); }} }};
const look = () => {{ if (!over && holds()) end(true); }};
const seen = new MutationObserver(look);
const tick = setInterval(look, 50);
const late = setTimeout(() => end(document.body.innerText), patience);
seen.observe(document.documentElement, {{ subtree: true, childList: true, attributes: true, characterData: true }});
look();
"#
    )
}

/// An expression that is true if the element with a role and name can be clicked and hasn't moved
/// since the last check. Scrolls it into view first.
pub(super) fn is_at_rest(role: &str, name: &str) -> String {
    format!(
        "(e => {{ if (e === null || e.disabled || e.getAttribute('aria-disabled') === 'true') return false; \
         e.scrollIntoView({{ block: 'center', inline: 'center' }}); \
         const r = e.getBoundingClientRect(), at = [r.x, r.y, r.width, r.height].join(); \
         const rests = e.__at === at; e.__at = at; return rests; }})({})",
        find(role, name)
    )
}

/// A script that watches whether the next press hits the element passed to it, or a descendant.
pub(super) const WATCH_PRESS: &str = r"
const wanted = arguments[0];
window.__pressed = null;
addEventListener('pointerdown', event => window.__pressed = wanted.contains(event.target),
  { capture: true, once: true });
";

/// A script that returns false if something other than the element passed to [`WATCH_PRESS`] was
/// pressed.
pub(super) const WAS_PRESSED: &str = "return window.__pressed;";

/// A script that runs axe and returns serious and critical violations.
pub(super) fn axe(source: &str) -> String {
    format!(
        r#"
const done = arguments[arguments.length - 1];
{source}
;(window.axe || axe).run(document, {{ resultTypes: ['violations'] }}).then(result => done(
  result.violations
    .filter(v => v.impact === 'serious' || v.impact === 'critical')
    .flatMap(v => v.nodes.map(n => `${{v.id}} (${{v.impact}}): ${{n.target.join(' ')}}: ${{n.html.slice(0, 160)}} ${{(n.any[0] || n.all[0] || {{}}).message || ''}}`))
), error => done([String(error)]));
"#
    )
}

/// Parses `Control+Shift+z` into the key characters of WebDriver.
pub(super) fn keys(words: &str) -> Vec<char> {
    let parts: Vec<&str> = match words {
        "+" => vec!["+"],
        _ => words.split('+').collect(),
    };
    parts
        .into_iter()
        .map(|part| match part {
            "Control" => '\u{e009}',
            "Shift" => '\u{e008}',
            "Alt" => '\u{e00a}',
            "Enter" => '\u{e007}',
            "Tab" => '\u{e004}',
            "Escape" => '\u{e00c}',
            "Space" => ' ',
            "Backspace" => '\u{e003}',
            "Delete" => '\u{e017}',
            "ArrowUp" => '\u{e013}',
            "ArrowDown" => '\u{e015}',
            "ArrowLeft" => '\u{e012}',
            "ArrowRight" => '\u{e014}',
            "Home" => '\u{e011}',
            "End" => '\u{e010}',
            "PageDown" => '\u{e00f}',
            "PageUp" => '\u{e00e}',
            "F6" => '\u{e036}',
            letter => {
                let mut letters = letter.chars();
                let (first, rest) = (letters.next(), letters.next());
                assert!(rest.is_none(), "no key is named {letter}");
                first.expect("a key name")
            }
        })
        .collect()
}
