//! Detects whether a text without a call announces a call or claims that there are no tools.

use plan::word_list::WordList;

/// Beginnings of sentences that announce what the model is about to do.
const ANNOUNCES: WordList = WordList(
    "i will |i'll |i’ll |let me |let's |let’s |i am going to |i'm going to |i’m going to |\
    i am now |i'm now |now i |next, i |next i |first, i |i need to |i should |ich werde |\
    ich lese |lass mich |i would like to |we need to ",
);

/// Verbs for what tools do.
const VERBS: WordList = WordList(
    "read open look check search find list edit change modify update write create add run execute \
    delete remove inspect examine view start begin use call fix apply replace grep see lesen \
    öffnen suchen ändern schreiben ausführen now first",
);

/// Whether a text without a call announces a call at its end.
pub(super) fn announces(text: &str) -> bool {
    let text = text.trim_end();
    let last = text.char_indices().rev().take(240).last();
    let tail = text[last.map_or(0, |(at, _)| at)..].to_lowercase();
    if WordList("让我 我将 我会 我来").are_in(&tail) {
        return true;
    }
    if tail.contains("let me know") || tail.ends_with('?') {
        return false;
    }
    ANNOUNCES.iter().any(|words| {
        tail.match_indices(words).any(|(at, _)| {
            let begins = !tail[..at].ends_with(char::is_alphanumeric);
            let follows = &tail[at + words.len()..];
            let sentence = follows.split(['.', '\n']).next().unwrap_or_default();
            let mut next = sentence.split(|c: char| !c.is_alphanumeric()).take(8);
            let is_verb =
                |word: &str| VERBS.contains(word) || VERBS.contains(word.trim_end_matches("ing"));
            begins && next.any(is_verb)
        })
    })
}

/// Whether a text claims to have no tools.
pub(super) fn denies(text: &str) -> bool {
    let head: String = text.chars().take(400).collect::<String>().to_lowercase();
    let head = head.replace('’', "'");
    WordList(
        "i cannot |i can't |i can not |i am unable to |i'm unable to |i am not able to |\
        i'm not able to |i don't have access|i do not have access|i don't have the ability|\
        i do not have the ability|i don't have tools|i have no access|as an ai|ich kann nicht|\
        ich kann keine|i don't have the tools|i do not have the tools|i don't have direct access",
    )
    .are_in(&head)
}
