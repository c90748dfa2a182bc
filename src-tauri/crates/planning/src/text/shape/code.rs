//! Classifies words in code by the tokens around them.

use super::brackets::{Opener, last_word, open_bracket, starts_any};
use super::{Place, Shape, is_word};
use crate::among;
use crate::text::language::Family;

impl<'a> Place<'a> {
    /// The shape of a word in code of this language family.
    pub(super) fn in_code(&self, family: Family) -> Shape {
        let before = self.before.trim_end();
        let after = self.after.trim_start();
        let previous = last_word(before);
        let statement = self.line.trim_start();
        let opener = open_bracket(self.sheet.text, self.offset);
        let opener = opener.as_ref();
        let indented = self.line.starts_with([' ', '\t']);

        let exports = ["exports.", "module.exports."].contains(&before.trim_start());
        if exports && family == Family::JavaScript && assigns(after) {
            return Shape::Definition;
        }
        if self.is_import(family, statement, opener) {
            return Shape::Import;
        }
        let qualified = (before.ends_with('.') && !before.ends_with(".."))
            || before.ends_with("::")
            || before.ends_with("->") && family == Family::C
            || before.ends_with("?.");
        if qualified && self.before.len() == before.len() {
            return Shape::Attribute;
        }
        if let Some(shape) = self.definition(family, before, after, previous, indented) {
            return shape;
        }
        if self.is_parameter(family, before, after, previous, opener) {
            return Shape::Parameter;
        }
        if let Some(shape) = self.binding(family, before, after, previous, indented, opener) {
            return shape;
        }
        if after.starts_with('(') || after.starts_with("!(") || after.starts_with("::<") {
            return Shape::Call;
        }
        if is_key(family, before, after, opener) {
            return Shape::Key;
        }
        Shape::Reference
    }

    fn is_import(&self, family: Family, statement: &str, opener: Option<&Opener<'a>>) -> bool {
        let opens = |line: &str| match family {
            Family::Python => line.starts_with("import ") || line.starts_with("from "),
            Family::JavaScript => {
                line.starts_with("import ")
                    || line.starts_with("import{")
                    || line.starts_with("export {")
                    || line.starts_with("export default ") && !line.contains('(')
                    || line.starts_with("export *")
                    || line.starts_with("module.exports")
                    || (line.contains("require(") && line.contains('{'))
                    || (line.contains("await import(") && line.contains('{'))
            }
            Family::Rust => {
                let line = line
                    .trim_start_matches("pub(crate) ")
                    .trim_start_matches("pub ");
                line.starts_with("use ")
            }
            Family::C => line.starts_with("import ") || line.starts_with("using "),
            _ => false,
        };
        if opens(statement) {
            // `module.exports = total(…)` and `const { a } = require(total)` use the name.
            return family == Family::Python
                || family == Family::Rust
                || !self.after.starts_with('(');
        }
        opener.is_some_and(|opener| matches!(opener.bracket, b'(' | b'{') && opens(opener.head))
    }

    fn definition(
        &self,
        family: Family,
        before: &str,
        after: &str,
        previous: &str,
        indented: bool,
    ) -> Option<Shape> {
        let spaced = before.len() < self.before.len();
        let keyword = match family {
            Family::Python => matches!(previous, "def" | "class"),
            Family::JavaScript => {
                among(previous, "function class interface type enum namespace")
                    || before.ends_with("function*")
            }
            Family::Rust => {
                among(previous, "fn struct enum trait type mod union const static")
                    || before.ends_with("macro_rules!")
            }
            Family::Go => matches!(previous, "func" | "type"),
            Family::C => {
                among(
                    previous,
                    "class struct enum interface union fun func function record trait object",
                ) || before.ends_with("#define")
            }
            Family::Script => among(previous, "def class module function sub"),
            Family::Data | Family::Document => false,
        };
        if keyword && spaced {
            let is_function = matches!(previous, "def" | "fn" | "fun" | "func");
            let member = is_function && indented && {
                let arguments = after
                    .trim_start_matches(|c| c != '(')
                    .trim_start_matches('(');
                let first = arguments
                    .trim_start_matches(['&', ' '])
                    .trim_start_matches("mut ");
                let first = &first[..first.find(|c| !is_word(c)).unwrap_or(first.len())];
                match family {
                    Family::Python => matches!(first, "self" | "cls"),
                    Family::Rust => first == "self",
                    Family::Script | Family::C => true,
                    _ => false,
                }
            };
            return Some(if member {
                Shape::Member
            } else {
                Shape::Definition
            });
        }
        if !after.starts_with('(') {
            return None;
        }
        let statement = self.line.trim_start();
        match family {
            Family::Go if statement.starts_with("func (") && before.ends_with(')') => {
                Some(Shape::Member)
            }
            Family::JavaScript => {
                let opens = indented
                    && matches!(
                        before.trim(),
                        "" | "async"
                            | "static"
                            | "static async"
                            | "get"
                            | "set"
                            | "public"
                            | "private"
                            | "protected"
                            | "*"
                            | "public async"
                            | "private async"
                    )
                    && self.line.trim_end().ends_with('{');
                opens.then_some(Shape::Member)
            }
            Family::C => {
                let typed = spaced
                    && !previous.is_empty()
                    && before.ends_with(|c: char| is_word(c) || matches!(c, '*' | '&' | '>' | ']'))
                    && !among(
                        previous,
                        "return new throw else case in await yield goto delete not and or echo print",
                    );
                let member = indented;
                typed.then_some(if member {
                    Shape::Member
                } else {
                    Shape::Definition
                })
            }
            Family::Script => {
                let shell = before.is_empty() && after.starts_with("()");
                shell.then_some(Shape::Definition)
            }
            _ => None,
        }
    }

