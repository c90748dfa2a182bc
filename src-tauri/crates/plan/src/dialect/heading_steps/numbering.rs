//! The numbering of a heading: `Task 3`, `Phase II`, `第一步`, `1. Adım`, or a number alone.

use super::mark::{CHECK_MARKS, VARIATION_SELECTORS};

/// The numbering that a heading begins with.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Numbering {
    /// The word in lower case; empty for a number alone.
    pub(super) word: String,
    /// Where the numbering starts, after any mark.
    pub(super) start: usize,
    /// Where the title after it starts.
    pub(super) title: usize,
}

/// Words for a unit of work that plans use to label their steps, in many languages.
const WORK: &str = "\
    task,subtask,step,phase,stage,milestone,sprint,iteration,increment,action,wave,batch,t,todo,\
    workstream,work,aufgabe,teilaufgabe,schritt,arbeitsschritt,arbeitspaket,etappe,meilenstein,stufe,\
    tâche,étape,jalon,tarea,paso,fase,etapa,hito,tarefa,passo,marco,compito,attività,passaggio,tappa,\
    taak,stap,mijlpaal,uppgift,steg,fas,etapp,opgave,oppgave,trin,skridt,milepæl,tehtävä,vaihe,askel,\
    zadanie,krok,etap,faza,úkol,úloha,fáze,fáza,milník,feladat,lépés,fázis,szakasz,mérföldkő,sarcină,\
    pas,etapă,fază,задача,шаг,этап,фаза,стадия,веха,спринт,завдання,крок,етап,віха,задание,стъпка,\
    εργασία,βήμα,φάση,στάδιο,görev,adım,aşama,faz,evre,مهمة,المهمة,خطوة,الخطوة,مرحلة,المرحلة,وظیفه,گام,\
    مرحله,משימה,שלב,צעד,कार्य,चरण,nhiệm vụ,công việc,bước,giai đoạn,งาน,งานที่,ขั้นตอน,ขั้นตอนที่,ขั้นที่,tugas,langkah,tahap,\
    任务,任務,步骤,步驟,步,阶段,階段,里程碑,迭代,タスク,ステップ,フェーズ,作業,段階,手順,作业,작업,단계,과제,태스크,스텝,\
    페이즈,마일스톤";

/// Separators between a number and the title after it.
const SEPARATORS: [char; 14] = [
    ':', '：', ')', '）', '.', '．', '、', '-', '–', '—', '|', ']', '】', '\u{20e3}',
];

/// Whether a name is a word for a unit of work, or a longer name that starts or ends with one.
pub(super) fn is_work(name: &str) -> bool {
    WORK.split(',').any(|word| {
        let before = name.strip_suffix(word);
        let after = name.strip_prefix(word);
        after.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            || before.is_some_and(|rest| rest.ends_with([' ', '-']) || is_unspaced(word))
    })
}

/// Whether a word's script has no spaces between words; `false` for a single character, since those
/// occur in too many other words.
fn is_unspaced(word: &str) -> bool {
    word.chars().nth(1).is_some() && word.starts_with(|c| c >= '\u{2e80}')
}

/// Whether a character is a numeral in any script.
fn is_numeral(c: char) -> bool {
    c.is_numeric() || "〇零一二三四五六七八九十百".contains(c)
}

/// Whether a character can be part of the word. Some letters consist of several code points.
fn is_in_name(c: char) -> bool {
    matches!(c, ' ' | '-' | '_' | '#' | '№' | '\u{300}'..='\u{1fff}') || c.is_alphabetic()
}

