//! Checks a change against the literal request in the title: to replace one thing with another, to
//! remove something, or to add something new. Works on lines and words, and recognizes verbs in
//! nine languages.

use gate::destructive::{Doubt, Written};
use plan::word_list::WordList;

use super::line_diff::{is_long, names};
use super::placement::misplaced;
use super::{places, quoted};
use crate::model_step::step_tools;

/// Beginnings of titles of steps that replace something.
const REPLACES: [&str; 21] = [
    "replac",
    "renam",
    "substitut",
    "swap",
    "chang",
    "ersetz",
    "benenn",
    "umbenenn",
    "remplac",
    "renomm",
    "reemplaz",
    "sustitu",
    "renombr",
    "renomei",
    "sostitu",
    "rinomin",
    "замен",
    "переимен",
    "替换",
    "重命名",
    "置換",
];
/// Beginnings of titles of steps that remove something.
const REMOVES: [&str; 16] = [
    "remov", "delet", "drop", "strip", "entfern", "lösch", "streich", "supprim", "retir", "enlèv",
    "elimin", "borr", "quit", "rimuov", "удал", "删除",
];
/// Words that limit a replacement to one place.
const SOMEWHERE: WordList = WordList(
    "first last line lines only once one second third inside within section function method class block ersten \
    letzten zeile nur premier première dernière ligne seulement primera primer última línea solo primeira linha prima \
    riga",
);
/// Words that extend a replacement to all occurrences.
const EVERYWHERE: WordList = WordList(
    "every each all everywhere throughout überall alle jedes jeden jede toutes tous chaque partout todos todas cada \
    ogni tutti tutte tutto все всех везде каждое",
);
/// Words before a quoted text that must appear verbatim.
const AS_WRITTEN: WordList = WordList(
    "line lines text texts string sentence heading title value row entry message zeile text satz wert ligne texte \
    phrase valeur línea texto frase valor linha riga testo valore строку текст",
);

/// First letters of words that begin the title of a step that writes a text.
const PUTS: [&str; 13] = [
    "create", "write", "set", "put", "schreib", "erstell", "écri", "crée", "escrib", "crea",
    "escrev", "cria", "scriv",
];
/// First letters of words that begin the title of a step that gives something a value.
const SETS: [&str; 8] = [
    "set",
    "updat",
    "setz",
    "stell",
    "défini",
    "defin",
    "imposta",
    "установ",
];
/// Words between a thing and its replacement or value.
const JOINS: WordList = WordList("with by to into durch zu auf in par en à por con a com em na на");
/// Words between a verb and the text that it writes.
const ARTICLES: WordList = WordList(
    "a an the new another das der die den ein eine einen neue neuen un une le la les nouveau nouvelle el los \
    las una nuevo nueva o os as um uma novo nova il lo gli nuovo nuova новую новый",
);

/// Why the files don't match what the title literally asks for.
pub(super) fn literal_doubt(files: &[Written], title: &str) -> Option<Doubt> {
    if files.is_empty() || files.iter().any(is_long) {
        return None;
    }
    let first = title.trim_start().to_lowercase();
    let begins = |words: &[&str]| words.iter().any(|word| first.starts_with(word));
    if begins(&REMOVES) {
        return not_removed(files, title);
    }
    if let Some(why) = placeholder(files, &first).or_else(|| misplaced(files, title)) {
        let is_certain = true;
        return Some(Doubt { why, is_certain });
    }
    let replaced = begins(&REPLACES).then(|| not_replaced(files, title));
    replaced.flatten().or_else(|| missing_text(files, title))
}

fn count(texts: impl Iterator<Item = impl AsRef<str>>, name: &str) -> usize {
    texts.map(|text| places(text.as_ref(), name).len()).sum()
}

fn before(files: &[Written]) -> impl Iterator<Item = &String> {
    files.iter().map(|(_, before, _)| before)
}

fn after(files: &[Written]) -> impl Iterator<Item = &String> {
    files.iter().map(|(_, _, after)| after)
}

fn has_word(title: &str, words: WordList) -> bool {
    let title = title.to_lowercase();
    let mut found = title.split(|c: char| !c.is_alphanumeric());
    found.any(|word| words.contains(word))
}

/// Reports that the thing to be removed occurs as often as before.
fn not_removed(files: &[Written], title: &str) -> Option<Doubt> {
    let names = names(title, files);
    let there: Vec<&str> = names
        .into_iter()
        .filter(|name| count(before(files), name) > 0)
        .collect();
    let is_left = |name: &&str| count(after(files), name) >= count(before(files), name);
    let name = there.first()?;
    there.iter().all(is_left).then(|| Doubt {
        why: format!("the step takes `{name}` away, and it is there as often as before"),
        is_certain: true,
    })
}

