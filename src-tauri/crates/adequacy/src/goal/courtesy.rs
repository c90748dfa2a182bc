//! Recognizes polite phrases and reasons, which are not requirements: greetings, thanks, "could you
//! please".

use std::sync::LazyLock;

use regex::Regex;

/// Length in bytes of a clause's polite opening.
pub(super) fn lead(clause: &str) -> usize {
    static LEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?ix)^(?:
            (?:hi|hello|hey|dear|hallo|bonjour|salut|hola)\b(?:\ [\w.]+){0,3},\s+
            |(?:please|kindly|maybe|perhaps|possibly|just|bitte|por\ favor|s['’]il\ (?:te|vous)\ pla[iî]t)[,\s]+
            |(?:could|can|would|will)\ you\ (?:(?:please|kindly|possibly|perhaps|maybe|just)[,\s]+)*(?:be\ so\ (?:kind|good)\ (?:as\ )?to\s+)?(?:mind\s+)?
            |i(?:\ would|['’]d)\ (?:really\ )?(?:like|love)\ (?:you\ )?to\ (?:ask\ (?:you\ )?(?:if\ you\ could|whether\ you\ could|to)\s+)?
            |i(?:\ would|['’]d)\ (?:really\ |very\ much\ )?(?:appreciate|be\ (?:very\ |so\ )?(?:glad|grateful|happy))(?:\ it)?\ (?:very\ much\ )?if\ (?:you|we)\ could\ (?:(?:please|possibly|just)\s+)?
            |it\ would\ be\ (?:(?:really|so|very|absolutely)\ )*(?:great|nice|lovely|wonderful|helpful|kind|good)(?:\ of\ you)?\ (?:if\ (?:you|we|someone|somebody)\ could|to)\s+(?:(?:please|possibly|just)\s+)?
            |i\ (?:was|am)\ wondering\ (?:if|whether)\ (?:you|we)\ (?:could|might|would)\ (?:(?:please|possibly|perhaps|maybe|just|kindly)\s+)*(?:be\ (?:willing|able)\ to\s+)?
            |i\ want\ you\ to\s+
            |(?:could|would)\ it\ be\ possible\ to\s+
            |(?:if|when|whenever)\ you\ (?:have|get|find)\ (?:a\ |the\ |some\ )?(?:spare\ |free\ )?(?:moment|minute|second|time|chance)[,\s]+
            |(?:könnt(?:est\ du|en\ sie|et\ ihr)|kannst\ du|würdest\ du|würden\ sie)\ (?:bitte\s+)?
            |(?:pourr(?:iez-vous|ais-tu)|peux-tu|pouvez-vous|merci\ de)\s+
            |(?:podrías|podría|puedes|puede)\s+(?:por\ favor\s+)?
            |请|請|麻烦你?|劳驾
            )",
        )
        .ok()
    });
    let mut at = 0;
    while let Some(found) = LEAD.as_ref().and_then(|lead| lead.find(&clause[at..])) {
        if found.is_empty() || clause[at + found.end()..].trim().is_empty() {
            break;
        }
        at += found.end();
    }
    at
}

/// Whether the whole clause is a greeting, thanks or a similar phrase.
pub(super) fn is_courtesy(clause: &str) -> bool {
    static COURTESY: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?ix)^\W*(?:and\ |but\ |so\ |und\ |et\ |y\ )?(?:
            (?:hi|hello|hey|dear|hallo|bonjour|salut|hola|moin)\b(?:\ \S+){0,4}$
            |good\ (?:morning|afternoon|evening|day)\b|guten\ (?:tag|morgen|abend)\b|buen[oa]s?\ (?:d[ií]as|tardes)
            |(?:many\ |a\ thousand\ )?thanks?\b|thank\ you|cheers|vielen\ dank|danke|merci\b|(?:muchas\ )?gracias
            |(?:i\ am\ |i['’]m\ )?(?:very\ |so\ |really\ )?sorry\b|apologies|(?:please\ )?(?:forgive|excuse)\b
            |i\ (?:really\ |do\ |very\ much\ )*hope\b|hope\ (?:you|this|all|everything)|(?:i\ )?hope\ that
            |i\ (?:know|realise|realize|understand|am\ aware)\ (?:that\ )?(?:you|this|it|everyone)
            |(?:there\ is\ |there['’]s\ )?(?:absolutely\ )?no\ (?:rush|hurry)|take\ your\ time|at\ your\ (?:earliest\ )?(?:convenience|leisure)
            |when(?:ever)?\ (?:you|it)\ (?:have|has|suits?|get|gets|find|feel|is)\b
            |if\ (?:it|that|this)(?:\ is|['’]s|\ does|\ would)?(?:\ not|n['’]t)?.{0,30}(?:trouble|bother|possible|convenient|mind|problem|okay|ok|work\ for\ you)
            |if\ you\ (?:do\ not|don['’]t|would\ not|wouldn['’]t|could|have|can|get|find|had)\b.{0,30}(?:mind|time|moment|minute|second|chance)
            |have\ a\ (?:nice|great|good|lovely|wonderful)|(?:best|kind|warm)\ (?:regards|wishes)|greetings|sincerely|yours\b
            |be\ so\ (?:kind|good)$|let\ me\ know|looking\ forward|(?:it\ is\ |it['’]s\ |this\ is\ |that\ is\ )?(?:greatly|very\ much|much|really)\ appreciated|as\ always
            |(?:i|we)\ (?:would|['’]d)?\ ?(?:really\ |very\ much\ |greatly\ )?appreciate\ (?:it|your|that|this)(?:\ (?:very\ much|a\ lot|help))*$
            |(?:it|this|that)(?:\ is|['’]s|\ should\ be|\ would\ be|\ really\ is)\ (?:really\ |just\ |only\ |probably\ )*(?:a\ )?(?:very\ )?(?:tiny|small|little|quick|minor|trivial)\b.{0,24}$
            |(?:please|bitte|por\ favor)\W*$|s['’]il\ (?:te|vous)\ pla[iî]t\W*$|mit\ freundlichen|cordialement|saludos
            |你好|您好|谢谢|謝謝|辛苦|こんにちは|ありがとう|お手数|よろしく|감사
            )",
        )
        .ok()
    });
    COURTESY
        .as_ref()
        .is_some_and(|courtesy| courtesy.is_match(clause))
}

/// Whether a clause begins with a reason.
pub(super) fn is_reason(clause: &str) -> bool {
    static REASON: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)^(?:(?:and|but|this is|that is|mainly|simply|just) )?(?:because|the reason|the background is|background:|context:|weil|denn|der grund|parce que|puisque|porque|ya que|puesto que|因为|因為|由于|なぜなら|the (?:current|old|present) (?:one|wording|text|name) (?:is|was|looks|sounds|confuses))",
        )
        .ok()
    });
    REASON
        .as_ref()
        .is_some_and(|reason| reason.is_match(clause))
}

/// Start of a reason at the end of a clause, including the comma before it.
pub(super) fn trailing_reason(clause: &str, quoted: &[bool]) -> Option<usize> {
    const MARKS: [&str; 11] = [
        ", because ",
        " because ",
        ", since ",
        ", weil ",
        ", da ",
        " parce que ",
        ", car ",
        " porque ",
        ", ya que ",
        "，因为",
        "，由于",
    ];
    let plain = clause.to_ascii_lowercase();
    MARKS
        .iter()
        .filter_map(|mark| plain.find(mark))
        .filter(|at| *at > 0 && !quoted.get(*at).copied().unwrap_or_default())
        .min()
}
