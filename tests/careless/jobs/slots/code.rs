//! Steps that fix operators and names, add a parameter, or change tests.

use super::super::{Dice, Edit, Step};
use super::{python, step, swap};

/// The steps, with randomized text.
pub(super) fn steps(dice: &mut Dice) -> Vec<Step> {
    let mut out = Vec::new();
    let mut one = step("fix", "pricing.py", "Fix `net_total` in `pricing.py`: it adds the discount and has to subtract it".to_owned(),
        python("import pricing; assert pricing.net_total(10, 3) == 7"),
        swap("price + discount", "price - discount"),
        "import pricing; assert pricing.net_total(50, 8) == 42 and pricing.gross_total(50, 8) == 58".to_owned());
    one.wrong = Some(swap("price + tax", "price - tax"));
    one.stub = Some(swap(
        "    total = price + discount\n",
        "    # TODO: subtract the discount\n    total = price + discount\n",
    ));
    one.hard = Some(swap("total = price + discount", "total = 7"));
    out.push(one);
    let mut one = step("fix", "limits.py", "Fix `is_adult` in `limits.py` so that somebody of exactly 18 is an adult".to_owned(),
        python("import limits; assert limits.is_adult(18) and not limits.is_adult(17)"),
        swap("age > MINIMUM", "age >= MINIMUM"),
        "import limits; assert [limits.is_adult(n) for n in (17, 18, 40)] == [False, True, True] and not limits.is_known(0)".to_owned());
    one.wrong = Some(swap("age > 0", "age >= 0"));
    one.hard = Some(swap("age > MINIMUM", "age == MINIMUM"));
    out.push(one);
    let name = dice.one(&["counts", "numbers", "found"]);
    let mut one = step(
        "rename",
        "counters.py",
        format!("Rename the variable `cnt` to `{name}` in `counters.py`"),
        format!(
            "! grep -qw cnt counters.py && grep -qw {name} counters.py && {}",
            python("import counters; assert counters.tally('aab') == {'a': 2, 'b': 1}")
        ),
        Edit::Rename("cnt".to_owned(), name.to_owned()),
        format!(
            "import counters; assert counters.tally('xyx') == {{'x': 2, 'y': 1}} and counters.account(3) == {{'account': 3}} and '{name}' in counters.tally.__code__.co_varnames"
        ),
    );
    one.wrong = Some(swap("cnt = {}", &format!("{name} = {{}}")));
    out.push(one);
    let class = dice.one(&["Article", "Product", "Ware"]);
    let mut one = step(
        "rename",
        "models.py",
        format!("Rename the class `Thing` to `{class}` in `models.py`"),
        format!(
            "! grep -qw Thing models.py && {}",
            python(&format!(
                "import models; assert models.make('x').name == 'x' and models.{class}"
            ))
        ),
        Edit::Rename("Thing".to_owned(), class.to_owned()),
        format!(
            "import models; assert type(models.make('b')) is models.{class} and models.Things([1]) == [1]"
        ),
    );
    one.wrong = Some(swap("class Things", &format!("class {class}s")));
    one.stub = Some(swap("class Thing:", &format!("class {class}:")));
    out.push(one);
    let mark = dice.one(&["!", "?", "..."]);
    let mut one = step(
        "parameter",
        "greet.py",
        format!(
            "Give `greet` in `greet.py` a second parameter `mark` that is `{mark}` by default and stands behind the name"
        ),
        python(&format!(
            "import greet; assert greet.greet('Ada') == 'Hello, Ada{mark}' and greet.greet('Ada', '.') == 'Hello, Ada.'"
        )),
        swap(
            "def greet(name):\n    return \"Hello, \" + name",
            &format!("def greet(name, mark=\"{mark}\"):\n    return \"Hello, \" + name + mark"),
        ),
        format!(
            "import greet; assert greet.greet('Bo', '~') == 'Hello, Bo~' and greet.greet('Bo') == 'Hello, Bo{mark}' and greet.part('Bo') == 'Bye, Bo'"
        ),
    );
    one.wrong = Some(swap(
        "def part(name):\n    return \"Bye, \" + name",
        &format!("def part(name, mark=\"{mark}\"):\n    return \"Bye, \" + name + mark"),
    ));
    one.stub = Some(swap(
        "def greet(name):",
        &format!("def greet(name, mark=\"{mark}\"):"),
    ));
    out.push(one);
    let weak = swap(
        "        self.assertEqual(pricing.gross_total(100, 19), 119)\n",
        "",
    );
    let (a, b) = (dice.one(&["200", "40", "7"]), dice.one(&["1", "10", "6"]));
    let case = |body: &str| {
        Edit::Append(format!(
            "\n    def test_gross_of_small(self):\n        {body}\n"
        ))
    };
    let mut one = step(
        "test",
        "test_pricing.py",
        format!(
            "Add a test `test_gross_of_small` to `test_pricing.py` that `gross_total({a}, {b})` is their sum"
        ),
        "python3 -m unittest -q test_pricing && grep -q test_gross_of_small test_pricing.py"
            .to_owned(),
        case(&format!(
            "self.assertEqual(pricing.gross_total({a}, {b}), {a} + {b})"
        )),
        String::new(),
    );
    one.stub = Some(case("pass"));
    one.weak = Some(weak);
    out.push(one);
    let text = |body: &str| {
        Edit::Write(format!(
            "import unittest\n\nimport limits\n\n\nclass LimitsTest(unittest.TestCase):\n    def test_known(self):\n        {body}\n"
        ))
    };
    let mut one = step("test", "test_limits.py", "Write `test_limits.py` with a unittest that `is_known(5)` is true and `is_known(-1)` is false".to_owned(),
        "python3 -m unittest -q test_limits".to_owned(),
        text("self.assertTrue(limits.is_known(5))\n        self.assertFalse(limits.is_known(-1))"), String::new());
    one.stub = Some(text("pass"));
    one.weak = Some(text("self.assertTrue(limits.is_known(5))"));
    out.push(one);
    out
}
