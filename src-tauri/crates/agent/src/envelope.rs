//! Escapes text from files and plans inside messages, so that it can't close its envelope.
//!
//! Escapes only tags that could be mistaken for our own and leaves every other byte unchanged, so
//! that text that a model quotes from a plan can be found in the file.

use plan::tag_escape::escape_tags;

/// The tag names of envelopes.
const NAMES: [&str; 5] = ["plan", "plan-change", "summary", "mode", FILE];

/// The tag around lines of a file. Its name is not used by any markup language, because a model
/// copies the text to change from here, and any escaped tag would differ from the file.
pub(crate) const FILE: &str = "file-text";

/// Escapes every tag that could open or close an envelope.
pub(crate) fn escaped(text: &str) -> String {
    escape_tags(text, &NAMES)
}

/// Escapes lines of a file for [`FILE`]. Only that tag is escaped; all others stay unchanged.
pub(crate) fn escaped_file(text: &str) -> String {
    escape_tags(text, &[FILE])
}

/// Sanitizes the value of a quoted attribute in an opening tag.
pub(crate) fn attribute(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '"' => '\'',
            '<' => '(',
            '>' => ')',
            c if c.is_control() => ' ',
            c => c,
        })
        .collect()
}

/// The beginning of a text, at most `bytes` long, cut at a character boundary. A cut is marked with
/// `…`.
pub(crate) fn clipped(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(bytes.saturating_sub('…'.len_utf8()));
    format!("{}…", &text[..end])
}

/// The text joined into one line of at most `bytes` bytes.
pub(crate) fn one_line(text: &str, bytes: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    clipped(&words.join(" "), bytes)
}

/// The beginning and end of a text, about `bytes` bytes in total, with a note between them that
/// says how much was left out.
pub fn elide_middle(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    // The end of an output is usually more useful than its beginning. The note also takes space.
    const MARK: usize = 80;
    let room = bytes.saturating_sub(MARK);
    let head = text.floor_char_boundary(room * 2 / 5);
    let tail = text.ceil_char_boundary(text.len() - room * 3 / 5);
    let left_out = tail - head;
    format!(
        "{}\n[… {left_out} bytes left out; ask for a smaller part …]\n{}",
        &text[..head],
        &text[tail..]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_file_keep_every_mark_but_their_own() {
        let text = "<plan> </summary> <mode> <file> <files> </file-tex";
        assert_eq!(escaped_file(text), text);
        assert_eq!(escaped_file("x <\n/ File-Text >"), "x &lt;\n/ File-Text >");
    }

    #[test]
    fn cut_texts_keep_to_their_bytes_and_to_characters() {
        let text = "äöü".repeat(400);
        for bytes in [100, 101, 102, 103, 500] {
            assert!(clipped(&text, bytes).len() <= bytes);
            assert!(elide_middle(&text, bytes).len() <= bytes + 40);
        }
        assert_eq!(elide_middle("short", 100), "short");
    }
}
