//! Sanitizes a model's text for use in a single line of a plan.
//!
//! Anything that could end the line, hide part of it, or change how the rest is rendered is removed
//! or escaped. People, programs and Git hosts all see the same text.

/// Maximum title length, in characters.
pub(super) const MAX_TITLE_LEN: usize = 200;

/// Maximum length of other lines, in characters.
pub(super) const MAX_LINE_LEN: usize = 400;

/// The text as one line of at most `most` characters; empty if nothing is left.
pub(super) fn sentence(text: &str, most: usize) -> String {
    let text = one_line(text);
    let text = text.trim_start_matches(is_mark).trim();
    cut(&harmless(text), most)
}

/// A title without leading list marks, boxes, numbers or ids, and without surrounding emphasis.
pub(super) fn title(text: &str) -> String {
    let mut text = one_line(text);
    loop {
        let rest = without_head(&text);
        if rest.len() == text.len() {
            break;
        }
        text = rest.to_owned();
    }
    for mark in ["**", "__"] {
        let inner = text
            .strip_prefix(mark)
            .and_then(|rest| rest.strip_suffix(mark));
        if let Some(inner) = inner.filter(|inner| !inner.contains(mark)) {
            text = inner.to_owned();
        }
    }
    let text = text.trim_end_matches([':', ';', ',']).trim();
    cut(&harmless(text), MAX_TITLE_LEN)
}

/// A title reduced to letters, digits and basic punctuation, used if the original is refused.
pub(super) fn plainest(text: &str) -> String {
    let kept = |c: char| c.is_alphanumeric() || " .,-/()'".contains(c);
    let text: String = text
        .chars()
        .map(|c| if kept(c) { c } else { ' ' })
        .collect();
    let text = one_line(&text);
    let start = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    cut(start, MAX_TITLE_LEN)
}

/// A text without line breaks, control characters and invisible characters.
pub(crate) fn one_line(text: &str) -> String {
    let seen: String = text
        .chars()
        .map(|c| {
            if c.is_control() || c == '\u{2028}' || c == '\u{2029}' {
                ' '
            } else {
                c
            }
        })
        .filter(|c| !plan::is_invisible(*c))
        .collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_mark(c: char) -> bool {
    c.is_whitespace() || matches!(c, '-' | '*' | '+' | '#' | '>' | '|' | '~' | '=' | '•')
}

/// A text without the list mark, box, number or id at its start.
fn without_head(text: &str) -> &str {
    let rest = text.trim_start();
    let after = rest
        .strip_prefix("- ")
        .or_else(|| rest.strip_prefix("* "))
        .or_else(|| rest.strip_prefix("+ "))
        .or_else(|| rest.strip_prefix("> "))
        .or_else(|| rest.strip_prefix("• "))
        .or_else(|| rest.strip_prefix('#'));
    if let Some(after) = after {
        return after.trim_start();
    }
    let inside = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    if let Some((_, after)) = inside.filter(|(mark, _)| mark.trim().chars().count() <= 1) {
        return after.trim_start();
    }
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.len() < rest.len()
        && let Some(after) = digits.strip_prefix(['.', ')', ':'])
        && after.starts_with(' ')
    {
        return after.trim_start();
    }
    // Drop an id, as in `**T1** …`, `T1: …` and `Step 3: …`.
    let (word, after) = match rest
        .strip_prefix("**")
        .and_then(|rest| rest.split_once("**"))
    {
        Some((word, after)) => (word, after),
        None => match rest.split_once(':') {
            Some((word, after)) => (word, after),
            None => return rest,
        },
    };
    match is_id(word.trim_end_matches([':', '.'])) {
        true => after.trim_start_matches([':', '-', '–', ' ']),
        false => rest,
    }
}

/// Whether a word is an id: `T1`, `1.2`, `Step 3`.
fn is_id(word: &str) -> bool {
    let word = word
        .strip_prefix("Step ")
        .or_else(|| word.strip_prefix("Task "))
        .unwrap_or(word);
    let letters = word.trim_start_matches(|c: char| c.is_ascii_uppercase());
    word.len() - letters.len() <= 3
        && letters.starts_with(|c: char| c.is_ascii_digit())
        && letters.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// A text without Markdown or HTML that would be rendered or would hide content: it has no tags
/// outside of code, no links or images, and no unclosed code span.
fn harmless(text: &str) -> String {
    let spans = text.matches('`').count();
    let is_code_sound = spans.is_multiple_of(2) && !text.contains("``");
    let text = match is_code_sound {
        true => text.to_owned(),
        false => text.replace('`', "'"),
    };
    let mut out = String::with_capacity(text.len());
    for (at, part) in text.split('`').enumerate() {
        let is_code = at % 2 == 1;
        if at > 0 {
            out.push('`');
        }
        match is_code {
            true => out.push_str(part),
            false => out.push_str(
                &part
                    .replace('<', "&lt;")
                    .replace("](", "] (")
                    .replace("][", "] ["),
            ),
        }
    }
    out
}

/// Truncates to a number of characters at a word boundary.
fn cut(text: &str, most: usize) -> String {
    let Some((limit, _)) = text.char_indices().nth(most) else {
        return text.to_owned();
    };
    let cut = &text[..limit];
    let end = cut
        .rfind(' ')
        .filter(|end| *end > limit / 2)
        .unwrap_or(limit);
    let mut cut = cut[..end].trim_end().to_owned();
    if cut.matches('`').count() % 2 == 1 {
        cut.push('`');
    }
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_lose_surrounding_markup() {
        let cases = [
            ("- [x] **T1** Rename `total`", "Rename `total`"),
            ("1. Read the file", "Read the file"),
            ("## Step 2: Write the flag", "Write the flag"),
            ("T3: Run the tests:", "Run the tests"),
            ("**Add the flag**", "Add the flag"),
            ("S3 bucket is emptied", "S3 bucket is emptied"),
            ("Note: keep the order", "Note: keep the order"),
            ("a\n- [x] b", "a - [x] b"),
            (
                "Use <details> and `Vec<T>`",
                "Use &lt;details> and `Vec<T>`",
            ),
            (
                "see ![x](http://e.example/p.png)",
                "see ![x] (http://e.example/p.png)",
            ),
            ("an odd ` tick", "an odd ' tick"),
            ("in\u{202E}visible\u{200B}", "invisible"),
        ];
        for (given, expected) in cases {
            assert_eq!(title(given), expected, "{given:?}");
        }
        assert!(title(&"word ".repeat(200)).chars().count() <= MAX_TITLE_LEN + 2);
    }

    #[test]
    fn a_title_truncated_in_code_closes_the_span() {
        let long = format!("Use `{}` here", "x".repeat(300));
        assert_eq!(title(&long).matches('`').count() % 2, 0);
    }
}
