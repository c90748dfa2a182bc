//! Detects releases and other irreversible actions by the words of a step that performs them. A
//! step that only builds, writes or documents such an action does not perform it.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::danger::Mentions;

/// A release or irreversible action mentioned in a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReleaseAction {
    /// The byte range of the words in the text.
    pub(crate) at: Range<usize>,
    /// The kind of action.
    pub(crate) kind: ReleaseKind,
}

/// Kind of action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReleaseKind {
    /// A release to users, not to a test environment.
    Release,
    /// An explicitly public release: to production, to a registry, or of a version.
    PublicRelease,
    /// Another irreversible action: running a migration, sending mail to many people, removing an
    /// interface.
    Irreversible,
}

impl ReleaseAction {
    /// Whether the action is a release, which a check should precede.
    pub(crate) fn is_release(&self) -> bool {
        matches!(self.kind, ReleaseKind::Release | ReleaseKind::PublicRelease)
    }

    /// Whether an action of this kind is irreversible.
    pub(crate) fn is_irreversible(&self) -> bool {
        matches!(
            self.kind,
            ReleaseKind::Irreversible | ReleaseKind::PublicRelease
        )
    }
}

/// The start of a clause; written as `¶` in the patterns below.
const START: &str = r"(?:^|[.;:,!\n]\s*|\s(?:and|then|und|dann|et|puis|y|luego|e|poi)\s+)(?:(?:then|finally|now|next|carefully|slowly|manually|anschließend|enfin|finalmente)\s+)?`?";

/// Verbs that release something, including the start of the clause.
const RELEASES: &[&str] = &[
    r"¶(?:re)?deploy(?:s|ment\s+of)?\b",
    r"¶publish(?:es)?\b",
    r"¶release(?:s)?\b",
    r"¶ship(?:s)?\s+(?:the|version|v?\d|it|to)\b",
    r"¶roll(?:s)?\s+(?:it\s+|(?:§+\s+){0,5})out\b",
    r"¶go(?:es)?\s+live\b",
    r"¶launch\s+(?:the\s+)?(?:§+\s+){0,2}(?:site|website|product|feature|page|campaign|beta|service|store|shop|app|version)\b",
    r"¶announce\s+(?:it|this|(?:§+\s+){0,4}(?:features?|releases?|launch|changes?|version|migration|deprecation|beta|updates?))\b",
    r"¶merge\s+(?:(?:the|this|our|it|§+)\s+){0,4}(?:branch|pr|pull\s+request|into\s+(?:main|master|trunk|develop)|to\s+(?:main|master|trunk|develop))\b",
    r"¶(?:git\s+)?tag\s+(?:the\s+)?(?:release|version|v?\d)",
    r"¶cut\s+(?:a|the)\s+(?:§+\s+)?release\b",
    r"¶push\s+(?:(?:§+\s+){0,5})(?:to|into)\s+(?:prod|production|live|the\s+(?:app|play)\s+store|npm|crates\.io|pypi|docker\s+hub|the\s+registry)\b",
    r"¶(?:promote|upload|submit)\s+(?:§+\s+){0,5}to\s+(?:the\s+)?(?:prod|production|live|stable|pypi|npm|crates\.io|(?:app|play)\s+store|registry|package\s+registry|docker\s+hub)\b",
    r"¶(?:switch|cut|point|move|shift)\s+(?:over\s+)?(?:all\s+|the\s+|our\s+)*(?:traffic|dns|production|live\s+traffic)\b",
    r"¶turn\s+(?:§+\s+){0,4}on\s+for\s+(?:all|every|everyone)\b",
    r"\b(?:is|are|gets?|be)\s+(?:deployed|published|released|shipped|launched|rolled\s+out)\s+(?:to|on|in|for)\b",
    r"\b(?:npm|pnpm|yarn|cargo|poetry|lerna)\s+publish\b",
    r"\b(?:twine\s+upload|gh\s+release\s+create|git\s+push\s+(?:§+\s+)?--tags|docker\s+push|helm\s+upgrade|kubectl\s+(?:apply|rollout\s+restart)|vercel\s+--prod|fly\s+deploy|firebase\s+deploy|cap\s+production\s+deploy)\b",
    // Other languages.
    r"¶(?:veröffentliche[n]?|ausrollen|rolle\s+[^.\n]{1,40}\s+aus|liefere?\s+[^.\n]{1,40}\s+aus|deploye[n]?|freigeben)\b",
    r"\bin\s+(?:die\s+)?produktion\s+(?:nehmen|bringen|geben|ausrollen)\b|\b(?:veröffentlichen|ausrollen|ausliefern|deployen|freigeben)\s*(?:$|[.,;\n])",
    r"¶(?:déployer|déploie[rz]?|publier|publie[rz]?|mettre\s+en\s+production|livrer)\b|\bmise\s+en\s+production\b",
    r"¶(?:desplegar|despliega|publicar|publica|lanzar|lanza|implantar|implanta)\b",
    r"¶(?:distribuire|distribuisci|pubblicare|pubblica|rilasciare|rilascia)\b",
    r"(?:развернуть|разверни|выкатить|опубликовать|выпустить)\s",
    r"(?:部署|发布|發布|上线|上線)(?:到|至|给|給|新|$|[，。；,;\n])|(?:^|[，。；,;\n]\s*)(?:发布|發布|上线|上線)",
    r"デプロイ(?:する|$|[。、\n])|公開する|リリースする|本番に反映",
    r"배포(?:한다|하기)?|출시",
];

