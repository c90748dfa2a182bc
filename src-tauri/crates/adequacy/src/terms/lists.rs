//! Words that say nothing, words that say little, and words that mean the same.

/// Left out; sorted, without accents.
#[rustfmt::skip] // one word a line would bury the list
pub(super) const STOP: &[&str] = &[
    "a", "aber", "about", "after", "al", "all", "alle", "aller", "alles", "also", "am", "an", "and", "any",
    "are", "as", "at", "au", "auch", "auf", "aus", "aux", "avec", "be", "because", "been", "before", "bei",
    "being", "bekommt", "bis", "but", "by", "can", "ce", "como", "con", "could", "cuando", "da", "damit",
    "dans", "das", "dass", "de", "dein", "del", "dem", "den", "der", "des", "die", "dies", "diese", "dieser",
    "do", "does", "doit", "done", "du", "durch", "each", "ein", "eine", "einem", "einen", "einer", "eines",
    "el", "en", "entre", "er", "es", "est", "et", "every", "everything", "exactly", "for", "from", "fur", "get",
    "gets", "had", "has", "hat", "have", "how", "ich", "if", "ihre", "ihrem", "ihren", "im", "in", "into", "is",
    "ist", "it", "its", "jede", "jeden", "jeder", "just", "kann", "know", "la", "las", "lassen", "le", "les",
    "leur", "lo", "los", "mais", "make", "makes", "may", "mit", "more", "most", "must", "nach", "nicht", "no",
    "none", "not", "now", "oder", "of", "off", "on", "only", "onto", "or", "os", "other", "ou", "our", "out",
    "over", "own", "par", "para", "pas", "per", "pero", "por", "pour", "qu", "que", "qui", "sa", "se", "sein",
    "ses", "set", "shall", "should", "si", "sich", "sie", "sin", "sind", "so", "sobre", "soll", "sollen",
    "some", "son", "sont", "su", "such", "sur", "sus", "than", "that", "the", "their", "them", "then", "there",
    "they", "this", "through", "to", "too", "um", "un", "una", "unchanged", "und", "une", "unos", "until", "up",
    "uses", "using", "via", "vom", "von", "vor", "was", "we", "wenn", "werden", "what", "when", "where",
    "whether", "which", "while", "who", "whose", "will", "wird", "with", "without", "would", "you", "your",
    "zu", "zum", "zur",
];

/// Words that fit many texts.
#[rustfmt::skip] // one word a line would bury the list
pub(super) const COMMON: &[&str] = &[
    "add", "allow", "app", "application", "build", "built", "change", "code", "command", "create", "data", "file",
    "first", "follow", "function", "give", "handle", "implement", "include", "introduce", "keep", "let", "list",
    "load", "module", "name", "need", "new", "old", "page", "people", "person", "project", "provide", "put", "read",
    "run", "same", "step", "support", "system", "table", "take", "text", "thing", "time", "turn", "update", "use",
    "user", "view", "want", "way", "work", "write", "value", "line", "test", "check", "whole", "send", "sent", "show",
    "every", "go", "goes", "end", "ends", "stay", "become", "happen", "get", "thing", "open", "screen", "server", "service", "task", "plan",
    "nutzer", "benutzer", "neue", "hinzufugen", "erstellen", "anzeigen", "utilisateur", "ajouter", "afficher",
    "usuario", "agregar", "mostrar",
];

/// Words that mean the same; the first stands for all.
pub(super) const SYNONYMS: &[&str] = &[
    "mail email emails correo courriel",
    "image picture photo",
    "folder directory",
    "delete remove drop uninstall deletion removal",
    "document docs documentation readme describe description handbook guide manual",
    "fast speed quick performance faster slow",
    "login signin logon authenticate auth authentication",
    "encrypt encryption verschlusseln",
    "config configuration configure settings preferences",
    "expire older expiry lifetime",
    "show display visible",
    "log logging logs",
    "notify notification alert",
    "colour color",
    "error failure fail",
    "database db",
    "retry again",
    "export download",
];
