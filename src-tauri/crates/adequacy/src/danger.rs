//! What destroys things, and what guards against that, told from words and command lines.
//!
//! Detection errs towards an alarm: it costs a look. Two readings are let through: a step that only
//! speaks of the danger ("Document why force push is forbidden") and an immediate negation ("never
//! force push"). Words such as "confirm" or "rollback" inside the dangerous sentence do not clear
//! it; a guard is another step, see [`is_safeguard`].

use std::sync::LazyLock;

use regex::Regex;

/// One alternative per kind of harm; the first group of lines is the floor of known phrases.
const PHRASES: &[&str] = &[
    r"\brm\s+-[a-z]*(?:r[a-z]*f|f[a-z]*r)[a-z]*\b",
    r"\bdelete\s+all\b",
    r"\bdrop\s+(?:the\s+)?(?:[\w.]+\s+)?(?:databases?|schemas?|tables?)\b",
    r"\btruncate\s+(?:the\s+)?tables?\b",
    r"\bforce[ -]push(?:es|ed|ing)?\b",
    r"\bchmod\s+(?:-r\s+)?0?777\b",
    r"\bformat\s+c:",
    r"\bmkfs\b",
    r"\bdd\s+if=",
    // Other spellings of the same.
    r"\brm\s+(?:-r\s+-f|-f\s+-r|--recursive\s+--force|--force\s+--recursive)\b",
    r"\bpush\s+(?:[^\s;|&]+\s+){0,3}(?:--force|-f)\b",
    r"\bformat\s+(?:the\s+)?(?:disk|drive|partition|volume)\b",
    // History and uncommitted work.
    r"\bgit\s+reset\s+(?:[^\s;|&]+\s+)?--hard\b",
    r"\bgit\s+clean\s+-[a-z]*f",
    r"\bfilter-(?:branch|repo)\b",
    r"\brewrit(?:e|es|ing)\s+(?:the\s+)?(?:git\s+|commit\s+|branch\s+)?history\b",
    // Stored data, as an order.
    r"\b(?:wipe|erase|purge|destroy)\s+(?:out\s+)?(?:(?:the|all|every|our|old|entire|whole|production|prod|live)\s+){0,4}(?:databases?|disks?|drives?|partitions?|volumes?|backups?|buckets?|storage|production\s+data|customer\s+(?:data|records)|user\s+data)\b",
    r"\b(?:clear|empty|delete)\s+(?:out\s+)?(?:(?:the|our|all|entire|whole)\s+){0,3}(?:production|prod|live)\s+(?:databases?|db|storage|buckets?|data|tables?|records)\b",
    // Stored data, in the passive.
    r"\b(?:databases?|storage|buckets?|volumes?|disks?|drives?|partitions?|backups?|records|customer\s+data|production\s+data|user\s+data)\b[^.;,\n]{0,60}\b(?:should|must|will|shall|needs?\s+to|has\s+to|have\s+to|is\s+to|are\s+to)\s+(?:(?:all|first|then|completely|fully)\s+){0,2}(?:be|get)\s+(?:(?:all|first|then|completely|fully)\s+){0,2}(?:cleared|wiped|erased|purged|emptied|deleted|dropped|destroyed|truncated|overwritten|removed)\b",
];

/// The words that would destroy something, from there to the end of the line; `None` when there
/// are none.
pub(crate) fn destructive_phrase(text: &str) -> Option<&str> {
    static ANY: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(&format!("(?i)(?:{})", ascii_borders(PHRASES))).ok());
    let found = ANY
        .as_ref()?
        .find_iter(text)
        .find(|found| !is_mention(&text[..found.start()]))?;
    let rest = &text[found.start()..];
    let end = rest[found.len()..]
        .find(['\n', '`'])
        .map_or(rest.len(), |at| found.len() + at);
    Some(rest[..end].trim_end_matches(['.', ' ', '\r']))
}

/// Joins alternatives. ASCII word borders keep the search on the fast engine for any script.
fn ascii_borders(alternatives: &[&str]) -> String {
    alternatives.join("|").replace(r"\b", r"(?-u:\b)")
}

