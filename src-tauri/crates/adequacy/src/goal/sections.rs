//! Recognizes sections of an issue report that contain only description and no requirements.
//!
//! The section names come from the issue forms of code hosts. A section with any other name may
//! contain requirements.

use std::sync::LazyLock;

use regex::Regex;

/// Section names for the problem and how it occurs. Many languages use "repro…".
const REPORTING: &str = r"(?i)^\W*(?:(?:\w+\W+){0,3}repro\w*(?:\W+\w+){0,2}|actual\b[^:：]{0,30}|(?:current|observed)\s+(?:behaviou?r|result|output)|what\s+happen(?:s|ed)(?:\s+instead)?|(?:stack|back)?\s?trace(?:back)?|logs?|(?:error|log)\s+(?:output|message)s?)\W*$";
/// Section names for the environment and the motivation.
const TELLING: &str = r"(?i)^\W*(?:environment|versions?|system\s+info(?:rmation)?|screenshots?|(?:additional\s+)?(?:context|information)|background|motivation|why)\W*$";
const ASKING: &str = r"(?i)^\W*(?:expected\b[^:：]{0,30}|desired\b[^:：]{0,30}|goals?|tasks?|requirements?|todos?|(?:describe\s+the\s+)?(?:bug|issue|problem)(?:\s+report)?|feature\s+request|summary|description|title)\W*$";

/// Section names for steps: steps to reproduce in a report, work to do in any other text.
const STEPS: &str = r"(?i)^\W*(?:steps|schritte|étapes|pasos|手順|步骤)\W*$";

/// The kind of a section, determined by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    /// The problem.
    Reporting,
    /// Other information.
    Telling,
    /// Possible requirements.
    Asking,
    /// Steps to reproduce if the text is a report; otherwise, possible requirements.
    Steps,
}

/// The kind of section that a text is the name of; `None` if it is not a section name.
pub(super) fn named(text: &str) -> Option<Section> {
    /// Maximum length of a section name.
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

/// The length of a section name at the beginning of a sentence, including its colon, and the kind
/// of the section.
pub(super) fn opening(sentence: &str) -> Option<(usize, Section)> {
    let colon = sentence.find([':', '：'])?;
    let len = colon + sentence[colon..].chars().next().map_or(0, char::len_utf8);
    // In "**Expected:** an empty file", emphasis marks follow the colon.
    let marks = sentence[len..].len() - sentence[len..].trim_start_matches(['*', '_']).len();
    named(&sentence[..colon]).map(|section| (len + marks, section))
}