/// Irreversible actions that are not releases.
const NO_RETURN: &[&str] = &[
    r"¶(?:run|apply|execute|running|applying)\s+(?:(?:the|all|new|database|db|schema|data|pending|its|§+)\s+){0,4}migrations?\b",
    r"¶migrate\s+(?:(?:the|all|our|existing|old|every)\s+){0,3}(?:production|live|prod|customer|user|customers|users|accounts|records|rows|database|data|tenants)\b",
    r"\b(?:alembic\s+upgrade|rails\s+db:migrate|db:migrate|prisma\s+migrate\s+deploy|flyway\s+migrate|sqlx\s+migrate\s+run|diesel\s+migration\s+run|knex\s+migrate:latest|manage\.py\s+migrate)\b",
    r"\balter\s+(?:the\s+)?(?:§+\s+)?table\b",
    r"¶rename\s+(?:the\s+)?(?:§+\s+){0,3}(?:columns?|tables?)\b",
    r"¶change\s+the\s+(?:type|schema)\s+of\s+(?:§+\s+){0,4}(?:columns?|tables?|database)\b",
    r"¶(?:send|email|e-mail|mail|notify|message|text)\s+(?:§+\s+){0,7}(?:all|every|each|our|existing|active)\s+(?:(?:of|our|the|existing|active|paying|registered)\s+){0,3}(?:customers|users|subscribers|members|clients|customer|user|subscriber)\b",
    r"¶send\s+(?:out\s+)?(?:the\s+)?(?:§+\s+){0,2}newsletter\b",
    r"\bgit\s+branch\s+-D\b|\bgit\s+push\s+§+\s+(?:--delete|:)",
    r"¶delete\s+(?:(?:the|all|old|stale|merged|feature|release|remote|legacy)\s+){0,4}(?:§+\s+)?branch(?:es)?\b",
    r"¶(?:rename|remove|delete|drop|change|break)\s+(?:(?:the|a|our|§+)\s+){0,3}public\s+(?:§+\s+){0,2}(?:apis?|interfaces?|functions?|methods?|endpoints?|types?)\b",
    r"¶(?:remove|delete|drop|switch\s+off|turn\s+off)\s+(?:the\s+)?(?:deprecated|v\d+)\s+(?:§+\s+){0,2}(?:apis?|endpoints?)\b",
    r"¶(?:shut\s+down|decommission|retire|switch\s+off|turn\s+off|sunset)\s+(?:the\s+)?(?:old|legacy|previous|current|existing|production|live)\b",
];

/// Other things that can be released, published or merged.
const OTHER_THING: &str = r"(?i)^\W*(?:(?:the|a|an|all|its|this|each|new)\s+){0,2}(?:lock|locks|memory|resources?|handles?|semaphore|mutex|buffers?|connections?|ports?|file descriptor|pointer|key|mouse|button|script|scripts|pipeline|workflow|guide|notes|hook|template|jobs?|events?|messages?|config loaders)\b|^[^.;\n]{0,40}\b(?:topic|queue|channel|bus|kafka|mqtt|emulator)\b";

