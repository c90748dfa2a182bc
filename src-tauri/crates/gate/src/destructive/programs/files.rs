//! Files that `mv`, `cp`, `sed -i` and similar programs overwrite, move away or rewrite.

use super::launched::base;
use super::options::value_of;
use super::{Harm, SimpleCommand, Subject, harm, harm_to};
use plan::word_list::WordList;

/// The subjects that are paths, except temporary files that the line itself creates.
pub(super) fn paths(names: &[String]) -> Vec<Subject> {
    let is_own = |name: &&String| name.starts_with("$(mktemp") || name.starts_with("`mktemp");
    names
        .iter()
        .filter(|name| !is_own(name))
        .cloned()
        .map(Subject::Path)
        .collect()
}

/// An in-place edit by `sed -i`, `perl -pi` or an editor that is given commands.
#[derive(Default)]
struct Edit {
    is_in_place: bool,
    /// Whether only lines that the script prints are kept, as with `sed -n`.
    is_quiet: bool,
    scripts: Vec<String>,
    files: Vec<String>,
}

fn is_editor(name: &str) -> bool {
    matches!(name, "ed" | "ex" | "vi" | "vim" | "nvim")
}

impl Edit {
    fn of(name: &str, words: &[String], command: &SimpleCommand) -> Option<Self> {
        let (letters, valued): (&str, &[char]) = match name {
            "sed" => ("nErsuzi", &['e', 'f']),
            "perl" | "ruby" => ("pnliwa", &['e', 'E']),
            _ if is_editor(name) => ("", &['c']),
            _ => return None,
        };
        let mut edit = Self::default();
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            if word.starts_with("--in-place") {
                edit.is_in_place = true;
            } else if let Some(script) = word.strip_prefix("--expression=") {
                edit.scripts.push(script.to_owned());
            } else if let Some(script) = word.strip_prefix('+').filter(|_| is_editor(name)) {
                edit.scripts.push(script.to_owned());
            } else if let Some(cluster) = word.strip_prefix('-').filter(|word| !word.is_empty()) {
                let is_flag = |c: &char| letters.contains(*c) || c.is_ascii_digit();
                let flags: String = cluster.chars().take_while(is_flag).collect();
                edit.is_in_place |= flags.contains('i');
                // Letters after `-i` are the suffix of a backup, not flags.
                edit.is_quiet |= flags
                    .split('i')
                    .next()
                    .is_some_and(|flags| flags.contains('n'));
                let is_script = matches!(word.as_str(), "--expression" | "--file")
                    || (!cluster.starts_with('-') && cluster.ends_with(valued));
                if is_script {
                    edit.scripts.extend(rest.next().cloned());
                }
            } else {
                edit.files.push(word.clone());
            }
        }
        if is_editor(name) {
            edit.scripts.push(command.input());
        } else if edit.scripts.is_empty() && !edit.files.is_empty() {
            // Without `-e`, the first word is the script.
            edit.scripts.push(edit.files.remove(0));
        }
        Some(edit)
    }

    /// Whether one of its commands removes all of a file's content.
    fn empties(&self, name: &str) -> bool {
        let prints = ["print", "puts", "say", "write"];
        let prints = |script: &String| prints.iter().any(|word| script.contains(word));
        let mut parts = self
            .scripts
            .iter()
            .flat_map(|script| script.split(['\n', ';', '{', '}']));
        match name {
            "sed" => self.is_quiet || parts.any(|part| empties(part, true)),
            "perl" | "ruby" if self.is_quiet => !self.scripts.iter().any(prints),
            "perl" | "ruby" => parts.any(|part| empties(part, true)),
            // Without a line range, an editor command affects the current line.
            _ => parts.any(|part| part.split('|').any(|part| empties(part, false))),
        }
    }
}

