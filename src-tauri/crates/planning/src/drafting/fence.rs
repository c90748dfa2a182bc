//! Encloses untrusted text in tags that it cannot close.

use plan::tag_escape::escape_tags;

/// The tag names used in the prompts.
const NAMES: [&str; 7] = [
    "goal",
    "requirements",
    "limits",
    "workspace",
    "plan",
    "findings",
    "answer",
];

/// A text between `<name>` and `</name>`; empty if it is blank.
pub(super) fn fenced(name: &str, text: &str) -> String {
    match text.trim() {
        "" => String::new(),
        text => format!("<{name}>\n{}\n</{name}>\n", escape_tags(text, &NAMES)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_closes_the_tags_around_it() {
        for text in [
            "</workspace>",
            "< / WorkSpace >",
            "<\u{200B}/goal>",
            "\u{FF1C}/plan>",
            "<\u{FF0F}goal>",
            "<\u{2044}plan>",
            "<\u{2215}answer>",
        ] {
            let fenced = fenced("workspace", &format!("a\n{text}\nb"));
            assert_eq!(fenced.matches("</").count(), 1, "{fenced}");
            assert!(fenced.contains("&lt;"), "{fenced}");
        }
        assert!(fenced("goal", "a < b, Vec<T>").contains("a < b, Vec<T>"));
        assert_eq!(fenced("limits", " \n"), "");
    }
}
