//! The forms of calls and the kinds of repairs, with their names. This module contains only data.

/// The form in which a call was written. A fault shows the correct call in the same form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Form {
    /// The endpoint delivered the call separately.
    Native,
    /// A JSON object in a tag such as `<tool_call>`.
    Tagged,
    /// A JSON object after a special token such as `[TOOL_CALLS]`.
    Token,
    /// A JSON object in a code fence.
    Fenced,
    /// A JSON object alone or in prose.
    Bare,
    /// `<function=name><parameter=key>value</parameter></function>` and similar.
    Xml,
    /// `<name><key>value</key></name>`.
    TagPerTool,
    /// `name(key="value")`.
    Python,
    /// `Action:` and `Action Input:` lines.
    React,
    /// The tool's name, followed by the arguments as an object.
    NameFirst,
}

macro_rules! names {
    ($($kind:ident $name:literal $says:literal;)*) => {
        /// The kinds of repairs, each with its name and description.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "`says` describes each kind and is shown to the user")]
        pub enum RepairKind { $($kind),* }

        impl RepairKind {
            /// All kinds, in the order of the ladder.
            pub const ALL: &[Self] = &[$(Self::$kind),*];

            /// The name used in journals and events.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$kind => $name),* }
            }

            /// A one-line description for display.
            pub fn says(self) -> &'static str {
                match self { $(Self::$kind => $says),* }
            }
        }
    };
}

names! {
    CutInvented "cut_invented" "text after an invented result or an end token was dropped";
    StrayTag "stray_tag" "an unmatched closing tag was dropped";
    CloseTag "close_tag" "a closing tag was missing";
    StripFence "strip_fence" "a code fence was removed";
    StripPrefix "strip_prefix" "text before the call was removed";
    BracketPrefix "bracket_prefix" "the tool's name was in brackets before its arguments";
    PythonCall "python_call" "the call was written as a function call";
    FirstValue "first_value" "only the first of several values was taken";
    ExtraBracket "extra_bracket" "an extra closing bracket was dropped";
    WrongBracket "wrong_bracket" "an object was closed by the wrong bracket";
    OpenBrackets "open_brackets" "the opening brace was missing";
    CloseBrackets "close_brackets" "closing brackets were missing";
    DoubledBraces "doubled_braces" "braces were doubled";
    TrailingComma "trailing_comma" "an extra comma was dropped";
    MissingComma "missing_comma" "a comma was missing";
    EqualsSign "equals_sign" "an equals sign was used instead of a colon";
    UnquotedKeys "unquoted_keys" "keys were not quoted";
    BareValue "bare_value" "a string was not quoted";
    SingleQuotes "single_quotes" "strings were in single quotes";
    SmartQuotes "smart_quotes" "strings were in curly quotes";
    TripleQuotes "triple_quotes" "a string was in triple quotes";
    Backticks "backticks" "a string was in backticks";
    JoinedStrings "joined_strings" "a string was joined from parts";
    InnerQuotes "inner_quotes" "quotes inside a string were not escaped";
    OverEscaped "over_escaped" "quotes around a string were escaped";
    BadEscape "bad_escape" "a character was escaped unnecessarily";
    ControlChars "control_chars" "line breaks or tabs in a string were not escaped";
    HtmlEntities "html_entities" "quotes were written as HTML entities";
    PythonLiterals "python_literals" "Python's True, False or None was used";
    NumberForm "number_form" "a number was not in JSON format";
    Comments "comments" "comments were dropped";
    ParametersKey "parameters_key" "the arguments were under “parameters”";
    KeyAlias "key_alias" "a key was renamed";
    NameAsKey "name_as_key" "the tool's name was used as the key of its arguments";
    Envelope "envelope" "the call was unwrapped";
    FlatArguments "flat_arguments" "the arguments were not nested";
    MisplacedKey "misplaced_key" "an argument was outside the arguments object";
    DoubleEncoded "double_encoded" "the arguments were encoded twice";
    DoubleEscapedNewlines "double_escaped_newlines" "line breaks were escaped twice";
    NameSpelling "name_spelling" "the tool's name was spelled differently";
    EmptyArguments "empty_arguments" "arguments were missing, and none are required";
    SingleParam "single_param" "the value was used for the only required parameter";
    Positional "positional" "values were assigned by position";
    SchemaCoerce "schema_coerce" "a value was converted to its type";
    ExtraKey "extra_key" "an unknown key was dropped";
    DuplicateCall "duplicate_call" "the same call was written twice";
    FirstOfArray "first_of_array" "only the first of several steps was used";
    DoneFlag "done_flag" "a flag marked the goal as reached";
    ProseStep "prose_step" "the step was read from a sentence";
}

/// A repair that was made: what was repaired, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// The kind of repair.
    pub kind: RepairKind,
    /// Where: `name`, `arguments`, `arguments.path`, `call` or `reply`, followed by the original
    /// text, if there is one.
    pub place: String,
}

impl Repair {
    pub(super) fn new(kind: RepairKind, place: impl Into<String>) -> Self {
        Self {
            kind,
            place: place.into(),
        }
    }

    pub(super) fn all(kinds: &[RepairKind], place: &str) -> Vec<Self> {
        kinds.iter().map(|kind| Self::new(*kind, place)).collect()
    }
}