/// Whether the words before a dangerous phrase, in its own clause, only speak of it or forbid it.
fn is_mention(before: &str) -> bool {
    static CLAUSE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)[.;:,\n]|\s(?:and|then|before|after|by|via|using|but|or)\s").ok()
    });
    static SPEAKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)^\W*(?:document|explain|describe|warn|mention|refuse|reject|forbid|disallow|ban|block|detect|prevent)\b",
        )
        .ok()
    });
    static FORBIDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:never|not|don't|no|avoid|without|instead of)(?:\s+(?:a|the|to))?\W*$")
            .ok()
    });
    let clause_start = CLAUSE
        .as_ref()
        .and_then(|clause| clause.find_iter(before).last())
        .map_or(0, |border| border.end());
    let clause = &before[clause_start..];
    SPEAKS
        .as_ref()
        .is_some_and(|speaks| speaks.is_match(clause))
        || FORBIDS
            .as_ref()
            .is_some_and(|forbids| forbids.is_match(clause))
}

/// Whether a step makes what comes after it recoverable or harmless: a backup, a snapshot, a dry run.
pub(crate) fn is_safeguard(text: &str) -> bool {
    static GUARD: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?i-u)\b(?:back(?:s|ed|ing)?[ -]?up|backups?|snapshots?|dry[ _-]?run|pg_dump|mysqldump)\b")
            .ok()
    });
    static UNDONE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i-u)\b(?:no|not|never|without|skip|delete|remove|drop|purge|restore|restoring|ignore)(?:\s+(?:a|any|the|all|old|last|from|needing|make|take))*\s+$",
        )
        .ok()
    });
    let Some(guard) = GUARD.as_ref() else {
        return false;
    };
    guard.find_iter(text).any(|found| {
        let is_test = found.as_str().to_ascii_lowercase().starts_with("snapshot")
            && text[found.end()..]
                .trim_start_matches([' ', '-', '_'])
                .starts_with("test");
        let is_undone = UNDONE
            .as_ref()
            .is_some_and(|undone| undone.is_match(&text[..found.start()]));
        !is_test && !is_undone
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harm_is_seen() {
        for text in [
            "rm -rf build/cache",
            "Run `rm -fr ./out` first",
            "sudo rm -r -f /srv/data",
            "Delete all rows older than a year",
            "Drop database staging",
            "Drop the old_users table",
            "TRUNCATE TABLE events",
            "Force push the branch",
            "git push origin main --force",
            "chmod 777 uploads",
            "chmod -R 777 uploads",
            "format C: and start over",
            "mkfs.ext4 /dev/sdb1",
            "dd if=/dev/zero of=/dev/sda",
            "git reset --hard origin/main",
            "git clean -xfd",
            "Rewrite the git history without the key",
            "Wipe the old production database",
            "Empty the live bucket",
            "The staging volumes have to be erased after the copy",
            "All customer records must then be deleted",
            "Ask for confirmation and delete all drafts",
        ] {
            assert!(destructive_phrase(text).is_some(), "{text}");
        }
    }

    #[test]
    fn look_alikes_are_not_harm() {
        for text in [
            "Truncate long titles in the list",
            "Build the settings form -rf",
            "Describe why force push is forbidden",
            "Document the danger of rm -rf in the guide",
            "Push the tag, never force push",
            "Merge instead of a force push",
            "Delete allowed hosts from the example",
            "Remove the database dependency from the parser",
            "Show a hint when the cache is cleared",
            "Add a format check: none",
            "Format the code",
        ] {
            assert_eq!(destructive_phrase(text), None, "{text}");
        }
    }

    #[test]
    fn speaking_of_harm_does_not_excuse_doing_it() {
        for text in [
            "Document the layout and rm -rf the old folder",
            "If the tests do not pass, force push the old tag",
            "Warn the team, then drop database legacy",
        ] {
            assert!(destructive_phrase(text).is_some(), "{text}");
        }
    }

    #[test]
    fn a_guard_is_a_step_that_keeps_a_way_back() {
        for text in [
            "Back up the orders table",
            "Take a snapshot of the volume",
            "Run the import with --dry-run",
            "pg_dump shop > shop.sql",
            "Make a backup of the folder",
        ] {
            assert!(is_safeguard(text), "{text}");
        }
        for text in [
            "Update the snapshot tests",
            "Delete the old backups",
            "Go on without a backup",
            "Restore the last backup",
            "Confirm that it worked",
        ] {
            assert!(!is_safeguard(text), "{text}");
        }
    }
}
