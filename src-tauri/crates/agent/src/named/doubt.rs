//! Whether what a step changed is what its title asks for: at the named places, nothing lost where something is
//! added, and not made for the values of its check alone.
//!
//! A doubt is no proof: it is told to the model, and then to a person.

use std::collections::BTreeSet;

use gate::destructive::{Doubt, Written};
use similar::{Algorithm, ChangeTag, TextDiff};

use super::{heads, places, quoted};
use crate::envelope::one_line;
use crate::model_step::table;

/// Bytes of a name.
const MAX_NAME: usize = 60;
/// Lines of a text beyond which nothing is said about it.
const MAX_LINES: usize = 4_000;

/// The names in a step's title that are to be found in what it changes: quoted, and no file.
fn names<'t>(title: &'t str, files: &[Written]) -> Vec<&'t str> {
    let names = quoted(title).into_iter().map(|value| {
        // `greet(name)` names a function.
        value.split_once('(').map_or(value, |(name, _)| name)
    });
    let is_file = |value: &str| {
        let (stem, ending) = value.rsplit_once('.').unwrap_or((value, ""));
        let is_changed = |(path, ..): &Written| path.rsplit('/').next() == Some(value);
        value.contains('/')
            || files.iter().any(is_changed)
            || !stem.is_empty()
                && (1..6).contains(&ending.len())
                && ending.chars().any(char::is_alphabetic)
    };
    names
        .filter(|value| {
            let is_short = !value.contains('\n') && value.len() <= MAX_NAME;
            is_short && value.contains(char::is_alphanumeric) && !is_file(value)
        })
        .collect()
}

/// Why what these files hold now does not look like what a title asks for; `None` where it does, or where the
/// title names nothing.
pub fn not_met(files: &[Written], title: &str, checks: &[String]) -> Option<Doubt> {
    let lost = table::only_adds(title).then(|| lost(files)).flatten();
    if let Some(why) = lost.or_else(|| made_for(files, title, checks)) {
        let is_certain = true;
        return Some(Doubt { why, is_certain });
    }
    let names = names(title, files);
    if names.is_empty() || files.is_empty() || files.iter().any(is_long) {
        return None;
    }
    let is_in = |text: &str, name: &str| !places(text, name).is_empty();
    let is_there = |name: &str| {
        let mut files = files.iter();
        files.any(|(_, before, after)| is_in(before, name) || is_in(after, name))
    };
    let there: Vec<&str> = names
        .iter()
        .copied()
        .filter(|name| is_there(name))
        .collect();
    if there.is_empty() {
        // Several words may be a command.
        let words = names.into_iter().filter(|name| !name.contains(' '));
        let words: Vec<&str> = words.collect();
        if words.is_empty() {
            return None;
        }
        let names = words.join("`, `");
        return Some(Doubt {
            why: format!("nothing that was changed holds what the step names: `{names}`"),
            // What is named may be a program; in a file that is new it is more likely what was wanted.
            is_certain: files.iter().all(|(_, before, _)| before.trim().is_empty()),
        });
    }
    let touched: Option<Vec<Vec<String>>> = files.iter().map(touched).collect();
    let touched: Vec<String> = touched?.concat();
    let is_missed = |name: &&&str| !touched.iter().any(|line| is_in(line, name));
    let why = match there.iter().find(is_missed) {
        Some(missed) => format!("the step names `{missed}`, and nothing was changed there"),
        None => twin(files, &there)?,
    };
    Some(Doubt {
        why,
        is_certain: false,
    })
}

fn is_long(file: &Written) -> bool {
    [&file.1, &file.2]
        .iter()
        .any(|text| text.lines().count() > MAX_LINES)
}

/// From here on one line is another form of the other.
const ALIKE: f64 = 0.5;
/// Lines that moved, beyond which a file was written anew and nothing is said about it.
const MAX_MOVED: usize = 400;
/// Lines that went which are looked at, and lines that came that each is compared with.
const MAX_GONE: usize = 60;
const MAX_CAME: usize = 240;
/// Bytes of a line that are compared.
const MAX_LINE: usize = 160;

/// Whether one line is another form of the other.
fn is_alike(one: &str, other: &str) -> bool {
    let begin = |line: &'_ str| line.trim()[..line.trim().floor_char_boundary(MAX_LINE)].to_owned();
    strsim::normalized_levenshtein(&begin(one), &begin(other)) >= ALIKE
}

/// A line that went or came, with what heads it.
struct Moved<'t> {
    line: &'t str,
    heads: Vec<&'t str>,
}