/// Parses the numbering of a heading's text.
pub(super) fn numbering(words: &str) -> Option<Numbering> {
    const MAX_CHARS: usize = 24;
    const MAX_WORDS: usize = 3;
    let after_box =
        after_box(words.trim_start_matches(['*', '_'])).map_or(0, |rest| words.len() - rest.len());
    let start = after_box + words[after_box..].find(char::is_alphanumeric)?;
    let rest = &words[start..];
    let end = rest
        .find(|c| is_numeral(c) || !is_in_name(c))
        .unwrap_or(rest.len());
    let name = rest[..end].trim_end_matches([' ', '-', '_', '#', '№']);
    if name.chars().count() > MAX_CHARS || name.split(' ').count() > MAX_WORDS {
        return None;
    }
    let found = |word: &str, rest: &str| Numbering {
        word: word.to_lowercase(),
        start,
        title: words.len() - rest.len(),
    };
    let length = number(&rest[end..]);
    if length == 0 {
        let head = name.split(" - ").next()?;
        let (name, letters) = head.rsplit_once(' ')?;
        let mut chars = letters.chars();
        let is_letter = chars.next()?.is_uppercase() && chars.next().is_none();
        let is_roman = letters.chars().all(|c| "IVXL".contains(c));
        let after = &rest[head.len()..];
        return ((is_letter || is_roman) && ends(after) && is_work(&name.to_lowercase()))
            .then(|| found(name, title(after)));
    }
    let after = &rest[end + length..];
    if matches!(name, "" | "第" | "제") {
        let near = after.trim_start_matches(['.', '．', 'ª', 'º', ' ']);
        let length = WORK.split(',').filter_map(|word| begins(near, word)).max();
        // `1단계` is numbering; `1. 작업` may be a sentence.
        let is_glued = near == after && near.starts_with(|c| c >= '\u{2e80}');
        if let Some(length) = length
            && (is_glued || ends(&near[length..]))
        {
            return Some(found(&near[..length], title(&near[length..])));
        }
    }
    // A letter may follow the number, as in `Task 2b`.
    let after = after
        .strip_prefix(|c: char| c.is_ascii_lowercase())
        .filter(|rest| !rest.starts_with(char::is_alphanumeric))
        .unwrap_or(after);
    let apart = title(after);
    let is_marked =
        ends(after) && !after.trim().is_empty() || rest[end..end + length].contains('.');
    let is_apart = apart.len() < after.len() || apart.is_empty();
    (is_apart && (is_marked || !name.is_empty())).then(|| found(name, apart))
}

/// The length of the number at the start of a text: numerals with dots between them.
fn number(text: &str) -> usize {
    let mut length = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let is_dot = c == '.' && chars.peek().is_some_and(|(_, next)| is_numeral(*next));
        if !(is_numeral(c) || is_dot && at > 0) {
            break;
        }
        length = at + c.len_utf8();
    }
    length
}

/// The length of `word` at the start of a text, ignoring case.
fn begins(text: &str, word: &str) -> Option<usize> {
    let mut rest = text.chars();
    word.chars()
        .all(|letter| rest.next().is_some_and(|c| c.to_lowercase().eq([letter])))
        .then(|| text.len() - rest.as_str().len())
}

/// Whether a numbering can end before this text.
fn ends(after: &str) -> bool {
    let after = after.trim_start_matches([' ', '\t', '*', '_']);
    after.is_empty() || after.starts_with(SEPARATORS)
}

/// The text after a leading checkbox.
fn after_box(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('[')?.strip_prefix([' ', 'x', 'X'])?;
    rest.strip_prefix(']').filter(|rest| !rest.starts_with('('))
}

/// Strips everything between a number and the title after it: separators, closing emphasis, a
/// checkbox, a check mark.
fn title(after: &str) -> &str {
    let mut rest = after;
    loop {
        let next = rest.trim_start_matches(|c: char| {
            c.is_whitespace()
                || SEPARATORS.contains(&c)
                || CHECK_MARKS.contains(&c)
                || VARIATION_SELECTORS.contains(&c)
        });
        let bare = next.trim_start_matches(['*', '_']);
        let is_end = bare.is_empty()
            || bare.starts_with(|c: char| c.is_whitespace() || SEPARATORS.contains(&c));
        let next = if is_end || bare.starts_with(CHECK_MARKS) {
            bare
        } else {
            next
        };
        let next = after_box(next).unwrap_or(next);
        if next.len() == rest.len() {
            return rest;
        }
        rest = next;
    }
}
