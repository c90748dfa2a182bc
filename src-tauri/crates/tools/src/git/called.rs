//! Finds the files that Git's hooks and programs call.
//!
//! A script named by a hook runs with the user's permissions at their next `git commit`, outside
//! the sandbox, like the hook itself. Therefore every word in it that is the path of a file counts
//! as called. The text is not interpreted, so paths that a script computes, modules it imports, and
//! files that tools look up themselves (`npm run lint`, `make`) are not found.

use std::collections::{BTreeSet, VecDeque};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use plan::word_list::WordList;
use rustix::fs::{Mode, OFlags, open};

/// Maximum depth of calls: a hook, the script it calls, and two more levels.
const MAX_LEVELS: u32 = 4;
/// Maximum number of files read for one repository.
const MAX_FILES: usize = 64;
/// Longer files are assumed to be compiled programs or bundles, and are not searched.
const MAX_BYTES: u64 = 64 * 1024;
/// Maximum number of folders that the paths in one text may be relative to.
const MAX_FOLDERS: usize = 16;
/// Maximum number of path lookups for one repository, so that long scripts don't delay commands.
const MAX_LOOKUPS: usize = 50_000;
/// Extensions of files that an interpreter runs.
const SCRIPTS: WordList = WordList("bash cjs cmd fish js ksh lua mjs php pl ps1 py rb sh ts zsh");

/// How to resolve the paths in a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'a> {
    /// The canonical path of the workspace.
    pub(super) within: &'a Path,
    /// The folder in which Git runs hooks and aliases.
    pub(super) top: &'a Path,
    /// The home folder, for `~/` and `$HOME/`.
    pub(super) home: Option<&'a Path>,
}

impl Scope<'_> {
    /// The existing files that these hooks, and these programs named in settings, call.
    ///
    /// Only files that can run count, since hooks and scripts also name files that they merely
    /// read, such as `package.json`, or the `README.md` of `git add README.md`.
    pub(super) fn called(self, hooks: &[PathBuf], programs: &[PathBuf]) -> Vec<PathBuf> {
        let hooks = hooks.iter().map(|hook| (hook.clone(), 0));
        let programs = programs.iter().map(|program| (program.clone(), 1));
        let mut queue: VecDeque<(PathBuf, u32)> = hooks.chain(programs).collect();
        let (mut all, mut read, mut left) = (Vec::new(), BTreeSet::new(), MAX_LOOKUPS);
        while let Some((path, level)) = queue.pop_front() {
            let Ok(real) = path.canonicalize() else {
                continue;
            };
            let folders = [path.parent(), real.parent()].into_iter().flatten();
            let folders: Vec<PathBuf> = folders.map(Path::to_owned).collect();
            if read.len() == MAX_FILES || !read.insert(real) {
                continue;
            }
            let Some(text) = text(&path) else { continue };
            // System programs are not read.
            let near = folders.iter().map(|folder| &**folder);
            let near: Vec<&Path> = near.chain([self.within, self.top]).collect();
            for file in self.lookup(&text, &folders, &mut left) {
                if !can_run(&file) {
                    continue;
                }
                if level + 1 < MAX_LEVELS && near.iter().any(|near| file.starts_with(near)) {
                    queue.push_back((file.clone(), level + 1));
                }
                all.push(file);
            }
        }
        all
    }

    /// The existing files that a setting's value names.
    pub(super) fn named(self, value: &str) -> Vec<PathBuf> {
        self.lookup(value, &[], &mut { MAX_LOOKUPS })
    }

    /// The existing files that a text names, relative to the top, to the home folder, to one of
    /// these folders, or to a folder that the text changes to. Counts down the remaining lookups.
    fn lookup(self, text: &str, folders: &[PathBuf], left: &mut usize) -> Vec<PathBuf> {
        let near = [self.top].into_iter().chain(self.home).map(Path::to_owned);
        let mut bases: Vec<PathBuf> = near.chain(folders.iter().cloned()).collect();
        let is_code = |line: &&str| {
            let line = line.trim_start();
            !line.starts_with('#') || line.starts_with("#!")
        };
        let mut all_words = BTreeSet::new();
        for line in text.lines().filter(is_code) {
            let words: Vec<&str> = words(line).collect();
            if words.iter().any(|word| matches!(*word, "cd" | "pushd")) {
                let known = bases.clone();
                let to = words
                    .iter()
                    .flat_map(|word| known.iter().map(move |base| base.join(word)));
                for folder in to {
                    if bases.len() == MAX_FOLDERS || *left == 0 {
                        break;
                    }
                    *left -= 1;
                    if folder.is_dir() && !bases.contains(&folder) {
                        bases.push(folder);
                    }
                }
            }
            all_words.extend(words);
        }
        bases.sort();
        bases.dedup();
        let paths = all_words
            .into_iter()
            .flat_map(|word| bases.iter().map(move |base| base.join(word)));
        let tried = paths.take_while(|_| {
            let is_left = *left > 0;
            *left = left.saturating_sub(1);
            is_left
        });
        tried.filter(|path| path.is_file()).collect()
    }
}

