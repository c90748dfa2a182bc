//! Lists of words or phrases, each written as one string.

/// A list of entries, which are separated by spaces, or by `|` if any of them contains a space.
#[derive(Debug, Clone, Copy)]
pub struct WordList(pub &'static str);

impl WordList {
    /// The entries, in order.
    pub fn iter(self) -> std::str::Split<'static, char> {
        self.into_iter()
    }

    /// Whether the word is in the list.
    pub fn contains(self, word: impl AsRef<str>) -> bool {
        self.iter().any(|known| known == word.as_ref())
    }

    /// Whether the word is in the list, ignoring ASCII case.
    pub fn has_in_any_case(self, word: &str) -> bool {
        self.iter().any(|known| known.eq_ignore_ascii_case(word))
    }

    /// Whether a text contains at least one of the entries.
    pub fn are_in(self, text: &str) -> bool {
        self.iter().any(|known| text.contains(known))
    }
}

impl IntoIterator for WordList {
    type Item = &'static str;
    type IntoIter = std::str::Split<'static, char>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.split(if self.0.contains('|') { '|' } else { ' ' })
    }
}
