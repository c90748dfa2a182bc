//! Checks that a deletion request says nothing beyond what to delete. Since deletion is
//! irreversible, a single unknown word, as in "its mention in README.md" or "everything but
//! setup.cfg", leaves the request to a person.

use super::{german, kind};
use crate::among;

/// Words that make no difference to what is deleted.
const FILLER_WORDS: &str = "the a an this that these those both all and or please now also too completely entirely whole up \
    old unused obsolete stale dead outdated legacy deprecated \
    die der das den dem diese dieses diesen beide alle und oder bitte auch jetzt ganz auf weg alte alten unbenutzte \
    le la les l un une ces cette tous toutes et ou aussi \
    el los las una estos estas todos todas y e o os as";
/// Words for files, in addition to the common English ones.
const NOUNS: &str = "module modules script log backup fixture snapshot image asset document documents \
    datei dateien ordner verzeichnis verzeichnisse skript skripte \
    fichier fichiers dossier dossiers répertoire archivo archivos fichero ficheros carpeta carpetas \
    arquivo arquivos pasta pastas";
/// Prepositions before a folder whose entire content is deleted.
const IN: &str = "in under from inside within of unter aus im dans sous de du en bajo";
/// Words that stand for the whole workspace.
const PLACES: &str = "repository repo project workspace codebase tree disk projekt arbeitsbereich projet proyecto projeto \
    dépôt repositorio repositório";
/// Phrases that introduce a reason after what is to be deleted.
const REASONS: [&str; 13] = [
    " because ",
    " since ",
    ", which ",
    ", as it ",
    ", as they ",
    ", as nobody ",
    " weil ",
    ", da ",
    " denn ",
    " car ",
    " parce que ",
    " porque ",
    " puisque ",
];

/// Whether a request consists only of its verb and these paths, or the content of these folders.
pub(super) fn is_all(wish: &str, named: &[String]) -> bool {
    let reason = REASONS.iter().filter_map(|begin| wish.find(begin)).min();
    let (wish, reason) = wish.split_at(reason.unwrap_or(wish.len()));
    let path = |word: &str| named.iter().find(|path| path.trim_end_matches('/') == word);
    if words(reason).iter().any(|word| path(word).is_some()) {
        return false;
    }
    let all = words(super::imperative(wish));
    let plain: Vec<String> = all.iter().map(|word| word.to_lowercase()).collect();
    let is_noun = |word: &str| among(word, kind::FILES) || among(word, NOUNS);
    let says_something = |word: &&String| !among(word, FILLER_WORDS) && !is_noun(word);
    let is_folder = |word: &str| {
        let ends_as_file = |path: &str| {
            path.rsplit('/')
                .next()
                .is_some_and(|name| name.contains('.'))
        };
        path(word).is_some_and(|path| path.ends_with('/') || !ends_as_file(path))
    };
    (0..all.len()).all(|at| {
        let word = plain[at].as_str();
        let before = plain[..at]
            .iter()
            .rev()
            .find(|word| !among(word, FILLER_WORDS));
        if path(&all[at]).is_some() || among(word, FILLER_WORDS) || is_noun(word) {
            return true;
        }
        if among(word, IN) {
            let next = plain[at + 1..]
                .iter()
                .position(|word| says_something(&word));
            let next = next.map(|next| at + 1 + next);
            let lists_files = before.is_some_and(|word| is_noun(word));
            return next.is_some_and(|next| {
                among(&plain[next], PLACES) || lists_files && is_folder(&all[next])
            });
        }
        let is_place = among(word, PLACES) && before.is_some_and(|word| among(word, IN));
        // The verb comes first, except in German, where it may come last.
        is_place || (at == 0 || at + 1 == all.len()) && removes(word)
    })
}

/// Whether a lowercase word is a verb that means to delete.
fn removes(word: &str) -> bool {
    among(&kind::stem(word), "remove delete clean drop prune purge") || among(word, german::REMOVE)
}

/// Whether a request contains this path as a word.
pub(super) fn names(wish: &str, path: &str) -> bool {
    words(wish)
        .iter()
        .any(|word| word == path.trim_end_matches('/'))
}

/// The words of a text, without the punctuation around them.
fn words(text: &str) -> Vec<String> {
    let around = |c: char| "`'\"“”„‘’«»()[]{},;:!?".contains(c);
    let bare = |word: &str| {
        let word = word.trim_matches(around).trim_end_matches(['.', '/']);
        word.trim_matches(around).to_owned()
    };
    let words = text.split_whitespace().map(bare);
    words.filter(|word| !word.is_empty()).collect()
}