/// The lines that went, and those that came; `None` where they are too many.
fn moved<'t>(before: &'t str, after: &'t str) -> Option<(Vec<Moved<'t>>, Vec<Moved<'t>>)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let diff = TextDiff::configure()
        .algorithm(Algorithm::Patience)
        .diff_lines(before, after);
    let (mut gone, mut came) = (Vec::new(), Vec::new());
    for change in diff.iter_all_changes() {
        let (lines, at, into) = match change.tag() {
            ChangeTag::Equal => continue,
            ChangeTag::Delete => (&old, change.old_index(), &mut gone),
            ChangeTag::Insert => (&new, change.new_index(), &mut came),
        };
        if into.len() == MAX_MOVED {
            return None;
        }
        if let Some((at, line)) = at.and_then(|at| Some((at, *lines.get(at)?))) {
            let heads = heads(lines, at).split_off(1);
            into.push(Moved { line, heads });
        }
    }
    Some((gone, came))
}

/// A line that went for nothing like it, where a step only adds.
fn lost(files: &[Written]) -> Option<String> {
    let mut files = files.iter().filter(|file| !is_long(file));
    files.find_map(|(path, before, after)| {
        let (gone, came) = moved(before, after)?;
        let is_gone = |head: &str| gone.iter().any(|other| other.line == head);
        let is_kept = |line: &Moved<'_>| {
            came.iter().take(MAX_CAME).any(|other| {
                // Under another head only where that changed as well.
                let is_there = match (line.heads.first(), other.heads.first()) {
                    (Some(head), of) => Some(head) == of || is_gone(head),
                    (None, _) => true,
                };
                is_there && is_alike(line.line, other.line)
            })
        };
        let has_words = |line: &&Moved<'_>| line.line.chars().any(char::is_alphanumeric);
        let mut gone = gone.iter().filter(has_words).take(MAX_GONE);
        let line = gone.find(|line| !is_kept(line))?;
        let line = one_line(line.line.trim(), 80);
        Some(format!(
            "the step adds something, and `{line}` went from {path}"
        ))
    })
}

/// A line that was changed beside one like it that is nearer to what is named.
fn twin(files: &[Written], names: &[&str]) -> Option<String> {
    let mut files = files.iter().filter(|file| !is_long(file));
    files.find_map(|(_, before, after)| {
        let (gone, _) = moved(before, after)?;
        let named = |line: &Moved<'_>| -> BTreeSet<&str> {
            let all = std::iter::once(&line.line).chain(&line.heads);
            let all: Vec<&&str> = all.collect();
            let is_in = |name: &&&str| all.iter().any(|line| !places(line, name).is_empty());
            names.iter().filter(is_in).copied().collect()
        };
        // A file that was written anew has no twins.
        if gone.len() > MAX_GONE {
            return None;
        }
        let gone: Vec<(&Moved<'_>, BTreeSet<&str>)> =
            gone.iter().map(|line| (line, named(line))).collect();
        gone.iter().find_map(|(one, own)| {
            let is_twin = |(other, theirs): &(&Moved<'_>, BTreeSet<&str>)| {
                own.is_subset(theirs) && own != theirs && is_alike(one.line, other.line)
            };
            let is_beside = !own.is_empty() && gone.iter().any(is_twin);
            let line = one_line(one.line.trim(), 80);
            is_beside
                .then(|| format!("`{line}` was changed as well, which is not what the step names"))
        })
    })
}

/// A line of code that decides by the values of a check of the step: it may have been written for the check.
fn made_for(files: &[Written], title: &str, checks: &[String]) -> Option<String> {
    const DECIDES: [&str; 8] = ["if ", "if(", "==", "===", "? ", "case ", "match ", "when "];
    let asked = values(title);
    let of_checks: BTreeSet<&str> = checks.iter().flat_map(|check| values(check)).collect();
    files
        .iter()
        .filter(|file| !is_long(file))
        .find_map(|(path, before, after)| {
            let is_test = path.to_lowercase().contains("test");
            let old: BTreeSet<&str> = before.lines().collect();
            let mut came = after.lines().filter(|line| !old.contains(line));
            let line = came.find(|line| {
                let all: BTreeSet<&str> = values(line).difference(&asked).copied().collect();
                let is_of_check =
                    all.len() > 1 && all.iter().all(|value| of_checks.contains(value));
                is_of_check && DECIDES.iter().any(|word| line.contains(word))
            });
            let line = line.filter(|_| !is_test)?;
            let line = one_line(line.trim(), 80);
            Some(format!(
                "`{line}` decides by the values of the check, so it may be right for them alone"
            ))
        })
}

/// The numbers in a text.
fn values(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
    let words = words.map(|word| word.trim_matches('.'));
    words
        .filter(|word| !word.is_empty() && word.parse::<f64>().is_ok())
        .collect()
}

