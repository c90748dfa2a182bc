//! Tables of words and phrases, each written as one text.

/// Words between blanks; phrases between bars, where one holds a blank.
#[derive(Debug, Clone, Copy)]
pub struct WordList(pub &'static str);

impl WordList {
    /// Each of them, in their order.
    pub fn iter(self) -> std::str::Split<'static, char> {
        self.into_iter()
    }

    /// Whether it is one of them.
    pub fn contains(self, word: impl AsRef<str>) -> bool {
        self.iter().any(|known| known == word.as_ref())
    }

    /// The same, whatever the case.
    pub fn has_in_any_case(self, word: &str) -> bool {
        self.iter().any(|known| known.eq_ignore_ascii_case(word))
    }

    /// Whether one of them stands in a text.
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
