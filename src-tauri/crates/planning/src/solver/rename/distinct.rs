//! Recognizes unmistakable names. A name that never occurs in prose (`CliRunner`, `smart_truncate`)
//! and is defined in one file means the same thing everywhere, including comments and documents. A
//! type's name is never a variable: an apparent variable of that name in a linked file is a use of
//! the type.

use crate::text::Shape;

/// What a name's form reveals about its occurrences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Distinct {
    /// Whether underscores, digits or inner capitals show that the name isn't an ordinary word.
    is_no_word: bool,
    /// Whether the name is capitalized like a type: `VersionReq`, `Comparator`.
    is_type: bool,
    /// Whether exactly one file defines it, and not as a member.
    is_sole: bool,
}

impl Distinct {
    pub(super) fn of(name: &str, is_sole: bool) -> Self {
        let letters: Vec<char> = name.trim_matches('_').chars().collect();
        let turns = |pair: &[char]| pair[0].is_lowercase() && pair[1].is_uppercase();
        let has_sign = letters.iter().any(|c| *c == '_' || c.is_numeric());
        let begins = letters.first().is_some_and(|c| c.is_uppercase());
        Self {
            is_no_word: letters.len() > 3 && (has_sign || letters.windows(2).any(turns)),
            is_type: begins && letters.iter().any(|c| c.is_lowercase()) && !has_sign,
            is_sole,
        }
    }

    /// Whether an occurrence of this shape refers to the name; `None` if this can't be decided from
    /// the name's form.
    pub(super) fn means(self, shape: Shape, is_linked: bool) -> Option<bool> {
        let is_name = matches!(
            shape,
            Shape::Reference | Shape::Call | Shape::Assignment | Shape::Constant | Shape::Parameter
        );
        let is_said = matches!(shape, Shape::Prose | Shape::Comment);
        let is_quoted = matches!(shape, Shape::Text | Shape::CodeText);
        match () {
            () if is_said && self.is_no_word => Some(self.is_sole),
            () if !self.is_sole || !self.is_type => None,
            () if is_name && (is_linked || self.is_no_word) => Some(true),
            () if is_quoted && is_linked && self.is_no_word => Some(true),
            () => None,
        }
    }
}

#[cfg(test)]
mod tests {
    //! Tests what the form of a name reveals.

    use super::*;

    #[test]
    fn only_names_that_are_no_words_are_renamed_in_prose() {
        for name in ["CliRunner", "smart_truncate", "setCharset", "sha256sum"] {
            assert_eq!(
                Distinct::of(name, true).means(Shape::Prose, false),
                Some(true),
                "{name}"
            );
            assert_eq!(
                Distinct::of(name, false).means(Shape::Prose, false),
                Some(false),
                "{name}"
            );
        }
        for name in ["total", "Comparator", "_read", "id2"] {
            assert_eq!(
                Distinct::of(name, true).means(Shape::Comment, true),
                None,
                "{name}"
            );
        }
    }

    #[test]
    fn a_type_is_no_variable() {
        for shape in [Shape::Reference, Shape::Parameter, Shape::Assignment] {
            assert_eq!(
                Distinct::of("Comparator", true).means(shape, true),
                Some(true)
            );
            assert_eq!(Distinct::of("Comparator", true).means(shape, false), None);
            assert_eq!(Distinct::of("total", true).means(shape, true), None);
            assert_eq!(Distinct::of("Comparator", false).means(shape, true), None);
        }
        assert_eq!(
            Distinct::of("MAX_LEN", true).means(Shape::Assignment, true),
            None
        );
    }
}
