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
    let is_partial = has_word(title, SOMEWHERE) || title.chars().any(|c| c.is_ascii_digit());
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
    const JOINS: WordList = WordList("with by to into durch zu in par en por con com em na на");
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
    let missing = missing.or_else(|| texts_as_written(title).find(|text| !is_there(text)));
    missing.map(|missing| Doubt {
        why: format!("the step names `{missing}`, but no changed file contains it"),
        is_certain: false,
    })
}

/// The quoted texts that must appear word for word, as in "the line `a = 1`".
fn texts_as_written(title: &str) -> impl Iterator<Item = &str> {
    let is_put = step_tools::only_adds(title) || {
        let first = title.trim_start().to_lowercase();
        [
            "create", "write", "set", "put", "schreib", "erstell", "écri", "crée", "escrib",
            "crea", "escrev", "cria", "scriv",
        ]
        .iter()
        .any(|word| first.starts_with(word))
    };
    let found = quoted(title).into_iter().filter(move |value| {
        let Some(at) = title.find(value).filter(|_| is_put) else {
            return false;
        };
        let lead = title[..at].trim_end_matches(|c: char| !c.is_alphanumeric());
        let word = lead
            .rsplit(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default();
        value.contains(char::is_whitespace) && AS_WRITTEN.contains(word.to_lowercase().as_str())
    });
    found.collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubt(title: &str, before: &str, after: &str) -> Option<bool> {
        let file = ("a.txt".to_owned(), before.to_owned(), after.to_owned());
        literal_doubt(&[file], title).map(|doubt| doubt.is_certain)
    }

    #[test]
    fn what_was_to_be_replaced_may_not_be_there_any_more() {
        let foo = "foo one\nfoo two\n";
        for (title, before, after, certain) in [
            (
                "Replace every `foo` by `bar` in a.txt",
                foo,
                "bar one\nfoo two\n",
                true,
            ),
            (
                "Ersetze überall `foo` durch `bar`",
                foo,
                "bar one\nfoo two\n",
                true,
            ),
            ("Rename `foo` to `bar`", foo, "bar one\nfoo two\n", false),
            (
                "Replace `foo` by `bar`",
                "foo\nbar\n",
                "foo\nbar\nbar\n",
                true,
            ),
        ] {
            assert_eq!(doubt(title, before, after), Some(certain), "{title}");
        }
        for (title, before, after) in [
            ("Replace every `foo` by `bar`", foo, "bar one\nbar two\n"),
            (
                "Replace the first `foo` by `bar`",
                foo,
                "bar one\nfoo two\n",
            ),
            (
                "Replace `foo` by `bar` in line 2",
                foo,
                "foo one\nbar two\n",
            ),
            ("Replace `foo` by `foo_bar`", "foo\n", "foo_bar\n"),
            ("Replace `foo` by `my foo`", "foo\n", "my foo\n"),
            (
                "Change how `foo` calls `bar`",
                "foo()\nbar()\n",
                "foo(1)\nbar(2)\nbaz()\n",
            ),
        ] {
            assert_eq!(doubt(title, before, after), None, "{title}");
        }
    }

    #[test]
    fn what_was_to_go_is_gone() {
        let text = "name = x\nDEBUG = 1\nlevel = 2\n";
        for after in [
            "name = x\n# DEBUG = 1\nlevel = 2\n",
            "name = x\nDEBUG = 0\nlevel = 2\n",
            "name = x\nDEBUG = 1\n",
        ] {
            let title = "Remove the `DEBUG` setting from a.txt";
            assert_eq!(doubt(title, text, after), Some(true), "{after}");
        }
        let title = "Remove `DEBUG` from the block of `name`";
        assert_eq!(doubt(title, text, "name = x\nlevel = 2\n"), None);
        assert_eq!(doubt("Remove the setting", text, "name = x\n"), None);
    }

    #[test]
    fn what_was_to_be_there_is_there() {
        for (title, before, after) in [
            (
                "Set `VERSION` to `2.0`",
                "VERSION = 1.0\n",
                "VERSION = 1.9\n",
            ),
            (
                "Add the line `alpha = 1` and the line `beta = 2`",
                "x\n",
                "x\nalpha = 1\n",
            ),
            ("Create a.txt with the text `Hello, world`", "", "Hello\n"),
        ] {
            assert_eq!(doubt(title, before, after), Some(false), "{title}");
        }
        for (title, before, after) in [
            (
                "Set `VERSION` to `2.0`",
                "VERSION = 1.0\n",
                "VERSION = 2.0\n",
            ),
            (
                "Add a `--dry-run` flag beside `verbose`",
                "verbose: bool\n",
                "verbose: bool\ndry_run: bool\n",
            ),
            (
                "Add a test that `report --csv` prints `rows`",
                "rows\n",
                "rows\n[\"report\", \"--csv\"]\n",
            ),
            (
                "Add a function `median(values)` beside `mean`",
                "def mean(v)\n",
                "def mean(v)\ndef median(v)\n",
            ),
        ] {
            assert_eq!(doubt(title, before, after), None, "{title}");
        }
    }
}
