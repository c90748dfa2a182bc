//! Detects steps with the same content.

use std::collections::BTreeSet;

use plan::word_list::WordList;

use crate::context::paths_in;

/// Filler words, which don't change the meaning of a step.
const FILLING: WordList = WordList(
    "the a an of in on at to for and with is are it its that this then now please der die das den dem \
    ein eine und im in zu file",
);

const SAME: [(&str, WordList); 5] = [
    ("read", WordList("open view inspect examine show")),
    ("edit", WordList("change modify update adjust")),
    ("find", WordList("locate search grep look")),
    ("run", WordList("execute")),
    ("write", WordList("create")),
];

/// The content words and paths of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Gist {
    words: BTreeSet<String>,
    paths: BTreeSet<String>,
}

impl Gist {
    pub(super) fn of(text: &str) -> Self {
        let paths: BTreeSet<String> = paths_in(text).into_iter().map(str::to_owned).collect();
        let mut rest = text.to_owned();
        for path in &paths {
            rest = rest.replace(path.as_str(), " ");
        }
        let words = rest
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .map(str::to_lowercase)
            .filter(|word| !word.is_empty() && !FILLING.contains(word))
            .map(|word| {
                let same = SAME.iter().find(|(_, others)| others.contains(&word));
                same.map_or(word, |(verb, _)| (*verb).to_owned())
            })
            .collect();
        Self { words, paths }
    }

    pub(super) fn is_blank(&self) -> bool {
        self.words.is_empty() && self.paths.is_empty()
    }

    /// Whether both steps have the same content: the same paths, and at least four fifths of their
    /// words in common.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        if self.paths != other.paths || self.is_blank() {
            return false;
        }
        let both = self.words.intersection(&other.words).count();
        let all = self.words.union(&other.words).count();
        both * 5 >= all * 4
    }
}