/// Reports that the files still contain the thing to be replaced.
fn not_replaced(files: &[Written], title: &str) -> Option<Doubt> {
    let [old, new] = names(title, files)[..] else {
        return None;
    };
    if !is_joined(title, old, new) {
        return None;
    }
    let around = quoted(title)
        .into_iter()
        .fold(title.to_owned(), |text, value| text.replace(value, ""));
    let is_partial = has_word(&around, SOMEWHERE) || around.chars().any(|c| c.is_ascii_digit());
    let was = count(before(files), old);
    // The replacement may contain the old name.
    let left = after(files).map(|text| text.replace(new, ""));
    let left = count(left, old);
    (was > 0 && left > 0 && !is_partial).then(|| Doubt {
        why: format!("`{new}` takes the place of `{old}`, and `{old}` is still there {left} times"),
        is_certain: left >= was || has_word(title, EVERYWHERE),
    })
}

/// Whether the words between two names say that the second name replaces the first.
fn is_joined(title: &str, old: &str, new: &str) -> bool {
    let between = title
        .split_once(old)
        .and_then(|(_, rest)| Some(rest.split_once(new)?.0));
    between.is_some_and(|between| {
        let words: Vec<&str> = between
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        let has_join = words.iter().any(|word| JOINS.contains(word.to_lowercase()));
        let is_without_blanks = ["为", "成", "换", "に", "→"]
            .iter()
            .any(|join| between.contains(join));
        words.len() <= 3 && (has_join || is_without_blanks)
    })
}

/// Reports a new file that contains only a placeholder.
fn placeholder(files: &[Written], title: &str) -> Option<String> {
    const MARKS: [&str; 6] = [
        "todo",
        "placeholder",
        "lorem ipsum",
        "content here",
        "goes here",
        "your text",
    ];
    let mut new = files
        .iter()
        .filter(|(_, before, _)| before.trim().is_empty());
    new.find_map(|(path, _, after)| {
        let text = after.trim().to_lowercase();
        let is_framed = text.starts_with('<')
            && text.ends_with('>')
            && !text.contains("</")
            && !text.contains('!');
        let is_mark = MARKS
            .iter()
            .any(|mark| text.contains(mark) && !title.contains(mark));
        (text.len() < 200 && text.lines().count() < 3 && (is_framed || is_mark))
            .then(|| format!("{path} holds `{}`, which is no text yet", after.trim()))
    })
}

/// Reports a name or a text in the title that no file contains. A name is reported only if the
/// files contain another name in the title; a text, only if it should appear word for word.
fn missing_text(files: &[Written], title: &str) -> Option<Doubt> {
    let is_there = |value: &str| {
        let bare = value.trim_matches(|c: char| !c.is_alphanumeric());
        let other = bare.replace('-', "_");
        let mut texts = before(files).chain(after(files));
        texts.any(|text| text.contains(bare) || text.contains(&other))
    };
    let is_word = |value: &&str| {
        let is_text = !value.contains(char::is_whitespace);
        let head = value.split(['(', '<', '[', '{']).next().unwrap_or_default();
        is_text && !head.is_empty()
    };
    let words = names(title, files);
    let any = words.iter().any(|word| is_there(word));
    let missing = words
        .iter()
        .copied()
        .filter(is_word)
        .find(|word| any && !is_there(word));
    let missing = missing.or_else(|| {
        texts_as_written(title).find(|text| {
            let all = before(files).chain(after(files));
            !has_words(all, text)
        })
    });
    missing.map(|missing| Doubt {
        why: format!("the step names `{missing}`, but no changed file contains it"),
        is_certain: false,
    })
}

/// The quoted texts of several words that must appear: after a noun as in "the line `a = 1`", after
/// the verb as in "write `a b` into", and as a new value as in "set the title to `a b`".
fn texts_as_written(title: &str) -> impl Iterator<Item = &str> {
    let first = title.trim_start().to_lowercase();
    let begins = |words: &[&str]| words.iter().any(|word| first.starts_with(word));
    let is_put = step_tools::only_adds(title) || begins(&PUTS);
    let is_value = begins(&REPLACES) || begins(&SETS);
    let found = quoted(title).into_iter().filter(move |value| {
        let at = title
            .find(value)
            .filter(|_| value.contains(char::is_whitespace));
        let Some(at) = at.filter(|_| is_put || is_value) else {
            return false;
        };
        let lead = title[..at].to_lowercase();
        let lead = lead.split(|c: char| !c.is_alphanumeric());
        let lead: Vec<&str> = lead.filter(|word| !word.is_empty()).collect();
        let (last, verb_to_last) = match &lead[..] {
            [] | [_] => ("", &[][..]),
            [_, rest @ ..] => (rest[rest.len() - 1], rest),
        };
        let is_object = verb_to_last.iter().all(|word| ARTICLES.contains(word));
        is_put && (is_object || AS_WRITTEN.contains(last)) || is_value && JOINS.contains(last)
    });
    found.collect::<Vec<_>>().into_iter()
}

/// Whether one of the texts contains the words of another one in the same order, however they are
/// spaced, cased and punctuated.
fn has_words(mut texts: impl Iterator<Item = impl AsRef<str>>, value: &str) -> bool {
    let words = |text: &str| -> String {
        let text = text.to_lowercase();
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        words.fold(" ".to_owned(), |all, word| all + word + " ")
    };
    let value = words(value);
    texts.any(|text| words(text.as_ref()).contains(&value))
}

#[cfg(test)]
mod tests;
