//! Estimates from the words of a goal, rather than their number, how much of a product it affects.

use std::sync::LazyLock;

use regex::Regex;

/// The scope of a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// A whole product is rewritten or replaced.
    Product,
    /// Something changes in every part of the product, or is built from scratch.
    Throughout,
}

fn pattern(parts: &[&str]) -> Option<Regex> {
    Regex::new(&format!("(?i)(?:{})", parts.join("|"))).ok()
}

/// The scope of a goal; `None` if the goal concerns only a part of the product.
pub(super) fn of(goal: &str) -> Option<Scope> {
    static PRODUCT: LazyLock<Option<Regex>> = LazyLock::new(|| {
        // The noun must not be part of a longer name: "the app's greeting" and "the project
        // settings" are only parts.
        let end = r"(?:[.,;!?)]|$|\s+(?:in|into|to|with|using|on|as|from|and|for|by|so|because|onto|over)\b)";
        let product = r"(?:applications?|apps?|programs?|products?|projects?|code ?bases?|platforms?|monoliths?|web ?sites?|sites?|back ?ends?|front ?ends?|games?|suite|systems?)";
        let anew = r"\b(?:re-?writ(?:e|ing)|port(?:ing)?|re-?implement(?:ing)?|re-?build(?:ing)?|migrat(?:e|ing)|convert(?:ing)?|replac(?:e|ing)|re-?architect(?:ing)?|re-?design(?:ing)?|moderni[sz](?:e|ing)|transition(?:ing)?)";
        let whole = r"(?:whole|entire|complete|full|all)";
        let things = r"(?:services?|servers?|apis?|cli|tools?|compilers?|engines?|clients?|librar(?:y|ies)|shop|store|stack|infrastructure|bot|editor|ui|interface|software)";
        pattern(&[
            &format!(
                r"{anew}\s+(?:(?:the|our|this|my|your|its|all|whole|entire|complete|full|existing|old|legacy|current|of)\s+){{0,5}}(?:\w+\s+)?{product}{end}"
            ),
            &format!(
                r"{anew}\s+(?:\w+\s+){{0,2}}{whole}\s+(?:of\s+)?(?:(?:the|our|its)\s+)?(?:\w+\s+)?{things}{end}"
            ),
            &format!(r"{anew}\s+everything\b"),
            r"(?:ganze[nrs]?|gesamte[nrs]?|komplette[nrs]?|die|unsere)\s+(?:anwendung|app|codebasis|plattform|software|webseite|website)\s.*\b(?:neu(?: |$)|umschreiben|portier|migrier|umstellen|ersetzen)",
            r"\b(?:portiere|migriere|ersetze)\s+(?:die|das|unsere)\s+(?:ganze|gesamte|komplette)",
            r"(?:réécri|récri|porte[rz]|migre[rz]|remplace[rz]|refaire)\S*\s+(?:toute?\s+)?(?:l['’]|la\s+|le\s+|notre\s+)(?:ensemble|application|appli|base de code|plateforme|site|logiciel)",
            r"(?:reescrib|migra|porta|reemplaza|rehace)\S*\s+(?:tod[oa]\s+)?(?:la|el|nuestra)\s+(?:aplicación|app|plataforma|base de código|sitio|sistema)",
            r"(?:重写|重構|重构|移植|迁移|遷移|改写|替换).{0,12}(?:整个|整個|全部|所有|应用|應用|系统|项目)",
            r"(?:整个|整個|全部|所有).{0,12}(?:重写|移植|迁移|遷移|改写|替换)",
            r"(?:アプリ|システム|プロジェクト)(?:全体)?を.{0,12}(?:書き直|書き換|移植|移行|置き換)",
            r"전체.{0,12}(?:다시 작성|이식|마이그레이션)",
        ])
    });
    static THROUGHOUT: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let change = r"\b(?:re-?writ|port\b|re-?implement|re-?build|migrat|convert|replac|re-?architect|re-?design|re-?structur|refactor|moderni[sz]|translat|locali[sz]|upgrad|move\b|split)";
        pattern(&[
            &format!(
                r"{change}\w*\s+(?:\w+\s+){{0,2}}(?:all|every|each)\s+(?:of\s+)?(?:(?:the|our|its|their)\s+)?(?:\w+\s+)?(?:modules?|services?|packages?|crates?|components?|screens?|pages?|endpoints?|tables?|tests?|files?|apis?|apps?|repositor(?:y|ies)|features?)\b"
            ),
            &format!(r"{change}\w*\s+everything\b"),
            r"\bfrom (?:scratch|the ground up)\b|\bvon grund auf\b|\bfrom zero\b|\bdesde cero\b|\bà partir de zéro\b|从零|ゼロから",
        ])
    });
    let matches = |pattern: &LazyLock<Option<Regex>>| {
        pattern
            .as_ref()
            .is_some_and(|pattern| pattern.is_match(goal))
    };
    if matches(&PRODUCT) {
        Some(Scope::Product)
    } else if matches(&THROUGHOUT) {
        Some(Scope::Throughout)
    } else {
        None
    }
}

/// Whether a goal explicitly asks for a small change: a typo, one line, one word. If most of the
/// goal is polite phrases (`is_wrapped`), changing one label also counts as small.
pub(super) fn is_small(goal: &str, is_wrapped: bool) -> bool {
    static SMALL: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(&[
            r"\btypos?\b|\bspelling\b|\bmisspell|\btippfehler|\brechtschreib|\bfautes? de frappe|\berrata\b|错别字|誤字",
            r"\b(?:one|single|1)[ -](?:line|word|letter|character|char|liner|digit|comma|space)\b|\bone-?liner\b|\beine[nr]? (?:zeile|wort|zeichen|buchstaben)\b|\bune? (?:seule? )?(?:ligne|mot|lettre)\b|\buna? (?:sola? )?(?:línea|palabra|letra)\b",
            r"\bbump (?:the |up )?(?:\w+ )?version\b|\bversion bump\b",
        ])
    });
    static LABEL: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(&[
            r"\b(?:change|rename|fix|correct|adjust|update|replace|swap|set|make|remove|delete)\s+(?:(?:the|this|that|our|its|a|an|one|small|little|tiny|old|wrong)\s+){0,4}(?:\w+\s+){0,2}(?:labels?|words?|words?ing|texts?|captions?|titles?|headings?|headers?|colou?rs?|icons?|links?|urls?|tooltips?|placeholders?|messages?|strings?|names?|constants?|comments?|default|commas?|dots?|paddings?|margins?|font size|sizes?|variables?|timeouts?|limits?)\b",
            r"\b(?:tiny|small|minor|trivial|little|quick)\s+(?:change|fix|edit|thing|tweak|correction|request|favou?r)\b",
            r"\b(?:ändere|ändern|umbenennen|korrigier\w*)\b.{0,40}\b(?:beschriftung|text|titel|überschrift|wort|farbe)",
        ])
    });
    let matches = |pattern: &LazyLock<Option<Regex>>| {
        pattern
            .as_ref()
            .is_some_and(|pattern| pattern.is_match(goal))
    };
    of(goal).is_none() && (matches(&SMALL) || (is_wrapped && matches(&LABEL)))
}
