//! Detects whether the words that introduce a call state the intent to make it.
//!
//! Strong evidence is a phrase from `call_phrases`, or "I" with a present-tense verb; it overrides
//! an earlier mention of an example or of the past. Weak evidence is a phrase about the work ("Fix
//! the test:") or a plain label ("Tool call:", "**Answer**", "a.py:"); it is enough for an
//! introduction but doesn't override anything.

use super::call_phrases::{BEFORE, Phrases};
use plan::word_list::WordList;

/// Verbs that describe work, in several forms and nine languages.
const WORK_PHRASES: Phrases = Phrases(&[
    "must|have to|has to|needs to|should become|becomes|is replaced|is changed|is added|is set|is updated|is renamed",
    "is removed|is written|is inserted|is created|is fixed",
    "muss|müssen|soll|wird|werden",
    "doit|doivent|faut|il suffit",
    "hay que|debe|se reemplaza|se cambia|se añade|se escribe|se crea|se actualiza|lo intento",
    "hago|uso|pongo|actualizo|cambio|reemplazo|borro",
    "é preciso|precisa|deve|faço|atualizo|mudo|coloco|escreve-se",
    "bisogna|occorre|deve|faccio|aggiorno|cambio|metto|si sostituisce|si aggiunge",
    "нужно|надо|следует|требуется|*яю|*аю|*ню|*лю|*вить|*нить|*лить",
    "需要|更新|运行|替换|修改|写入|添加|创建|修复|删除|改为|改成|设置",
    "ます|変更|修正|追加|作成",
]);

/// Imperatives that may start an English sentence about doing the work.
const IMPERATIVES: WordList = WordList(
    "add append apply change correct create delete edit fix insert make modify move overwrite \
    patch put remove rename replace run save set swap update write try",
);

/// Verbs that, after "I", don't say that something is being done now.
const STATIVE_VERBS: WordList = WordList(
    "am ask assume believe can can't cannot cite could couldn't decline did didn't do don't \
    doubt found gave give got guess had have haven't hesitate hold hope keep know lack leave \
    list made may mean meant mention might never note only paste post present propose put quote \
    ran read recommend refuse said saw see sent should shouldn't show skip stop suggest suppose \
    take think thought told understand used wait want was wasn't went were wish won't wonder \
    would wouldn't wrote",
);

/// Words ending in -ing that, at the start of a sentence, don't describe work.
const NON_GERUNDS: WordList = WordList(
    "according anything asking assuming being concerning considering during everything having \
    holding meaning missing nothing pending regarding something string supposing thinking \
    waiting warning wondering existing",
);

/// Words of labels that say nothing about what follows.
const LABELS: WordList = WordList(
    "a act action alright an and answer arguments call certainly change code command content \
    correct corrected course done edit file final fix fixed for format function great in input \
    is it json my new of ok okay output patch reply request response right so solution step \
    sure task the then this tool understood update updated with write yes aktion antwort aufruf \
    befehl das datei der die gut ja klar lösung neue neuer schritt werkzeugaufruf änderung \
    appel bien commande d'accord fichier l'appel la le oui outil réponse étape acción archivo \
    claro el herramienta llamada paso respuesta sí vale ação arquivo chamada ferramenta o passo \
    resposta sim azione certo chiamata risposta sì strumento вызов действие ответ хорошо шаг 调用 \
    操作",
);

/// Whether the text before a call introduces it: its last line is a heading or ends with a colon.
pub(super) fn introduces(before: &str) -> bool {
    let lines = before.lines().rev().map(str::trim);
    let Some(line) = lines
        .filter(|line| !line.is_empty())
        .find(|line| !line.starts_with("```"))
    else {
        return false;
    };
    let is_bold = line.len() > 4 && line.starts_with("**") && line.ends_with("**");
    let bare = line.trim_end_matches(['*', '_', ' ', '`', '"', ')']);
    is_bold || line.starts_with('#') || bare.ends_with([':', '：'])
}

/// Whether a lowercase sentence is only a label: it consists of label words, tools, files and
/// numbers.
fn is_label(sentence: &str) -> bool {
    let is_bare = |c: char| c.is_alphanumeric() || "'_./-".contains(c);
    let mut words = sentence
        .split(|c: char| !is_bare(c))
        .map(|word| word.trim_matches(['.', '-', '\'']));
    words.all(|word| {
        let is_name = word.contains(['_', '.', '/']) || word.chars().all(|c| c.is_ascii_digit());
        is_name || LABELS.contains(word)
    })
}

/// Words that start a concluding clause after the reasons.
const THEREFORE: WordList = WordList(
    "so |therefore |hence |daher |deshalb |donc |alors |así que |por eso |por isso |quindi |\
    поэтому |所以|只",
);

/// The clause of a lowercase sentence that describes the work if the rest only gives the reason,
/// otherwise the whole sentence.
pub(super) fn conclusion(sentence: &str) -> &str {
    let clauses = sentence.rsplit_once([',', '，', ';', '；']);
    let last = clauses.map(|(_, last)| last.trim_start());
    last.filter(|last| {
        THEREFORE.iter().any(|word| last.starts_with(word)) && intention(last).is_some()
    })
    .unwrap_or(sentence)
}

/// The last position in a lowercase sentence that says that the call is being made now.
pub(super) fn intention(sentence: &str) -> Option<usize> {
    BEFORE
        .intended
        .last_in(sentence)
        .max(first_person_verb(sentence))
}

/// Whether a lowercase sentence describes the work, or is just a label.
pub(super) fn is_work(sentence: &str) -> bool {
    WORK_PHRASES.are_in(sentence) || starts_with_work_verb(sentence) || is_label(sentence)
}

/// The last position of "I" with a present-tense verb.
fn first_person_verb(sentence: &str) -> Option<usize> {
    let found = sentence.rmatch_indices("i ").filter(|(at, _)| {
        let is_word = !sentence[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '\'');
        let verb = sentence[at + 2..]
            .split(|c: char| !c.is_alphabetic() && c != '\'')
            .next();
        let is_present = |verb: &&str| {
            verb.is_ascii()
                && verb.len() > 1
                && !verb.ends_with("ed")
                && !STATIVE_VERBS.contains(verb)
        };
        is_word && verb.filter(is_present).is_some()
    });
    found.map(|(at, _)| at).next()
}

/// Whether a sentence starts like "Writing the file", "To replace it" or "Fix the test".
fn starts_with_work_verb(sentence: &str) -> bool {
    let bare = sentence.trim_start_matches(|c: char| !c.is_alphanumeric());
    let first = bare
        .split(|c: char| !c.is_alphabetic())
        .next()
        .unwrap_or_default();
    let is_doing = first.len() > 4 && first.ends_with("ing") && !NON_GERUNDS.contains(first);
    is_doing || first == "to" || IMPERATIVES.contains(first)
}
