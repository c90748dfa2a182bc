//! Detects what a goal wants to keep unchanged: files that it excludes, and possible constraints.

use super::{Intake, Requirement, clauses};

impl Intake {
    /// Whether a path is only mentioned to exclude it: "do not touch it", "everywhere except in
    /// it". "Only in it", however, says where to work. A document can also be mentioned by its
    /// type: "the changelog".
    pub(crate) fn leaves(&self, path: &str) -> bool {
        const PLACES: [&str; 5] = ["only", "nur", "seulement", "solo", "nothing"];
        const BUT: [&str; 6] = [
            " except ",
            " but not ",
            " other than ",
            " außer ",
            " sauf ",
            " excepto ",
        ];
        let stem = crate::text::stem(path).to_lowercase();
        let is_called = |text: &str| {
            let mut words = text.split(|c: char| !c.is_alphanumeric());
            crate::text::is_document(path) && words.any(|word| word == stem)
        };
        let names = |text: &str| text.contains(path) || is_called(&text.to_lowercase());
        let forbids = |limit: &String| {
            let first = limit
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .to_lowercase();
            names(limit) && !PLACES.contains(&&*first)
        };
        let is_asked = |one: &Requirement| {
            let but = BUT.iter().filter_map(|but| one.text.find(but)).min();
            names(&one.text[..but.unwrap_or(one.text.len())])
        };
        let is_excepted = |one: &Requirement| names(&one.text) && !is_asked(one);
        let mut asked = self.requirements.iter();
        let is_left = self.constraints.iter().any(forbids) || asked.clone().any(is_excepted);
        is_left && !asked.any(is_asked)
    }
}

/// Whether a sentence that requests nothing may forbid something: it contains a negation, in one of
/// several languages, and doesn't give a reason.
pub(super) fn may_forbid(text: &str) -> bool {
    const REASONS: &str = "because since so as weil damit denn car parce pour porque para";
    if crate::among(&clauses::first_word(text), REASONS) {
        return false;
    }
    const NOT: &str = "not no never only except nothing nicht kein keine nur pas ne sans jamais sin nunca solo não nem \
        non mai niet geen";
    let plain = text.to_lowercase();
    let mut words = plain.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    let is_signed = ["ない", "不", "勿", "别", "禁止", "마세요"]
        .iter()
        .any(|sign| plain.contains(sign));
    is_signed
        || words
            .any(|word| crate::among(word, NOT) || word.ends_with("n't") || word.ends_with("n’t"))
}
