//! Command lines and fixed phrases that destroy data, history or access.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// Regex alternatives, grouped by kind of harm; the phrases in the first group must always be
/// detected. `§` matches any character of a name.
const PHRASES: &[&str] = &[
    r"\brm\s+-[a-z]*(?:r[a-z]*f|f[a-z]*r)[a-z]*\b",
    r"\bdelete\s+all\b",
    r"\bdrop\s+(?:the\s+)?(?:§+\s+){0,2}(?:databases?|schemas?|tables?|columns?|keyspaces?)\b",
    r"\btruncate\s+(?:the\s+)?(?:§+\s+){0,2}tables?\b",
    r"\bforce[ -]push(?:es|ed|ing)?\b",
    r"\bchmod\s+(?:-r\s+)?0?777\b",
    r"\bformat\s+c:",
    r"\bmkfs\b",
    r"\bdd\s+(?:if|of)=",
    // Spelling variants.
    r"\brm\s+(?:-r\s+-f|-f\s+-r|--recursive\s+--force|--force\s+--recursive)\b",
    r"\bpush\s+(?:[^\s;|&]+\s+){0,3}(?:--force(?:-with-lease)?|--mirror|-f)\b",
    r"\bgit\s+push\s+§+\s+\+§+",
    r"\bpush(?:ed|ing)?\s+(?:§+\s+){0,4}with\s+force\b",
    r"\bforc(?:e|ibly)\s+(?:update|overwrite)\s+(?:the\s+)?(?:§+\s+)?(?:branch|main|master|remote|origin)\b",
    r"\bformat\s+(?:the\s+)?(?:§+\s+)?(?:disk|drive|partition|volume)\b",
    r"\b(?:wipefs|shred|dropdb|flushall|flushdb|dropdatabase)\b",
    r"\bfind\s+[^\n;|`]*\s-delete\b",
    // History and uncommitted work.
    r"\bgit\s+reset\s+(?:[^\s;|&]+\s+)?--hard\b",
    r"\bgit\s+clean\s+-[a-z]*f",
    r"\bgit\s+(?:checkout\s+(?:--\s+)?|restore\s+)\.(?:\s|$|`)",
    r"\bgit\s+stash\s+(?:drop|clear)\b",
    r"\bgit\s+reflog\s+expire\b",
    r"\bfilter-(?:branch|repo)\b",
    r"\brewrit(?:e|es|ing)\s+(?:the\s+)?(?:(?:whole|entire|git|commit|branch|repository|repo|project)(?:'s)?\s+){0,3}history\b",
    r"\b(?:rewrite|purge|erase|scrub|strip|remove|delete|squash|clean|wipe|drop)\w*\s+(?:§+\s+){0,7}(?:git|commit|branch|repository|repo|main|master)(?:'s|\s+branch's)?\s+history\b",
    r"\bhistory\s+(?:§+\s+){0,4}(?:should|must|will|shall|needs?\s+to|has\s+to|is\s+to|can|may)\s+(?:§+\s+){0,2}be\s+(?:§+\s+)?(?:rewritten|squashed|purged|scrubbed|erased|wiped|replaced)\b",
    // Infrastructure.
    r"\b(?:terraform|terragrunt|tofu|pulumi|cdk|zfs|vagrant)\s+(?:[^\s;|&]+\s+){0,2}destroy\b",
    r"\bterraform\s+apply\s+[^\n;|&`]*-destroy\b",
    r"\bkubectl\s+(?:[^\s;|&]+\s+){0,3}delete\b",
    r"\bhelm\s+(?:uninstall|delete)\b",
    r"\bdocker\s+(?:system|volume|image|container)\s+prune\b",
    r"\bdocker\s+volume\s+rm\b",
    r"\bdocker[ -]compose\s+down\s+(?:[^\s;|&]+\s+)?(?:-v|--volumes)\b",
    r"\baws\s+s3\s+(?:rb|rm)\s+[^\n;|`]*(?:--force|--recursive)\b",
    r"\baws\s+§+\s+(?:delete|terminate)-§+",
    r"\bgsutil\s+(?:-m\s+)?rm\s+-r\b",
    r"\b(?:gcloud|az)\s+(?:§+\s+){1,4}delete\b",
    r"\b(?:prisma\s+migrate\s+reset|pg:reset|db:drop|db:reset|migrate:fresh|migrate:reset|manage\.py\s+flush|downgrade\s+base)\b",
    r"\b(?:lvremove|vgremove)\b",
    r"\bnpm\s+unpublish\b",
    r"\b(?-i:TRUNCATE)\s+[`\x22]?§+",
    r"\bdelete\s+from\s+[`\x22]?§+\s*(?:;|where\b)",
    r"\b(?-i:DELETE\s+FROM)\s+[`\x22]?§+",
    r"\balter\s+table\s+[^\n;]*\bdrop\b",
    // Disabling backups and other recovery options.
    r"\b(?:disabl|turn(?:ing)?\s+off|switch(?:ing)?\s+off|stop|deactivat|suspend|paus)(?:e|es|ing|ped|ping)?\s+(?:(?:the|all|our|nightly|daily|weekly|hourly|automatic|automated|database|db|production|prod|scheduled|offsite)\s+){0,4}(?:backups?|backup\s+jobs?|point-in-time\s+recovery|deletion\s+protection|delete\s+protection|versioning|soft[ -]deletes?)\b",
    r"\b(?:backups?|deletion\s+protection|versioning)\s+(?:should|must|will|shall|needs?\s+to|can|may|ha(?:s|ve)\s+to)\s+be\s+(?:disabled|turned\s+off|switched\s+off|stopped)\b",
    r"\boverwrit(?:e|es|ing)\s+(?:(?:the|our|their|its)\s+)?(?:only|last|sole|single|original|remaining)\s+(?:§+\s+){0,2}(?:cop(?:y|ies)|backups?|files?|data|recordings?|records|version|branch)\b",
    r"\b(?:the\s+)?(?:only|last|sole)\s+(?:§+\s+)?(?:copy|backup)\s+(?:§+\s+){0,6}(?:overwritten|deleted|removed|dropped|replaced)\b",
    // Access and money.
    r"\b(?:revoke|invalidate|delete)\s+(?:all|every|each|the\s+whole\s+set\s+of)\s+(?:of\s+)?(?:(?:the|our|api|access|production|ssh|signing|customer|user|service|existing|active)\s+){0,4}(?:keys?|tokens?|certificates?|credentials?|passwords?|permissions|grants|access)\b",
    r"\b(?:keys|tokens|certificates|credentials)\s+(?:should|must|will|shall|ha(?:s|ve)\s+to)\s+(?:all\s+)?be\s+(?:revoked|invalidated)\b",
    r"\b(?:charge|bill|debit|refund|invoice)\s+(?:all|every|each)\s+(?:of\s+)?(?:(?:the|our|active|existing|paying)\s+){0,2}(?:customers?|users?|accounts?|cards?|subscribers?|members?|tenants?)(?:'s?)?\b",
    // Starting over with empty storage.
    r"\b(?:start|begin|restart|starts|begins)\s+(?:over\s+|again\s+|off\s+)?(?:from|with|on)\s+(?:an?\s+)?(?:completely\s+|totally\s+)?(?:empty|clean|fresh|blank)\s+(?:§+\s+){0,2}(?:buckets?|databases?|db|storage|volumes?|disks?|clusters?|data\s?stores?|data\s?sets?)\b",
    r"\b(?:get|getting)\s+rid\s+of\s+(?:§+\s+){0,4}(?:databases?|buckets?|backups?|records|rows|volumes?|partitions?|customer\s+data|user\s+data|production\s+data|clusters?)\b",
    r"\b(?:throw|throwing|blow|blowing)\s+away\s+(?:§+\s+){0,4}(?:databases?|buckets?|backups?|records|rows|volumes?|partitions?|data|clusters?)\b",
    r"\btear(?:ing)?\s+down\s+(?:the\s+)?(?:§+\s+)?(?:production|prod|live|cluster|database)\b",
];

/// The first phrase for which `counts` is true.
pub(super) fn find(text: &str, counts: impl Fn(&Range<usize>) -> bool) -> Option<Range<usize>> {
    static ANY: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let any = PHRASES
            .join("|")
            .replace('§', r"(?-u:[a-z0-9_./'`\x22*-])")
            .replace(r"\b", r"(?-u:\b)")
            .replace(r"\w", "[a-z0-9_]");
        Regex::new(&format!("(?i)(?:{any})")).ok()
    });
    ANY.as_ref()?
        .find_iter(text)
        .map(|found| found.range())
        .find(counts)
}