    fn is_parameter(
        &self,
        family: Family,
        before: &str,
        after: &str,
        previous: &str,
        opener: Option<&Opener<'a>>,
    ) -> bool {
        if family == Family::Python {
            if previous == "lambda" {
                return true;
            }
            if let Some(at) = before.rfind("lambda ")
                && !before[at..].contains([':', '='])
            {
                return true;
            }
        }
        if family == Family::JavaScript && after.starts_with("=>") {
            return true;
        }
        if family == Family::Rust && before.ends_with('|') && after.starts_with(['|', ',', ':']) {
            return !before.ends_with("||");
        }
        let Some(opener) = opener.filter(|opener| opener.bracket == b'(') else {
            return false;
        };
        let declares = match family {
            Family::Python => starts_any(opener.head, &["def ", "async def "]),
            Family::Rust => opener.before.contains("fn "),
            Family::JavaScript => {
                opener.before.contains("function") || self.arrow_follows() || {
                    opener.before_is_method() && self.line.trim_end().ends_with('{')
                }
            }
            Family::Go => opener.before.contains("func"),
            Family::C => opener.before_is_method() && self.line.trim_end().ends_with('{'),
            Family::Script => starts_any(opener.head, &["def "]),
            Family::Data | Family::Document => false,
        };
        if !declares {
            return false;
        }
        match family {
            Family::C => {
                is_word(before.chars().next_back().unwrap_or(' '))
                    || before.ends_with(['*', '&', '>', ']', '$'])
            }
            Family::Python => before.ends_with(['(', ',', '*']),
            Family::Rust => {
                (before.ends_with(['(', ',']) || previous == "mut") && after.starts_with(':')
            }
            _ => before.ends_with(['(', ',', '{', '[']) || before.ends_with("..."),
        }
    }

    /// Whether an arrow follows the brackets that contain the word: `(a, total) => …`.
    fn arrow_follows(&self) -> bool {
        self.after
            .find(')')
            .is_some_and(|close| self.after[close + 1..].trim_start().starts_with("=>"))
    }

    fn binding(
        &self,
        family: Family,
        before: &str,
        after: &str,
        previous: &str,
        indented: bool,
        opener: Option<&Opener<'a>>,
    ) -> Option<Shape> {
        let declared = among(previous, "let var mut val final auto local")
            || (previous == "const" && family != Family::Rust);
        let looped = matches!(previous, "for" | "as" | "global" | "nonlocal")
            && !(previous == "as" && family == Family::Rust);
        if looped {
            return Some(Shape::Assignment);
        }
        let assigned = assigns(after);
        let in_arguments = opener.is_some_and(|opener| opener.bracket == b'(');
        if declared {
            let function = after.starts_with('=')
                && (after.contains("=>") || after.contains("function") || after.contains("|"));
            let outside = !indented && family != Family::Rust;
            return Some(match (outside, function) {
                (true, true) => Shape::Definition,
                (true, false) => Shape::Constant,
                (false, _) => Shape::Assignment,
            });
        }
        let annotated = after.starts_with(':')
            && !after.starts_with("::")
            && matches!(family, Family::Python)
            && before.is_empty();
        if annotated || (assigned && before.is_empty()) {
            if in_arguments {
                return Some(Shape::Key);
            }
            let lambda = family == Family::Python && after.contains("= lambda");
            return Some(match (indented, lambda) {
                (false, true) => Shape::Definition,
                (false, false) => Shape::Constant,
                (true, _) => Shape::Assignment,
            });
        }
        if assigned && in_arguments && before.ends_with(['(', ',']) {
            return Some(Shape::Key);
        }
        let typed = matches!(family, Family::C | Family::Go)
            && is_word(before.chars().next_back().unwrap_or(' '))
            && !among(previous, "return case throw in range else new")
            && (assigned || after.starts_with(';'));
        if typed {
            return Some(if indented {
                Shape::Assignment
            } else {
                Shape::Constant
            });
        }
        if assigned && !before.ends_with(['=', '!', '<', '>']) {
            return Some(Shape::Assignment);
        }
        // The name is in a list of targets: `total, count = …`, `for key, total in …`, `let (a,
        // total)`.
        let head = before.trim_start();
        let targets = before
            .chars()
            .all(|c| is_word(c) || matches!(c, ' ' | '\t' | ',' | '(' | '*'));
        let rest =
            after.trim_start_matches(|c: char| is_word(c) || matches!(c, ' ' | ',' | ')' | '*'));
        let many = after.starts_with([',', ')']) || head.ends_with([',', '(']);
        if many && targets && opener.is_none_or(|opener| opener.line_start >= self.line_start) {
            let unpacks = assigns(rest) && !head.contains("return");
            let iterates = starts_any(head, &["for ", "for("])
                && (rest.starts_with("in ") || after.contains(" in ") || after.contains(" of "));
            let matches = starts_any(head, &["let ", "let("]);
            if unpacks || iterates || matches {
                return Some(Shape::Assignment);
            }
        }
        None
    }
}

/// Whether the text continues with a plain or compound assignment.
fn assigns(after: &str) -> bool {
    let plain = after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>");
    plain
        || [
            ":=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", "//=", "**=", "<<=", ">>=", "++",
            "--", "??=", "||=",
        ]
        .iter()
        .any(|sign| after.starts_with(sign))
}

/// Whether the word is a key, as in `total: 3` in a literal or a field declaration.
fn is_key(family: Family, before: &str, after: &str, opener: Option<&Opener<'_>>) -> bool {
    if !after.starts_with(':') || after.starts_with("::") || family == Family::Python {
        return false;
    }
    let first = before.is_empty() || before.ends_with([',', '{', '(']) || before.ends_with("pub");
    first && opener.is_some_and(|opener| matches!(opener.bracket, b'{' | b'('))
}
