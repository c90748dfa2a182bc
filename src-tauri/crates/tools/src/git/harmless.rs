//! Determines which lines of a Git configuration can't run anything.
//!
//! Pure, and an allowlist: settings not known to be harmless are removed. A denylist would miss
//! settings that new versions of Git add.

/// Sections with their harmless keys, in lowercase; the middle part of a key does not matter.
const HARMLESS: &[(&str, &[&str])] = &[
    (
        "core",
        &[
            "repositoryformatversion",
            "filemode",
            "bare",
            "logallrefupdates",
            "symlinks",
            "ignorecase",
            "precomposeunicode",
            "autocrlf",
            "eol",
            "safecrlf",
            "quotepath",
            "abbrev",
            "sharedrepository",
            "sparsecheckout",
            "sparsecheckoutcone",
            "preloadindex",
            "untrackedcache",
            "compression",
        ],
    ),
    (
        "extensions",
        &["objectformat", "refstorage", "noop", "preciousobjects"],
    ),
    ("user", &["name", "email"]),
    ("author", &["name", "email"]),
    ("committer", &["name", "email"]),
    ("init", &["defaultbranch"]),
    ("branch", &["remote", "merge", "rebase"]),
    ("remote", &["url", "fetch", "tagopt", "prune"]),
    ("submodule", &["url", "active"]),
    ("pull", &["rebase", "ff"]),
    ("push", &["default"]),
    ("merge", &["conflictstyle", "ff"]),
    ("commit", &["gpgsign", "cleanup"]),
    ("gc", &["auto"]),
    ("safe", &["directory"]),
    ("advice", &["detachedhead", "defaultbranchname"]),
    ("status", &["short", "branch"]),
    ("tag", &["gpgsign"]),
];

/// Whether a setting can't run anything. `key` is as listed by Git: `section.name` or
/// `section.middle.name`.
pub(crate) fn is_harmless(key: &str, value: &str) -> bool {
    let Some((section, rest)) = key.split_once('.') else {
        return false;
    };
    let name = rest.rsplit_once('.').map_or(rest, |(_, name)| name);
    let known = HARMLESS.iter().any(|(known, names)| {
        section.eq_ignore_ascii_case(known)
            && names.iter().any(|known| name.eq_ignore_ascii_case(known))
    });
    // `ext::` and similar prefixes name a program that handles the remote.
    let is_address = name.eq_ignore_ascii_case("url");
    known && !(is_address && (value.contains("::") || value.starts_with('-')))
}

/// The harmless part of a configuration file, and the removed keys and values.
pub(crate) fn harmless_part(text: &str) -> (String, Vec<(String, String)>) {
    let mut kept = String::new();
    let mut taken = Vec::new();
    let mut section: Option<String> = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let mut whole = line.to_owned();
        // A value may continue on the next line.
        while whole.ends_with('\\') && !whole.ends_with("\\\\") {
            whole.pop();
            let Some(next) = lines.next() else { break };
            whole.push_str(next);
        }
        let mut trimmed = whole.trim();
        if trimmed.starts_with('[') {
            let Some((header, rest)) = trimmed.split_once(']') else {
                taken.push((trimmed.to_owned(), String::new()));
                section = None;
                continue;
            };
            section = section_of(header);
            match &section {
                Some(_) => kept.push_str(&format!("{header}]\n")),
                None => taken.push((format!("{header}]"), rest.to_owned())),
            }
            trimmed = rest.trim();
        }
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        let (name, value) = trimmed.split_once('=').unwrap_or((trimmed, "true"));
        let (name, value) = (name.trim(), value.trim());
        let is_plain = |text: &str| !text.contains(|c: char| c.is_control() && c != '\t');
        let key = section.as_ref().map(|section| format!("{section}.{name}"));
        match key {
            Some(key) if is_harmless(&key, value.trim_matches('"')) && is_plain(trimmed) => {
                kept.push_str(&format!("\t{name} = {value}\n"));
            }
            Some(key) => taken.push((key, value.to_owned())),
            None => taken.push((name.to_owned(), value.to_owned())),
        }
    }
    (kept, taken)
}

/// The name of a section as used in keys; `None` if the header would need Git's own parser.
fn section_of(header: &str) -> Option<String> {
    let inner = header.strip_prefix('[')?.trim();
    let (name, middle) = match inner.split_once(char::is_whitespace) {
        Some((name, middle)) => {
            let middle = middle.trim().strip_prefix('"')?.strip_suffix('"')?;
            (name, Some(middle))
        }
        None => (inner, None),
    };
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let is_name = !name.is_empty() && name.chars().all(is_word);
    // Quotes, backslashes and brackets in it would need Git's own parser.
    let is_middle = middle.is_none_or(|middle| !middle.contains(['"', '\\', '[', ']']));
    (is_name && is_middle).then(|| match middle {
        Some(middle) => format!("{name}.{middle}"),
        None => name.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_writes_itself_stays_as_it_is() {
        let text = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\
            [remote \"origin\"]\n\turl = https://example.org/a.git\n\
            \tfetch = +refs/heads/*:refs/remotes/origin/*\n\
            [branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n";
        assert_eq!(harmless_part(text), (text.to_owned(), Vec::new()));
    }

    #[test]
    fn every_way_to_name_a_program_is_taken_out() {
        for (text, key) in [
            ("[core]\nfsmonitor = ./evil\n", "core.fsmonitor"),
            ("[core] fsmonitor = ./evil\n", "core.fsmonitor"),
            ("[CORE]\nFSMonitor=./evil\n", "CORE.FSMonitor"),
            ("[core]\nfsmon\\\nitor = ./evil\n", "core.fsmonitor"),
            ("[core]\nhooksPath = x\n", "core.hooksPath"),
            ("[core]\nsshCommand = x\n", "core.sshCommand"),
            ("[core]\nworktree = /\n", "core.worktree"),
            ("[filter \"a\"]\nclean = x\n", "filter.a.clean"),
            ("[include]\npath = x\n", "include.path"),
            (
                "[includeIf \"gitdir:x\"]\npath = x\n",
                "includeIf.gitdir:x.path",
            ),
            ("[alias]\nst = !x\n", "alias.st"),
            ("[diff \"a\"]\ncommand = x\n", "diff.a.command"),
            ("[remote \"o\"]\nurl = ext::sh -c x\n", "remote.o.url"),
            ("[remote \"o\"]\nuploadpack = x\n", "remote.o.uploadpack"),
            ("[submodule \"a\"]\nupdate = !x\n", "submodule.a.update"),
            ("[core.x]\nfsmonitor = x\n", "[core.x]"),
            ("[core \"a\\\"]\"]\nfsmonitor = x\n", "[core \"a\\\"]"),
        ] {
            let (kept, taken) = harmless_part(text);
            assert!(taken.iter().any(|(one, _)| one == key), "{text}: {taken:?}");
            assert!(!kept.contains("evil") && !kept.contains("= x"), "{kept}");
        }
    }
}
