//! Cuts endings off words.

/// Longest first among those that overlap.
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

/// A word without its endings; what is left has four letters or more where the word has. The word is
/// in lower case.
pub(super) fn stem(word: &str) -> &str {
    const SHORTEST: usize = 4;
    if word.len() <= 3 || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return word;
    }
    // A plural of a short word: "rows", "keys".
    let mut left = match word.strip_suffix('s') {
        Some(one) if !one.ends_with(['s', 'u', 'i']) => one,
        _ => word,
    };
    for _ in 0..2 {
        let cut = ENDINGS
            .iter()
            // Most endings differ in their last letter, and that costs one comparison.
            .filter(|ending| ending.as_bytes().last() == left.as_bytes().last())
            .filter_map(|ending| left.strip_suffix(ending))
            .find(|rest| rest.chars().count() >= SHORTEST);
        match cut {
            Some(rest) => left = rest,
            None => break,
        }
    }
    // Short ones: "saved", "saving".
    if left == word {
        let short = ["ing", "ed"]
            .iter()
            .filter_map(|ending| left.strip_suffix(ending));
        left = short
            .into_iter()
            .find(|rest| rest.len() >= 3)
            .unwrap_or(left);
    }
    // "stopped", "planning"
    let bytes = left.as_bytes();
    if let [.., one, other] = bytes
        && one == other
        && left.len() > SHORTEST
        && one.is_ascii_alphabetic()
    {
        return &left[..left.len() - 1];
    }
    left.strip_suffix(['e', 'y', 'i'])
        .filter(|rest| rest.chars().count() >= 3)
        .unwrap_or(left)
}