/// The lines that went and came, with what heads them; beside lines that came and took the place of none, the
/// one above and the one below.
fn touched((_, before, after): &Written) -> Option<Vec<String>> {
    let (gone, came) = moved(before, after)?;
    let mut found: BTreeSet<&str> = BTreeSet::new();
    let lines: Vec<&str> = after.lines().collect();
    for line in gone.iter().chain(&came) {
        found.insert(line.line);
        found.extend(&line.heads);
    }
    if gone.is_empty() {
        let is_new = |line: &str| came.iter().any(|other| other.line == line);
        let pairs = lines
            .windows(2)
            .filter(|pair| is_new(pair[0]) || is_new(pair[1]));
        found.extend(pairs.flatten());
    }
    Some(found.into_iter().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubt(before: &str, after: &str, title: &str) -> Option<bool> {
        let file = ("a.py".to_owned(), before.to_owned(), after.to_owned());
        not_met(&[file], title, &[]).map(|doubt| doubt.is_certain)
    }

    const PRICES: &str = "def net(p):\n    total = p\n    return total\n\n\ndef gross(p):\n    total = p\n    return total\n";
    const INI: &str = "[dev]\ntimeout = 10\n\n[prod]\ntimeout = 30\n";
    const JSON: &str =
        "{\n  \"web\": {\n    \"port\": 80\n  },\n  \"mail\": {\n    \"port\": 25\n  }\n}\n";

    const TEST: &str = "def test_a():\n    assert f(1) == 2\n";

    #[test]
    fn a_change_at_another_place_than_the_named_one_is_doubted() {
        for (before, after, title, expected) in [
            // Nothing of what is named is there.
            ("", "# nothing\n", "Write the code as `CODE`", Some(true)),
            ("", "CODE = 1\n", "Write the code as `CODE`", None),
            ("a = 1\n", "a = 2\n", "Make `pytest` pass", Some(false)),
            // The one of two places.
            (
                PRICES,
                &PRICES.replacen("total = p", "total = p + 1", 1),
                "Have `net` add 1",
                None,
            ),
            (
                PRICES,
                &PRICES.replacen("total = p", "total = p + 1", 1),
                "Have `gross` add 1",
                Some(false),
            ),
            (
                INI,
                &INI.replace("30", "45"),
                "Set `timeout` of `[prod]` to `45`",
                None,
            ),
            (
                INI,
                &INI.replace("10", "45"),
                "Set `timeout` of `[prod]` to `45`",
                Some(false),
            ),
            (
                JSON,
                &JSON.replace("80", "3000"),
                "Set the `port` of `web` to `3000`",
                None,
            ),
            (
                JSON,
                &JSON.replace("25", "3000"),
                "Set the `port` of `web` to `3000`",
                Some(false),
            ),
            // What only adds takes nothing away.
            (
                "flask==3\nclick==8\n",
                "yaml==6\n",
                "Add `yaml==6` at the end",
                Some(true),
            ),
            (
                "def f(a):\n    return a\n",
                "def f(a, b):\n    return a\n",
                "Add `b` to `f`",
                None,
            ),
            (
                TEST,
                &TEST.replace("f(1) == 2", "True"),
                "Add `test_b`",
                Some(true),
            ),
            (
                TEST,
                &format!("{TEST}\n\ndef test_b():\n    assert f(2) == 3\n"),
                "Add `test_b`",
                None,
            ),
            (
                TEST,
                "def test_a():\n    pass\n\n\ndef test_b():\n    assert f(2) == 3\n",
                "Add `test_b`",
                Some(true),
            ),
            // What is taken away was there, what is added comes beside what is named.
            ("a = 1\nb = 2\n", "a = 1\n", "Remove `b`", None),
            (
                "- one\n- two\n",
                "- one\n- new\n- two\n",
                "Insert `new` above `- two`",
                None,
            ),
            ("- one\n- two\n", "- one\n- two\n", "", None),
            // A title that names no more than a file or a command says nothing about its lines.
            ("a\n", "b\n", "Sort `a.py` by `make sort`", None),
        ] {
            assert_eq!(doubt(before, after, title), expected, "{title}: {after}");
        }
    }

    #[test]
    fn a_large_file_that_is_written_anew_takes_no_time() {
        let text = |word: &str| -> String {
            let line = |at: usize| format!("    {word}_{at} = call({at}, \"{word}\", {word})\n");
            (0..MAX_LINES - 1).map(line).collect()
        };
        let (before, after) = (text("alpha"), text("beta"));
        let began = std::time::Instant::now();
        let _ = doubt(&before, &after, "Add `beta` beside `alpha`");
        let _ = doubt(&before, &after, "Have `beta` in place of `alpha`");
        assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
    }

    #[test]
    fn code_that_decides_by_the_values_of_its_check_is_doubted() {
        let doubt = |line: &str, title: &str| {
            let after = format!("def clamp(value, low, high):\n    {line}\n");
            let file = ("a.py".to_owned(), String::new(), after);
            let check = "python3 -c 'from a import clamp; assert clamp(5, 1, 3) == 3'".to_owned();
            not_met(&[file], title, &[check]).is_some()
        };
        let title = "Add `clamp`";
        assert!(doubt("return 3 if value == 5 else 1", title));
        assert!(!doubt("return max(low, min(high, value))", title));
        assert!(!doubt("return low if value < low else value", title));
        assert!(!doubt(
            "return 3 if value == 5 else 1",
            "Have `clamp` return 3 of 5 and else 1"
        ));
    }
}
