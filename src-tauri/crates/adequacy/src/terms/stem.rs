//! Removes the endings of words.

/// Endings to remove, in an order in which longer endings come before shorter ones that also match.
const ENDINGS: &[&str] = &[
    "ifications",
    "ification",
    "ications",
    "ication",
    "izations",
    "ization",
    "isation",
    "ations",
    "ation",
    "ements",
    "ement",
    "aciones",
    "uciones",
    "ungen",
    "ciones",
    "ments",
    "ingly",
    "ating",
    "ities",
    "ieren",
    "iones",
    "ness",
    "ment",
    "ings",
    "able",
    "ible",
    "ates",
    "ated",
    "ator",
    "iert",
    "acion",
    "ucion",
    "cion",
    "ando",
    "iendo",
    "ados",
    "adas",
    "idos",
    "idas",
    "ions",
    "ies",
    "ied",
    "ing",
    "ion",
    "ers",
    "ors",
    "ung",
    "ern",
    "eln",
    "ete",
    "est",
    "ado",
    "ada",
    "ido",
    "ida",
    "ify",
    "ize",
    "ise",
    "ate",
    "ity",
    "ent",
    "ant",
    "ees",
    "ee",
    "ed",
    "er",
    "or",
    "es",
    "ly",
    "al",
    "en",
    "em",
    "et",
    "ar",
    "ir",
    "os",
    "as",
    "an",
    "ez",
    "s",
    "e",
    "y",
    "i",
    "a",
    "o",
    "n",
];

/// The stem of a lowercase word. If the word has at least four letters, so does the stem.
pub(super) fn stem(word: &str) -> &str {
    const MIN_LETTERS: usize = 4;
    if word.len() <= 3 || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return word;
    }
    // Plurals of short words: "rows", "keys".
    let mut left = match word.strip_suffix('s') {
        Some(one) if !one.ends_with(['s', 'u', 'i']) => one,
        _ => word,
    };
    for _ in 0..2 {
        let cut = ENDINGS
            .iter()
            // Most endings differ in their last letter, which is quick to compare.
            .filter(|ending| ending.as_bytes().last() == left.as_bytes().last())
            .filter_map(|ending| left.strip_suffix(ending))
            .find(|rest| rest.chars().count() >= MIN_LETTERS);
        match cut {
            Some(rest) => left = rest,
            None => break,
        }
    }
    // Short words: "saved", "saving".
    if left == word {
        let short = ["ing", "ed"]
            .iter()
            .filter_map(|ending| left.strip_suffix(ending));
        left = short
            .into_iter()
            .find(|rest| rest.len() >= 3)
            .unwrap_or(left);
    }
    // Doubled consonants: "stopped", "planning".
    let bytes = left.as_bytes();
    if let [.., one, other] = bytes
        && one == other
        && left.len() > MIN_LETTERS
        && one.is_ascii_alphabetic()
    {
        return &left[..left.len() - 1];
    }
    left.strip_suffix(['e', 'y', 'i'])
        .filter(|rest| rest.chars().count() >= 3)
        .unwrap_or(left)
}
