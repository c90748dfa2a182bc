//! Verbs that indicate requirements in a goal.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Verbs that begin an imperative clause.
const IMPERATIVES: &str = "add adjust allow answer apply bring build bump call change check clean collect \
    compare compute configure confirm connect convert copy correct cover create \
    debug define delete deploy deprecate describe disable display document drop emit \
    enable ensure explain export expose extend extract find fix format generate give \
    group handle hide implement import improve include inline insert install \
    integrate introduce investigate let limit link list load locate log make merge \
    migrate modify move name note open optimise optimize parse pin port prepare \
    print produce propose provide publish put raise read record reduce refactor \
    reject release remove rename reorder repair replace report resolve restore \
    return review rewrite run save search send set show simplify skip solve sort \
    speed split start store summarise summarize support switch tell test throw trim \
    turn uninstall update upgrade use validate verify warn wrap write";

/// More verbs, which are ambiguous unless they begin a sentence.
const MORE: &str = "accept activate announce append approve archive assign attach back backs batch block \
    cache cancel cap capture catch clear clone close combine compile compress count cut decode \
    decrypt deduplicate deliver detect download draw edit embed encode encrypt end enforce escape \
    evict exempt expire fall fetch fill filter finish flag follow forward highlight index inform \
    invalidate invite issue join keep label launch localise localize lock mail manage map mark \
    mask match measure mention mirror monitor mount mute normalise normalize notify number offer \
    override paginate pause persist pick play post preload prevent profile protect purge queue rank \
    rebuild receive reconnect recover redirect refresh refuse register reload remember remind \
    render request require reset resize resume retain retry reuse revert roll rotate round route \
    sample scale scan schedule seed select serve share shorten sign stay stop stream strip \
    subscribe suggest survive suspend sync tag throttle toggle track transform translate trigger \
    unlock upload watch work";

/// Whether the word begins an imperative.
pub fn is_imperative(word: &str) -> bool {
    static KNOWN: LazyLock<HashSet<&str>> =
        LazyLock::new(|| IMPERATIVES.split_whitespace().collect());
    KNOWN.contains(word)
}

/// Whether the word may begin a request even though it often has another meaning.
fn is_likely(word: &str) -> bool {
    static KNOWN: LazyLock<HashSet<&str>> = LazyLock::new(|| MORE.split_whitespace().collect());
    KNOWN.contains(word)
}

/// The first word of a text in lower case, reduced to its letters.
pub fn first_word(text: &str) -> String {
    text.trim_start()
        .chars()
        .take_while(|c| c.is_alphabetic() || *c == '\'')
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether a space-separated list contains the word.
pub(super) fn among(word: &str, words: &str) -> bool {
    !word.is_empty() && words.split_whitespace().any(|known| known == word)
}

/// Whether a word is a verb that may begin a requirement in the middle of a sentence, and how
/// certain that is.
pub(super) fn verb(word: &str) -> Option<Verb> {
    if is_imperative(word) {
        return Some(Verb::Sure);
    }
    if is_likely(word) {
        return Some(Verb::Likely);
    }
    let base = word.strip_suffix('s')?;
    let candidates = [
        Some(base.to_owned()),
        base.strip_suffix('e').map(str::to_owned),
        base.strip_suffix("ie").map(|stem| format!("{stem}y")),
    ];
    let is_known = |base: &String| among(base, IMPERATIVES) || among(base, MORE);
    candidates
        .iter()
        .flatten()
        .any(is_known)
        .then_some(Verb::Likely)
}

/// Whether a text is a request that begins with its verb and contains no restriction, such as "add
/// a test". A statement can express a constraint in any words ("the tests are not ours"), and so
/// can text in another language.
pub fn is_plain_wish(text: &str) -> bool {
    const BUT: &str = "not never no only except without but unless until keep leave stay unchanged alone don't \
        doesn't mustn't shouldn't cannot can't nothing nobody none";
    let plain = text.to_lowercase();
    let mut words = plain.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let first = first_word(text);
    (is_imperative(&first) || is_likely(&first) || says_tests_pass(text))
        && !words.any(|word| among(word, BUT))
}

/// Whether a text says that tests pass: "the unit tests pass", "all checks are green".
pub fn says_tests_pass(text: &str) -> bool {
    let plain = text.to_lowercase();
    let has = |known: &str| {
        let mut words = plain.split(|c: char| !c.is_alphanumeric());
        words.any(|word| among(word, known))
    };
    has("test tests checks suite") && has("pass passes passing green succeed succeeds")
}

/// How certain it is that a word is a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verb {
    Sure,
    Likely,
}

/// Whether a word has the ending of a French or Spanish infinitive or polite imperative.
pub(super) fn is_romance_infinitive(word: &str) -> bool {
    word.chars().count() >= 4
        && [
            "er", "ir", "re", "ez", "ar", "arse", "erse", "irse", "arlo", "arla",
        ]
        .iter()
        .any(|ending| word.ends_with(ending))
}

/// Whether a word has the ending of a German infinitive.
pub(super) fn is_german_infinitive(word: &str) -> bool {
    word.chars().count() >= 4
        && word.starts_with(char::is_lowercase)
        && ["en", "ern", "eln"]
            .iter()
            .any(|ending| word.ends_with(ending))
}