/// Words for a test environment or a rehearsal.
const REHEARSAL: &str = r"(?i)\b(?:staging|preview|sandbox|test environment|testing environment|dev|development|localhost|locally|review app|dry[ -]run|test ?flight|testumgebung)\b|\btest[ -]?pypi\b|(?:\b(?:to|on|at|into)|--(?:repository|registry|index)(?:-url)?)[ =](?:the\s+)?\W{0,2}(?:https?://)?test\b|--(?:dry-?run|plan|check|diff|list|sql|status|preview|simulate|pretend|what-?if)\b|测试环境|预发|テスト環境|ステージング|테스트 환경";

/// Words for repeated actions, which describe features rather than releases.
const EVERY_TIME: &str = r"(?i-u)\b(?:when|whenever|as soon as|every time|each time|once a|if)\b";

const PUBLIC: &str = r"(?i-u)\b(?:prod|production|customers?|everyone|all users|registry|npm|crates\.io|pypi|app store|play store|docker hub|version|v?\d+\.\d+|release|public|publish|newsletter)\b|(?:^|\s)live\b|produktion|producción|produzione|produção|生产|本番|운영|上线|公開|출시";

/// The first release or irreversible action in a text.
pub(crate) fn find(text: &str) -> Option<ReleaseAction> {
    static RELEASE: LazyLock<Option<Regex>> = LazyLock::new(|| any(RELEASES));
    static RETURN: LazyLock<Option<Regex>> = LazyLock::new(|| any(NO_RETURN));
    static THING: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(OTHER_THING).ok());
    static TRIAL: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(REHEARSAL).ok());
    static TIMES: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(EVERY_TIME).ok());
    static OUTSIDE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(PUBLIC).ok());
    let mentions = Mentions::of(text);
    // "db:migrate:status" is a different command, and "已发布" says that it is already done.
    let is_done = |at: &Range<usize>| {
        !text[at.end..].starts_with(':') && !text[..at.start].ends_with('已') && !mentions.has(at)
    };
    let says = |regex: &LazyLock<Option<Regex>>, text: &str| {
        regex.as_ref().is_some_and(|regex| regex.is_match(text))
    };
    let found = |regex: &LazyLock<Option<Regex>>, is_meant: &dyn Fn(&Range<usize>) -> bool| {
        regex.as_ref().and_then(|regex| {
            regex
                .find_iter(text)
                .map(|found| words_of(text, found.range()))
                .find(|at| !says(&TRIAL, sentence(text, at)) && is_meant(at) && is_done(at))
        })
    };
    let release = found(&RELEASE, &|at| !says(&THING, &text[at.end..])).map(|at| {
        let kind = match says(&OUTSIDE, sentence(text, &at)) {
            true => ReleaseKind::PublicRelease,
            false => ReleaseKind::Release,
        };
        ReleaseAction { at, kind }
    });
    let other = found(&RETURN, &|at| !says(&TIMES, sentence(text, at))).map(|at| ReleaseAction {
        at,
        kind: ReleaseKind::Irreversible,
    });
    [release, other]
        .into_iter()
        .flatten()
        .min_by_key(|found| found.at.start)
}

fn any(alternatives: &[&str]) -> Option<Regex> {
    let all = alternatives
        .join("|")
        .replace('¶', START)
        .replace('§', r"[a-z0-9_./'`\x22*-]")
        .replace(r"\b", r"(?-u:\b)");
    Regex::new(&format!("(?i)(?:{all})")).ok()
}

/// The match without leading words that only begin the clause.
fn words_of(text: &str, at: Range<usize>) -> Range<usize> {
    const BEFORE: [&str; 12] = [
        "and ", "then ", "finally ", "now ", "next ", "und ", "dann ", "et ", "puis ", "luego ",
        "poi ", "y ",
    ];
    let found = &text[at.clone()];
    let mut words = found.trim_start_matches(|c: char| !c.is_alphanumeric());
    while let Some(rest) = BEFORE.iter().find_map(|before| {
        words
            .get(..before.len())
            .filter(|start| start.eq_ignore_ascii_case(before))
            .map(|_| words[before.len()..].trim_start_matches(|c: char| !c.is_alphanumeric()))
    }) {
        words = rest;
    }
    let start = at.end - words.len();
    start..start + words.trim_end_matches(|c: char| !c.is_alphanumeric()).len()
}