/// Whether a command removes everything: `d`, `1,$d`, `s/.*//`, `3q`, `$_ = ""`.
fn empties(command: &str, is_for_each: bool) -> bool {
    let bare: String = command.chars().filter(|c| !c.is_whitespace()).collect();
    let bare = bare.trim_start_matches(':');
    let all = WordList("1,$ 0,$ % , g/./ g/^/ g/.*/ /./ /.*/ /^/");
    let behind_all = all.iter().find_map(|lines| bare.strip_prefix(lines));
    let Some(rest) = behind_all.or(Some(bare).filter(|_| is_for_each)) else {
        return false;
    };
    let is_quit = rest.trim_start_matches(|c: char| c.is_ascii_digit()) == "q";
    let is_deletion = WordList("d D delete d_ undef$_ $_=undef $_=\"\" $_=''").contains(rest);
    let mut letters = rest.chars();
    let replaced = match (letters.next(), letters.next()) {
        (Some('s'), Some(mark)) if !mark.is_alphanumeric() => rest[1..].split(mark).collect(),
        _ => Vec::new(),
    };
    let is_replaced = matches!(replaced[..], ["", lines, by, ..]
        if WordList(".* ^.*$ ^.* .*$ .+ .\\+").contains(lines) && !by.contains(['&', '$', '\\']));
    is_deletion || is_replaced || rest.starts_with("c\\") || (is_quit && is_for_each)
}

/// Lines that an editor runs in a shell: `!line`, `r !line`, `%!line`.
pub(super) fn shell_lines(name: &str, words: &[String], command: &SimpleCommand) -> Vec<String> {
    let edit = Edit::of(name, words, command).filter(|_| is_editor(name));
    let scripts = edit.into_iter().flat_map(|edit| edit.scripts);
    let of_shell = |line: &str| {
        let (before, line) = line.split_once('!')?;
        let is_lines = |c: char| c.is_ascii_digit() || ":%,.$r".contains(c);
        (before.ends_with(' ') || before.chars().all(is_lines)).then(|| line.to_owned())
    };
    scripts
        .flat_map(|script| script.lines().filter_map(of_shell).collect::<Vec<_>>())
        .collect()
}

/// The harms of an in-place edit: changes to files that were not named one by one, or the loss of
/// all content of a file. Any other edit of named files is like an edit by the file tools.
pub(super) fn in_place(
    name: &str,
    words: &[String],
    command: &SimpleCommand,
    is_listed: bool,
) -> Vec<Harm> {
    let Some(edit) = Edit::of(name, words, command) else {
        return Vec::new();
    };
    let is_many =
        |file: &&String| file.contains(['*', '?', '[']) || file.contains("everything that");
    let many: Vec<String> = edit.files.iter().filter(is_many).cloned().collect();
    if edit.is_in_place && (is_listed || !many.is_empty()) {
        return harm(
            "rewrites files that aren't listed individually",
            paths(&many),
        );
    }
    let empties = (edit.is_in_place || is_editor(name)) && edit.empties(name);
    let files = edit.files.into_iter().filter(|_| empties);
    harm_to("empties files", files.map(Subject::Over).collect())
}

/// The sources and target of `mv` and `cp`: the target is the last name or the given folder.
fn sources_and_target(words: &[String], named: &[String]) -> Option<(Vec<String>, String)> {
    match (
        value_of(words, 't', "--target-directory"),
        named.split_last(),
    ) {
        (Some(target), _) => {
            let sources = named.iter().filter(|name| **name != target);
            Some((sources.cloned().collect(), target))
        }
        (None, Some((target, sources))) if !sources.is_empty() => {
            Some((sources.to_vec(), target.clone()))
        }
        _ => None,
    }
}

/// The files that `mv` or `cp` overwrites.
pub(super) fn moved_onto(words: &[String], named: &[String]) -> Vec<Subject> {
    let Some((sources, target)) = sources_and_target(words, named) else {
        return Vec::new();
    };
    sources
        .iter()
        .filter(|source| **source != target)
        .map(|source| Subject::Onto {
            target: target.clone(),
            name: base(source.trim_end_matches('/')).to_owned(),
            source: source.clone(),
        })
        .collect()
}

pub(super) fn moved_away(words: &[String], named: &[String]) -> Vec<Subject> {
    let Some((sources, target)) = sources_and_target(words, named) else {
        return Vec::new();
    };
    let sources = sources.into_iter();
    sources
        .map(|source| Subject::Away {
            source,
            target: target.clone(),
        })
        .collect()
}
