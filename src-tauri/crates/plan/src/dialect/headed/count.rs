//! What a heading is counted with: `Task 3`, `Phase II`, `第一步`, `1. Adım`, or a number alone.

use super::mark::{LOOKS, SIGNS};

/// What a heading begins with.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Count {
    /// In small letters; empty where a number alone counts.
    pub(super) word: String,
    /// Where that begins, behind any mark.
    pub(super) start: usize,
    /// Where the words behind it begin.
    pub(super) title: usize,
}

/// Words for a part of work, as plans in these languages head their steps.
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

/// What may stand between a number and the words that it counts.
const APART: [char; 14] = [
    ':', '：', ')', '）', '.', '．', '、', '-', '–', '—', '|', ']', '】', '\u{20e3}',
];

/// Whether a word is one for a part of work: by itself, or where it begins or ends a longer name.
pub(super) fn is_work(name: &str) -> bool {
    WORK.split(',').any(|word| {
        let before = name.strip_suffix(word);
        let behind = name.strip_prefix(word);
        behind.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            || before.is_some_and(|rest| rest.ends_with([' ', '-']) || is_joined(word))
    })
}

/// Whether a word's script writes no blanks between words. A single character is part of too many.
fn is_joined(word: &str) -> bool {
    word.chars().nth(1).is_some() && word.starts_with(|c| c >= '\u{2e80}')
}

/// Whether a character is a figure of any script.
fn is_figure(c: char) -> bool {
    c.is_numeric() || "〇零一二三四五六七八九十百".contains(c)
}

/// Whether a character can be part of the numbered word. Some letters are made of several.
fn is_in_name(c: char) -> bool {
    matches!(c, ' ' | '-' | '_' | '#' | '№' | '\u{300}'..='\u{1fff}') || c.is_alphabetic()
}

/// Reads the words of a heading.
pub(super) fn count(words: &str) -> Option<Count> {
    const MAX_CHARS: usize = 24;
    const MAX_WORDS: usize = 3;
    let behind_box =
        behind_box(words.trim_start_matches(['*', '_'])).map_or(0, |rest| words.len() - rest.len());
    let start = behind_box + words[behind_box..].find(char::is_alphanumeric)?;
    let rest = &words[start..];
    let end = rest
        .find(|c| is_figure(c) || !is_in_name(c))
        .unwrap_or(rest.len());
    let name = rest[..end].trim_end_matches([' ', '-', '_', '#', '№']);
    if name.chars().count() > MAX_CHARS || name.split(' ').count() > MAX_WORDS {
        return None;
    }
    let found = |word: &str, rest: &str| Count {
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
        let behind = &rest[head.len()..];
        return ((is_letter || is_roman) && ends(behind) && is_work(&name.to_lowercase()))
            .then(|| found(name, title(behind)));
    }
    let behind = &rest[end + length..];
    if matches!(name, "" | "第" | "제") {
        let near = behind.trim_start_matches(['.', '．', 'ª', 'º', ' ']);
        let length = WORK.split(',').filter_map(|word| begins(near, word)).max();
        // `1단계` is counted, `1. 작업` may begin a sentence.
        let is_glued = near == behind && near.starts_with(|c| c >= '\u{2e80}');
        if let Some(length) = length
            && (is_glued || ends(&near[length..]))
        {
            return Some(found(&near[..length], title(&near[length..])));
        }
    }
    // `Task 2b`
    let behind = behind
        .strip_prefix(|c: char| c.is_ascii_lowercase())
        .filter(|rest| !rest.starts_with(char::is_alphanumeric))
        .unwrap_or(behind);
    let apart = title(behind);
    let is_marked =
        ends(behind) && !behind.trim().is_empty() || rest[end..end + length].contains('.');
    let is_apart = apart.len() < behind.len() || apart.is_empty();
    (is_apart && (is_marked || !name.is_empty())).then(|| found(name, apart))
}

/// The length of the number that a text begins with: figures, and dots between them.
fn number(text: &str) -> usize {
    let mut length = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let is_dot = c == '.' && chars.peek().is_some_and(|(_, next)| is_figure(*next));
        if !(is_figure(c) || is_dot && at > 0) {
            break;
        }
        length = at + c.len_utf8();
    }
    length
}

/// The length of what a text begins with, where that is `word` in letters of any size.
fn begins(text: &str, word: &str) -> Option<usize> {
    let mut rest = text.chars();
    word.chars()
        .all(|letter| rest.next().is_some_and(|c| c.to_lowercase().eq([letter])))
        .then(|| text.len() - rest.as_str().len())
}

/// Whether a counted word ends here.
fn ends(behind: &str) -> bool {
    let behind = behind.trim_start_matches([' ', '\t', '*', '_']);
    behind.is_empty() || behind.starts_with(APART)
}

/// The text behind a leading checkbox.
fn behind_box(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('[')?.strip_prefix([' ', 'x', 'X'])?;
    rest.strip_prefix(']').filter(|rest| !rest.starts_with('('))
}

/// The words of a title, without what stands between them and their number: marks, the end of an
/// emphasis, a box, the sign of a tick.
fn title(behind: &str) -> &str {
    let mut rest = behind;
    loop {
        let next = rest.trim_start_matches(|c: char| {
            c.is_whitespace() || APART.contains(&c) || SIGNS.contains(&c) || LOOKS.contains(&c)
        });
        let bare = next.trim_start_matches(['*', '_']);
        let is_end =
            bare.is_empty() || bare.starts_with(|c: char| c.is_whitespace() || APART.contains(&c));
        let next = if is_end || bare.starts_with(SIGNS) {
            bare
        } else {
            next
        };
        let next = behind_box(next).unwrap_or(next);
        if next.len() == rest.len() {
            return rest;
        }
        rest = next;
    }
}
