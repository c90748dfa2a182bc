//! The faults of small models, and how often the model of each profile makes them.
//!
//! The kinds of fault come from published sources. **The rates are assumptions**, scaled so that a
//! client without recovery reaches about the same results as such models do in multi-turn
//! benchmarks.

use sha2::{Digest, Sha256};

/// A kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// Types the call as text.
    TextCall,
    /// The arguments are not valid JSON.
    MalformedArgs,
    /// Announces an action but makes no call.
    Prose,
    /// Calls a tool that was not offered.
    WrongName,
    /// Misnames a parameter.
    WrongKey,
    /// Uses a path that does not exist.
    WrongPath,
    /// An empty reply, or reasoning only.
    Empty,
    /// Repeats the last call, up to four times.
    Loop,
    /// Claims that the step is done when it isn't.
    PrematureDone,
    /// The text to replace differs slightly from the file.
    StaleEdit,
}

impl Fault {
    /// Every kind of fault, in the order in which [`Profile::draw`] goes through them.
    pub const ALL: [Self; 10] = [
        Self::TextCall,
        Self::MalformedArgs,
        Self::Prose,
        Self::WrongName,
        Self::WrongKey,
        Self::WrongPath,
        Self::Empty,
        Self::Loop,
        Self::PrematureDone,
        Self::StaleEdit,
    ];

    /// The fault's name in profiles and reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TextCall => "text_call",
            Self::MalformedArgs => "malformed_args",
            Self::Prose => "prose",
            Self::WrongName => "wrong_name",
            Self::WrongKey => "wrong_key",
            Self::WrongPath => "wrong_path",
            Self::Empty => "empty",
            Self::Loop => "loop",
            Self::PrematureDone => "premature_done",
            Self::StaleEdit => "stale_edit",
        }
    }

    /// Whether constrained decoding of calls prevents this fault.
    #[must_use]
    pub fn is_of_form(self) -> bool {
        match self {
            Self::TextCall
            | Self::MalformedArgs
            | Self::Prose
            | Self::WrongName
            | Self::WrongKey
            | Self::Empty => true,
            Self::WrongPath | Self::Loop | Self::PrematureDone | Self::StaleEdit => false,
        }
    }

    fn place(self) -> usize {
        Self::ALL
            .iter()
            .position(|kind| *kind == self)
            .unwrap_or_default()
    }
}

/// A profile: how often a model makes each fault, per turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The name of the profile.
    pub name: String,
    rates: [f64; 10],
    /// Probability that the reply after a faulty one is correct, whatever the client answered.
    pub fix: f64,
    /// Probability that the text ending a step has the requested headings, if no tool takes the
    /// report.
    pub headings: f64,
}

const SEVEN: [f64; 10] = [
    0.06, 0.03, 0.04, 0.015, 0.025, 0.03, 0.015, 0.015, 0.03, 0.06,
];

impl Profile {
    /// The profile with this name: `clean`, `14b`, `7b`, `coder7b-ollama`, or `only_X` for a fault
    /// X.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let of = |rates: [f64; 10], fix: f64, headings: f64| Self {
            name: name.to_owned(),
            rates,
            fix,
            headings,
        };
        let profile = match name {
            "clean" => of([0.0; 10], 1.0, 1.0),
            "7b" => of(SEVEN, 0.65, 0.3),
            "14b" => of(SEVEN.map(|rate| rate / 2.0), 0.8, 0.6),
            "coder7b-ollama" => {
                let mut rates = [0.0; 10];
                rates[Fault::TextCall.place()] = 1.0;
                of(rates, 0.0, 0.3)
            }
            _ => {
                let only = name.strip_prefix("only_")?;
                let fault = Fault::ALL
                    .into_iter()
                    .find(|fault| fault.as_str() == only)?;
                let mut rates = [0.0; 10];
                rates[fault.place()] = 0.25;
                of(rates, 0.65, 1.0)
            }
        };
        Some(profile)
    }

    /// The names of all profiles.
    #[must_use]
    pub fn names() -> Vec<String> {
        let singles = Fault::ALL
            .into_iter()
            .map(|fault| format!("only_{}", fault.as_str()));
        ["clean", "14b", "7b", "coder7b-ollama"]
            .into_iter()
            .map(str::to_owned)
            .chain(singles)
            .collect()
    }

    /// Multiplies all rates by a factor, capping their sum at 0.95. A profile that never recovers
    /// stays the same.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        let all: f64 = self.rates.iter().sum();
        if self.fix > 0.0 && all > 0.0 {
            let factor = factor.min(0.95 / all);
            self.rates = self.rates.map(|rate| rate * factor);
        }
        self
    }

    /// The rate of this fault.
    #[must_use]
    pub fn rate(&self, fault: Fault) -> f64 {
        self.rates[fault.place()]
    }

    /// The fault drawn for a turn, if any. The random number depends only on seed and turn, not on
    /// the rates, so that clients and strategies are compared under the same conditions.
    #[must_use]
    pub fn draw(&self, seed: u64, turn: usize) -> Option<Fault> {
        let mut left = luck(seed, turn, "fault");
        Fault::ALL.into_iter().find(|fault| {
            left -= self.rate(*fault);
            left < 0.0
        })
    }

    /// Whether the model writes all its calls as text.
    #[must_use]
    pub fn always_types(&self) -> bool {
        self.rate(Fault::TextCall) >= 1.0
    }
}

/// A deterministic number from 0 to 1 for these inputs.
#[must_use]
pub fn luck(seed: u64, turn: usize, what: &str) -> f64 {
    let digest = Sha256::digest(format!("{seed}|{turn}|{what}").as_bytes());
    let mut bytes = [0; 4];
    bytes.copy_from_slice(&digest[..4]);
    f64::from(u32::from_be_bytes(bytes)) / (f64::from(u32::MAX) + 1.0)
}

/// A deterministic index below `count`.
#[must_use]
pub fn pick(seed: u64, turn: usize, what: &str, count: usize) -> usize {
    let digest = Sha256::digest(format!("{seed}|{turn}|{what}").as_bytes());
    let number = usize::from(digest[0]) * 256 + usize::from(digest[1]);
    number % count.max(1)
}
