//! The contents of generated files, in four languages and in prose.

use std::fmt::Write as _;

use super::Chance;
use super::words::{ASPECTS, Domain, REMARKS, VERBS};

/// Generates a module, sometimes with a test or a documentation page.
pub(super) fn made(chance: &mut Chance<'_>) -> Vec<(String, String)> {
    let Domain {
        name: domain,
        nouns,
        areas,
    } = chance.domain();
    let area = chance.of(areas);
    let (noun, other) = (chance.of(nouns), chance.of(nouns));
    let (verb, aspect) = (chance.of(&VERBS), chance.of(&ASPECTS));
    let number = chance.below(40);
    let name = match chance.below(3) {
        0 => format!("{noun}_{aspect}"),
        1 => format!("{noun}_{other}_{aspect}"),
        _ => format!(
            "{verb}_{noun}{}",
            if number < 6 {
                String::new()
            } else {
                format!("_{number}")
            }
        ),
    };
    let folder = format!("{domain}/{area}");
    match chance.below(20) {
        0 => vec![(
            format!("docs/{domain}/{name}.md"),
            page(chance, domain, nouns),
        )],
        1 => vec![(
            format!("fixtures/{domain}/{name}_{number}.json"),
            format!("{{\"{noun}\": [{number}, 2, 3], \"{other}\": {{\"{aspect}\": true}}}}\n"),
        )],
        2..=4 => vec![(
            format!("web/src/{domain}/{area}/{name}.ts"),
            typescript(chance, nouns, &name),
        )],
        5 => vec![(format!("{folder}/{name}.go"), go(chance, domain, nouns))],
        6 => vec![(
            format!("gateway/{domain}/src/{name}.rs"),
            rust(chance, nouns),
        )],
        _ => {
            let mut files = vec![(format!("{folder}/{name}.py"), python(chance, domain, nouns))];
            if chance.below(3) == 0 {
                let text = format!(
                    "from {domain}.{area}.{name} import {verb}_{noun}\n\n\ndef test_{verb}_{noun}({other}):\n    \
                     assert {verb}_{noun}({other}) is not None\n"
                );
                files.push((format!("tests/{folder}/test_{name}.py"), text));
            }
            files
        }
    }
}

/// A sentence with nouns of one domain, and sometimes a noun of another.
fn sentence(chance: &mut Chance<'_>, nouns: &[String]) -> String {
    let foreign = &chance.domain().nouns;
    let (verb, noun) = (chance.of(&VERBS), chance.of(nouns));
    let second = if chance.below(4) == 0 {
        chance.of(foreign)
    } else {
        chance.of(nouns)
    };
    match chance.below(3) {
        0 => chance.of(&REMARKS).to_owned(),
        1 => format!(
            "{}{} the {noun} of a {second}.",
            verb[..1].to_uppercase(),
            &verb[1..]
        ),
        _ => format!("Every {noun} has its own {second}. {}", chance.of(&REMARKS)),
    }
}

fn python(chance: &mut Chance<'_>, domain: &str, nouns: &[String]) -> String {
    let mut text = format!(
        "\"\"\"{}\"\"\"\n\nimport logging\n",
        sentence(chance, nouns)
    );
    let (imported, aspect) = (chance.of(nouns), chance.of(&ASPECTS));
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "from {domain}.core.{imported}_{aspect} import {aspect}_of\n"
    );
    for _ in 0..2 + chance.below(5) {
        let (verb, noun, other) = (chance.of(&VERBS), chance.of(nouns), chance.of(nouns));
        let (said, limit) = (sentence(chance, nouns), chance.below(90));
        let _ = write!(
            text,
            "\n\ndef {verb}_{noun}({other}s, limit={limit}):\n    # {said}\n    found = [{other} for {other} in \
             {other}s if {other}.{noun} > limit]\n    logging.debug(\"{verb} %d {noun}s\", len(found))\n    \
             return {aspect}_of(found)\n"
        );
    }
    text
}

fn typescript(chance: &mut Chance<'_>, nouns: &[String], name: &str) -> String {
    let (noun, aspect) = (chance.of(nouns), chance.of(&ASPECTS));
    let mut text = format!("import {{ {aspect}Of }} from './{noun}_{aspect}';\n\n// {name}\n");
    for _ in 0..2 + chance.below(3) {
        let (verb, noun, other) = (chance.of(&VERBS), chance.of(nouns), chance.of(nouns));
        let upper = format!("{}{}", noun[..1].to_uppercase(), &noun[1..]);
        let said = sentence(chance, nouns);
        let _ = write!(
            text,
            "\n/** {said} */\nexport function {verb}{upper}({other}: string[]): string[] {{\n  return \
             {other}.filter((one) => {aspect}Of(one).{noun} !== '');\n}}\n"
        );
    }
    text
}

fn go(chance: &mut Chance<'_>, domain: &str, nouns: &[String]) -> String {
    let mut text = format!("package {domain}\n\nimport \"fmt\"\n");
    for _ in 0..2 + chance.below(3) {
        let (verb, noun, said) = (chance.of(&VERBS), chance.of(nouns), sentence(chance, nouns));
        let _ = write!(
            text,
            "\n// {said}\nfunc {verb}{noun}({noun} string) error {{\n\tif {noun} == \"\" {{\n\t\treturn \
             fmt.Errorf(\"no {noun} to {verb}\")\n\t}}\n\treturn nil\n}}\n"
        );
    }
    text
}

fn rust(chance: &mut Chance<'_>, nouns: &[String]) -> String {
    let mut text = format!(
        "//! {}\n\nuse std::collections::HashMap;\n",
        sentence(chance, nouns)
    );
    for _ in 0..2 + chance.below(3) {
        let (verb, noun, said) = (chance.of(&VERBS), chance.of(nouns), sentence(chance, nouns));
        let _ = write!(
            text,
            "\n/// {said}\npub fn {verb}_{noun}({noun}s: &HashMap<String, u32>, limit: u32) -> usize {{\n    \
             {noun}s.values().filter(|{noun}| **{noun} > limit).count()\n}}\n"
        );
    }
    text
}

fn page(chance: &mut Chance<'_>, domain: &str, nouns: &[String]) -> String {
    let mut text = format!("# {domain}: {}\n", chance.of(nouns));
    for _ in 0..3 + chance.below(8) {
        let _ = write!(text, "\n{}\n", sentence(chance, nouns));
    }
    text
}
