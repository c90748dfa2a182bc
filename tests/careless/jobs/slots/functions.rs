//! Steps that create modules with one function, or add functions to existing modules.

use super::super::{Dice, Edit, Step};
use super::{python, step};

/// A function: its name, parameters, description and body, and the test cases of the step's check
/// and of the outside check.
type Function = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    [(&'static str, &'static str); 2],
    &'static str,
);

const FUNCTIONS: [Function; 12] = [
    (
        "clamp",
        "value, low, high",
        "keeps the value between low and high",
        "return max(low, min(high, value))",
        [("5, 1, 3", "3"), ("0, 1, 3", "1")],
        "f(9, 2, 7) == 7 and f(-4, 2, 7) == 2 and f(4, 2, 7) == 4",
    ),
    (
        "word_count",
        "text",
        "returns the number of words",
        "return len(text.split())",
        [("'a b c'", "3"), ("''", "0")],
        "f('one two') == 2 and f('  a  ') == 1 and f('a b c d e') == 5",
    ),
    (
        "initials",
        "name",
        "returns the first letter of each word in upper case",
        "return ''.join(word[0].upper() for word in name.split())",
        [("'ada lovelace'", "'AL'"), ("'grace'", "'G'")],
        "f('alan mathison turing') == 'AMT' and f('x y') == 'XY'",
    ),
    (
        "average",
        "values",
        "returns the mean, and 0 for an empty list",
        "return sum(values) / len(values) if values else 0",
        [("[2, 4]", "3"), ("[]", "0")],
        "f([1, 2, 6]) == 3 and f([7]) == 7 and f([]) == 0",
    ),
    (
        "slugify",
        "text",
        "returns the text in lower case with dashes for blanks",
        "return '-'.join(text.lower().split())",
        [("'Hello World'", "'hello-world'"), ("'One'", "'one'")],
        "f('A B C') == 'a-b-c' and f('Some Long Title') == 'some-long-title'",
    ),
    (
        "to_fahrenheit",
        "celsius",
        "converts degrees Celsius to Fahrenheit",
        "return celsius * 9 / 5 + 32",
        [("100", "212"), ("0", "32")],
        "f(10) == 50 and f(-40) == -40",
    ),
    (
        "is_palindrome",
        "text",
        "tells whether the text reads the same backwards",
        "return text == text[::-1]",
        [("'anna'", "True"), ("'bob!'", "False")],
        "f('level') is True and f('ab') is False and f('') is True",
    ),
    (
        "unique",
        "items",
        "returns the items without repeats in their order",
        "return list(dict.fromkeys(items))",
        [("[1, 2, 1]", "[1, 2]"), ("[]", "[]")],
        "f([3, 3, 2, 3, 1]) == [3, 2, 1] and f(['b', 'a', 'b']) == ['b', 'a']",
    ),
    (
        "double_all",
        "numbers",
        "returns every number times two",
        "return [number * 2 for number in numbers]",
        [("[1, 2]", "[2, 4]"), ("[]", "[]")],
        "f([5, 0, -3]) == [10, 0, -6]",
    ),
    (
        "longest",
        "words",
        "returns the longest word",
        "return max(words, key=len)",
        [("['a', 'bcd', 'ef']", "'bcd'"), ("['x']", "'x'")],
        "f(['ab', 'c']) == 'ab' and f(['p', 'qr', 'stuv']) == 'stuv'",
    ),
    (
        "minutes",
        "seconds",
        "returns the whole minutes",
        "return seconds // 60",
        [("120", "2"), ("59", "0")],
        "f(3600) == 60 and f(61) == 1",
    ),
    (
        "count_vowels",
        "text",
        "counts the vowels a, e, i, o, u",
        "return sum(letter in 'aeiou' for letter in text.lower())",
        [("'banana'", "3"), ("'xyz'", "0")],
        "f('Educational') == 6 and f('AEIOU') == 5",
    ),
];

/// The steps, with randomized text.
pub(super) fn steps(dice: &mut Dice) -> Vec<Step> {
    let mut pool = FUNCTIONS.to_vec();
    let places: [(&'static str, &str, bool); 5] = [
        ("create", "helpers.py", true),
        ("create", "textkit.py", true),
        ("function", "pricing.py", false),
        ("function", "greet.py", false),
        ("function", "limits.py", false),
    ];
    let mut out = Vec::new();
    for (kind, file, is_new) in places {
        let (name, parameters, says, body, cases, outside) =
            pool.swap_remove(dice.below(pool.len()));
        let module = file.trim_end_matches(".py");
        let text = |body: &str| {
            let function = format!("def {name}({parameters}):\n    {body}\n");
            match is_new {
                true => Edit::Write(function),
                false => Edit::Append(format!("\n\n{function}")),
            }
        };
        let title = match is_new {
            true => format!("Create `{file}` with a function `{name}({parameters})` that {says}"),
            false => format!("Add a function `{name}({parameters})` to `{file}` that {says}"),
        };
        let first = parameters.split(',').next().unwrap_or_default();
        let asserts = cases.map(|(given, result)| format!("{module}.{name}({given}) == {result}"));
        let check = python(&format!(
            "import {module}; assert {}",
            asserts.join(" and ")
        ));
        let key = match parameters.contains(',') {
            true => "value",
            false => first,
        };
        let (given, result) = (cases[0].0.split(',').next().unwrap_or_default(), cases[0].1);
        let given = if parameters.contains(',') {
            given
        } else {
            cases[0].0
        };
        let hard = format!("return {result} if {key} == {given} else {}", cases[1].1);
        let mut step = step(
            kind,
            file,
            title,
            check,
            text(body),
            format!("from {module} import {name} as f; assert {outside}"),
        );
        step.stub = Some(text(dice.one(&[
            "pass",
            "pass  # TODO",
            "# TODO: write this\n    return None",
            "raise NotImplementedError",
        ])));
        step.hard = Some(text(&hard));
        out.push(step);
    }
    out
}
