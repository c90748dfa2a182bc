//! Sections of an issue report that tell how something is, and so ask for nothing.
//!
//! Their names are those of the forms of code hosts. A section of any other name may ask for something.

use std::sync::LazyLock;

use regex::Regex;

/// What went wrong, and how; "repro…" is so written in many languages.
const REPORTING: &str = r"(?i)^\W*(?:(?:\w+\W+){0,3}repro\w*(?:\W+\w+){0,2}|actual\b[^:：]{0,30}|(?:current|observed)\s+(?:behaviou?r|result|output)|what\s+happen(?:s|ed)(?:\s+instead)?|(?:stack|back)?\s?trace(?:back)?|logs?|(?:error|log)\s+(?:output|message)s?)\W*$";
/// What it happened with, and why somebody minds.
const TELLING: &str = r"(?i)^\W*(?:environment|versions?|system\s+info(?:rmation)?|screenshots?|(?:additional\s+)?(?:context|information)|background|motivation|why)\W*$";
const ASKING: &str = r"(?i)^\W*(?:expected\b[^:：]{0,30}|desired\b[^:：]{0,30}|goals?|tasks?|requirements?|todos?|(?:describe\s+the\s+)?(?:bug|issue|problem)(?:\s+report)?|feature\s+request|summary|description|title)\W*$";

/// What a report calls how it is reproduced, and any other text what it wants done.
const STEPS: &str = r"(?i)^\W*(?:steps|schritte|étapes|pasos|手順|步骤)\W*$";

/// What the name of a section says of its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    /// It tells what went wrong.
    Reporting,
    /// It tells something else.
    Telling,
    /// It may ask for something.
    Asking,
    /// It tells how something is reproduced where the text reports something; else it may ask for something.
    Steps,
}

/// What a text names as a section; `None` where it is no name of one.
pub(super) fn named(text: &str) -> Option<Section> {
    /// No name of a section is longer.
    const MAX_NAME_LEN: usize = 60;
    static NAMES: LazyLock<Vec<(Regex, Section)>> = LazyLock::new(|| {
        let names = [
            (REPORTING, Section::Reporting),
            (TELLING, Section::Telling),
            (ASKING, Section::Asking),
            (STEPS, Section::Steps),
        ];
        let compiled = names.into_iter();
        compiled
            .filter_map(|(names, section)| Some((Regex::new(names).ok()?, section)))
            .collect()
    });
    if text.len() > MAX_NAME_LEN {
        return None;
    }
    let mut names = NAMES.iter();
    names
        .find(|(name, _)| name.is_match(text))
        .map(|(_, section)| *section)
}

/// The length of the name with which a sentence begins, up to behind its colon, and what it names.
pub(super) fn opening(sentence: &str) -> Option<(usize, Section)> {
    let colon = sentence.find([':', '：'])?;
    let len = colon + sentence[colon..].chars().next().map_or(0, char::len_utf8);
    // "**Expected:** an empty file"
    let marks = sentence[len..].len() - sentence[len..].trim_start_matches(['*', '_']).len();
    named(&sentence[..colon]).map(|section| (len + marks, section))
}