/// The rest of the sentence after the start of this match, up to a limit.
fn sentence<'t>(text: &'t str, at: &Range<usize>) -> &'t str {
    const MAX_BYTES: usize = 1_000;
    let rest = &text[at.start..];
    let rest = &rest[..rest.floor_char_boundary(at.len() + MAX_BYTES)];
    let end = rest[at.len()..]
        .find(['\n', ';'])
        .map_or(rest.len(), |end| at.len() + end);
    let end = rest[at.len()..end]
        .find(". ")
        .map_or(end, |end| at.len() + end);
    &rest[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hints::Hints;

    fn kind(text: &str) -> Option<ReleaseKind> {
        find(text).map(|found| found.kind)
    }

    #[test]
    fn releases_are_detected() {
        for text in [
            "Deploy the pricing page to production",
            "Deploy the service",
            "Build the page, then deploy it",
            "Publish version 2.0.0 to the package registry",
            "Release the new version",
            "Merge the branch into main",
            "Merge the pull request",
            "Tag v1.2.0 and push the tag",
            "Roll the feature out to everyone",
            "Go live on Monday",
            "Announce the feature on the blog",
            "Ship the new pricing page",
            "npm publish",
            "Switch the DNS to the new host",
            "Die neue Version in Produktion nehmen",
            "Mettre en production la nouvelle version",
            "Desplegar la página de precios en producción",
            "部署到生产环境",
            "本番環境にデプロイする",
        ] {
            assert!(find(text).is_some_and(|found| found.is_release()), "{text}");
            assert!(Hints::of(text).has(Hints::RELEASE), "{text}");
        }
    }

    #[test]
    fn irreversible_actions_are_detected() {
        for text in [
            "Run the migration",
            "Stop the workers, then run the migrations",
            "Update the package with `npm publish`",
            "Apply all pending migrations to the shop",
            "Migrate the production data",
            "Rename the column `note` of orders",
            "Email all customers about the new prices",
            "Send the announcement to every registered user",
            "Delete the merged branches",
            "git branch -D old",
            "Rename the public API of the parser",
            "Remove the deprecated endpoint",
            "Shut down the old service",
            "Publish version 2.0.0 to the package registry",
            "Deploy to production",
        ] {
            assert!(
                find(text).is_some_and(|found| found.is_irreversible()),
                "{text}"
            );
            assert!(Hints::of(text).has(Hints::RELEASE), "{text}");
        }
    }

    #[test]
    fn building_a_release_tool_is_not_a_release() {
        for text in [
            "Add a deploy script",
            "Document the release process",
            "Release the lock when the guard is dropped",
            "Publish events to the queue",
            "Deploy to staging",
            "Merge the two config loaders",
            "Write release notes",
            "Create the session table migration",
            "Add the migration for the jobs table",
            "Launch the app in the emulator",
            "Notify all users when the export is done",
            "Tag images with their labels",
            "Deploy script: read the region from the environment",
            "Mail the PDF to the customer",
            "Remove the Redis client and its configuration",
            "Show who published a page",
            "cargo publish --dry-run",
            "Publish the wheel to TestPyPI with `twine upload --repository testpypi dist/*`",
            "Upload the package to test.example.org",
            "Publish the image to the test registry",
            "Run `python manage.py migrate --plan` and read what it says",
            "alembic upgrade head --sql",
            "rails db:migrate:status",
            "Add `npm publish` to the workflow",
            "Describe `alembic upgrade head` in the guide",
            "Set up an entry point for running migrations",
            "Replace `npm publish` with `pnpm publish` in the script",
            "Announce field errors through an `aria-live` region",
        ] {
            assert_eq!(kind(text), None, "{text}");
        }
        assert_eq!(kind("Deploy the service"), Some(ReleaseKind::Release));
    }

    #[test]
    fn the_range_covers_the_words() {
        let text = "Build the page, and then deploy it to production";
        let found = find(text).unwrap();
        assert_eq!(&text[found.at], "deploy");
    }
}
