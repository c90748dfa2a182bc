//! Makes text safe to display: characters that a terminal, a window title or a notification would
//! interpret instead of drawing are replaced with markers such as `⟨ESC⟩`, as in the UI.
//!
//! **Architecture invariants.** This module alone decides which characters these are. Ordinary
//! text, in any script and with any emoji, stays unchanged.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Whether a character would affect how text is displayed: control characters except line feed and
/// tab, bidirectional controls, and line separators.
pub fn is_active(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            true
        }
        c => c.is_control(),
    }
}

/// Whether a character is invisible: joiners, tags, direction marks. Some of these occur in
/// ordinary text, so they are only removed from names and from text for models.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffc}' | '\u{e0000}'..='\u{e0fff}')
}

/// The text with every [active](is_active) character replaced by a marker. A carriage return at the
/// end of a line is dropped.
pub fn visible(text: &str) -> Cow<'_, str> {
    replaced(text, |c, rest, out| {
        let ends_a_line = c == '\r' && (rest.is_empty() || rest.starts_with('\n'));
        if !ends_a_line {
            mark(c, out);
        }
    })
}

/// Like [`visible`], but on one line, for titles and notifications.
pub fn visible_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    visible(&line).into_owned()
}

/// JSON with every active character in its strings escaped; the value stays the same.
pub fn escaped_json(json: &str) -> Cow<'_, str> {
    replaced(json, |c, _, out| {
        let mut units = [0; 2];
        for unit in c.encode_utf16(&mut units) {
            // Writing to a string cannot fail.
            let _ = write!(out, "\\u{unit:04x}");
        }
    })
}

/// The text with every active character replaced. `write` gets the character and the text after it,
/// and appends the replacement.
fn replaced(text: &str, write: impl Fn(char, &str, &mut String)) -> Cow<'_, str> {
    let Some(first) = text.find(is_active) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len() + 16);
    let (before, mut rest) = text.split_at(first);
    out.push_str(before);
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match is_active(c) {
            true => write(c, rest, &mut out),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

fn mark(c: char, out: &mut String) {
    let name = match c {
        '\0' => "NUL",
        '\u{7}' => "BEL",
        '\u{8}' => "BS",
        '\r' => "CR",
        '\u{1b}' => "ESC",
        '\u{7f}' => "DEL",
        '\u{200e}' => "LRM",
        '\u{200f}' => "RLM",
        '\u{202a}' => "LRE",
        '\u{202b}' => "RLE",
        '\u{202c}' => "PDF",
        '\u{202d}' => "LRO",
        '\u{202e}' => "RLO",
        '\u{2066}' => "LRI",
        '\u{2067}' => "RLI",
        '\u{2068}' => "FSI",
        '\u{2069}' => "PDI",
        c => {
            let _ = write!(out, "⟨U+{:04X}⟩", u32::from(c));
            return;
        }
    };
    let _ = write!(out, "⟨{name}⟩");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_control_a_terminal_become_visible() {
        assert_eq!(
            visible("a\u{1b}[31m\u{202e}b\u{9b}c\u{7f}"),
            "a⟨ESC⟩[31m⟨RLO⟩b⟨U+009B⟩c⟨DEL⟩"
        );
        assert_eq!(visible("10 %\r20 %\r\nend\r"), "10 %⟨CR⟩20 %\nend");
    }

    #[test]
    fn ordinary_text_is_unchanged() {
        let text = "a\tb\nשלום, مرحبا, 👩‍💻 ⚠️, क्‍ष\n";
        assert!(matches!(visible(text), Cow::Borrowed(same) if same == text));
    }

    #[test]
    fn visible_line_returns_one_line() {
        assert_eq!(visible_line(" a\n\tb\u{2028}c\u{202e}\r\n"), "a b c⟨RLO⟩");
    }

    #[test]
    fn escaped_json_has_the_same_value() {
        let value = serde_json::json!({ "a\u{202e}": "\u{1b}\u{9b}\u{7f}\u{2066} ü 👩‍💻\n" });
        let json = serde_json::to_string(&value).unwrap();
        let escaped = escaped_json(&json);
        assert!(!escaped.contains(is_active), "{escaped:?}");
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&escaped).unwrap(),
            value
        );
    }
}