/// The words of a text that may be paths. Text after a variable or substitution counts separately:
/// `$root/tools/x` and `$(dirname "$0")/tools/x` name `tools/x` in some folder.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|c: char| c.is_whitespace() || "!\"'`;&|()<>={}[],".contains(c));
    let paths = parts.flat_map(|part| {
        let is_variable = part.starts_with('$');
        let rest = match part.split_once('/') {
            Some((first, rest)) if is_variable || first.is_empty() || first == "~" => {
                rest.trim_start_matches('/')
            }
            _ => "",
        };
        [if is_variable { "" } else { part }, rest]
    });
    paths.filter(|path| !path.is_empty())
}

/// The text of a file; `None` if it is missing, long or binary.
fn text(path: &Path) -> Option<String> {
    // `NONBLOCK`, in case a pipe was put in its place.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(open(path, flags, Mode::empty()).ok()?);
    let data = file.metadata().ok()?;
    if !data.is_file() || data.len() > MAX_BYTES {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    let is_text = !bytes.contains(&0);
    is_text.then(|| String::from_utf8_lossy(&bytes).into_owned())
}

fn can_run(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let is_script = ending.is_none_or(|ending| SCRIPTS.contains(ending));
    let mode = fs::metadata(path).map(|data| data.permissions().mode());
    is_script || mode.is_ok_and(|mode| mode & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        for (path, content) in files {
            let path = top.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        (folder, top)
    }

    #[test]
    fn a_hook_names_files_in_every_spelling_of_a_path() {
        for line in [
            "./tools/x.sh",
            "sh tools/x.sh \"$@\"",
            "exec 'tools/x.sh'",
            ". \"$(dirname \"$0\")/../tools/x.sh\"",
            ". \"${0%/*}/../tools/x.sh\"",
            "\"$(git rev-parse --show-toplevel)/tools/x.sh\"",
            "$root/tools/x.sh && true",
            "cd tools && ./x.sh",
            "cd \"$(dirname \"$0\")/../tools\"\n./x.sh",
            "run --script=tools/x.sh",
            "sh ~/tools/x.sh",
            "sh $HOME/tools/x.sh",
            "#!./tools/x.sh",
            "TOP/tools/x.sh",
        ] {
            let (_keep, top) = project(&[("tools/x.sh", ""), ("hooks/pre-commit", "")]);
            let line = line.replace("TOP", top.to_str().unwrap());
            fs::write(top.join("hooks/pre-commit"), &line).unwrap();
            let (within, home) = (top.as_path(), Some(top.as_path()));
            let scope = Scope {
                within,
                top: within,
                home,
            };
            let mut all = scope.called(&[top.join("hooks/pre-commit")], &[]);
            for path in &mut all {
                *path = path.canonicalize().unwrap();
            }
            all.dedup();
            assert_eq!(all, [top.join("tools/x.sh")], "{line}");
        }
    }

    #[test]
    fn tools_folders_comments_and_data_of_scripts_are_not_called() {
        let (_keep, top) = project(&[
            (
                "pre-commit",
                "# see README.md\nnpm run lint && make -C src\nsh a.sh --config=tool.toml",
            ),
            ("a.sh", "grep version Cargo.toml; ./b"),
            ("b", "cat notes.md"),
            ("README.md", ""),
            ("package.json", ""),
            ("Makefile", ""),
            ("Cargo.toml", ""),
            ("tool.toml", ""),
            ("notes.md", ""),
            ("src/x", ""),
        ]);
        let scope = Scope {
            within: &top,
            top: &top,
            home: None,
        };
        let all = scope.called(&[top.join("pre-commit")], &[]);
        let names = ["a.sh", "./b"];
        assert_eq!(all, names.map(|name| top.join(name)));
    }

    #[test]
    fn scripts_are_followed_a_few_levels_and_circles_end() {
        let (_keep, top) = project(&[
            ("hook", "sh one"),
            ("one", "sh two"),
            ("two", "sh three; sh one"),
            ("three", "sh four"),
            ("four", "sh five"),
            ("five", ""),
        ]);
        let scope = Scope {
            within: &top,
            top: &top,
            home: None,
        };
        let mut all = scope.called(&[top.join("hook")], &[]);
        all.sort();
        all.dedup();
        let names = ["four", "one", "three", "two"];
        assert_eq!(all, names.map(|name| top.join(name)));
    }

    #[test]
    fn a_text_of_many_folders_and_words_ends_soon() {
        let words: String = (0..6_000)
            .map(|number| format!("cd . a/../a w{number}\n"))
            .collect();
        let (_keep, top) = project(&[("hook", &words[..60_000]), ("a/x", "")]);
        let scope = Scope {
            within: &top,
            top: &top,
            home: None,
        };
        let begun = std::time::Instant::now();
        assert_eq!(
            scope.called(&[top.join("hook")], &[]),
            Vec::<PathBuf>::new()
        );
        assert!(begun.elapsed().as_secs() < 5);
    }

    #[test]
    fn long_files_compiled_ones_and_pipes_are_not_read() {
        let long = "sh x.sh\n".repeat(10_000);
        let (_keep, top) = project(&[("x.sh", ""), ("long", &long), ("compiled", "\0sh x.sh")]);
        let pipe = top.join("pipe");
        let mode = rustix::fs::Mode::RUSR;
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        let scope = Scope {
            within: &top,
            top: &top,
            home: None,
        };
        let hooks = ["long", "compiled", "pipe", "absent"].map(|name| top.join(name));
        assert_eq!(scope.called(&hooks, &[]), Vec::<PathBuf>::new());
    }
}
