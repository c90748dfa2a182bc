//! Classifies the words of a command line as options, option values and names.

use plan::word_list::WordList;

/// The words after a program's options. The options in `valued` also take the next word.
pub(super) fn behind(words: &[String], valued: WordList) -> &[String] {
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        if word == "--" {
            return after;
        }
        if !word.starts_with('-') || word == "-" {
            break;
        }
        rest = match valued.contains(word) {
            true => after.get(1..).unwrap_or_default(),
            false => after,
        };
    }
    rest
}

/// The words that are not options.
pub(super) fn names(words: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    let mut only_names = false;
    for word in words {
        if only_names || !word.starts_with('-') || word == "-" {
            names.push(word.clone());
        } else if word == "--" {
            only_names = true;
        }
    }
    names
}

/// Whether one of these options is given, written as `-f|--force|--del*`. A single letter also
/// matches within a cluster, a long option also matches abbreviated, and `*` matches any ending.
pub(super) fn given(words: &[String], options: &str) -> bool {
    let is_meant = |option: &str, word: &str| {
        let letter = option.strip_prefix('-').filter(|rest| rest.len() == 1);
        let letters = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        match (option.strip_suffix('*'), letter, letters) {
            (Some(begin), ..) => word.starts_with(begin),
            (_, Some(letter), letters) => letters.is_some_and(|all| all.contains(letter)),
            (_, None, None) if word.len() > "--xx".len() => option.starts_with(word),
            _ => word == option,
        }
    };
    let mut before_dashes = words.iter().take_while(|word| *word != "--");
    before_dashes.any(|word| options.split('|').any(|option| is_meant(option, word)))
}

/// The value of an option: `-o x`, `-ox`, `--output x` or `--output=x`.
pub(super) fn value_of(words: &[String], letter: char, long: &str) -> Option<String> {
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if let Some(value) = word.strip_prefix(long) {
            if let Some(value) = value.strip_prefix('=') {
                return Some(value.to_owned());
            }
            if value.is_empty() {
                return rest.next().cloned();
            }
        } else if let Some(letters) = word.strip_prefix('-').filter(|word| !word.starts_with('-'))
            && let Some((_, value)) = letters.split_once(letter)
        {
            return match value.is_empty() {
                true => rest.next().cloned(),
                false => Some(value.to_owned()),
            };
        }
    }
    None
}

/// Whether the options request a dry run. Abbreviations don't count, since a program that does not
/// know one would go ahead.
pub(super) fn is_dry(words: &[String]) -> bool {
    let dry = WordList("--dry-run --dryrun --simulate --just-print");
    let is_off = |how: &str| how == "none" || how == "false";
    let mut before_dashes = words.iter().take_while(|word| *word != "--");
    before_dashes.any(|word| {
        let how = word.strip_prefix("--dry-run=");
        dry.contains(word) || how.is_some_and(|how| !is_off(how))
    })
}
