//! Escapes tags in untrusted text inside a prompt, so that the text can't close the tag around it.

use crate::is_invisible;

/// Escapes as `&lt;` every `<`, or full-width `＜`, that could open or close one of these tags,
/// regardless of case, slashes, and whitespace or invisible characters inside the tag. All other
/// bytes are unchanged.
pub fn escape_tags(text: &str, names: &[&str]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['<', '\u{FF1C}']) {
        let (before, from) = rest.split_at(at);
        let sign_len = from.chars().next().map_or(1, char::len_utf8);
        let (sign, after) = from.split_at(sign_len);
        out.push_str(before);
        out.push_str(match starts_with_name(after, names) {
            true => "&lt;",
            false => sign,
        });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Whether the text after a `<` starts with one of the names, with or without slashes.
fn starts_with_name(after: &str, names: &[&str]) -> bool {
    let letters = after
        .chars()
        .filter(|c| !c.is_whitespace() && !c.is_control() && !is_invisible(*c))
        .skip_while(|c| matches!(c, '/' | '\\' | '\u{FF0F}' | '\u{2044}' | '\u{2215}'))
        .flat_map(char::to_lowercase);
    let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
    let word: String = letters.take(longest).collect();
    names.iter().any(|name| word.starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 6] = [
        "plan",
        "plan-change",
        "summary",
        "goal",
        "answer",
        "workspace",
    ];

    #[test]
    fn no_spelling_of_a_tag_survives() {
        for tag in [
            "</plan>",
            "</PLAN>",
            "< / plan >",
            "<\t/\nplan>",
            "<\u{200b}/plan>",
            "</p\u{200b}lan>",
            "<//plan>",
            "<plan path=\"x\">",
            "</plan-change>",
            "</ Summary>",
            "\u{FF1C}/plan>",
            "< / WorkSpace >",
            "<\u{200B}/goal>",
            "<\u{FF0F}goal>",
            "<\u{2044}plan>",
            "<\u{2215}answer>",
        ] {
            let out = escape_tags(&format!("a {tag} b"), &NAMES);
            assert!(out.starts_with("a &lt;"), "{tag:?} became {out:?}");
        }
    }

    #[test]
    fn other_text_stays_byte_for_byte() {
        let text = "if a < b { Vec<String> } </div> <p> 1 << 2 <pl";
        assert_eq!(escape_tags(text, &NAMES), text);
    }
}
