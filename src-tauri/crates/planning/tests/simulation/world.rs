//! The simulated world: which requests occur, how well each plugin handles them, and when that
//! changes. **All of it is assumed**; nothing was measured on a real model.
//!
//! - Four kinds of request and two models give eight groups; three out of four requests go to
//!   `large`. Rules always handle a rename, never a fix, and sometimes a feature; a migration is
//!   hard for everything until the thorough solver improves.
//! - A solver's plan is *good* with a probability equal to its quality. A plan that is not good
//!   either fails the checks (weak), passes them and is rejected by the user (*fooled*), or is no
//!   plan at all.
//! - A KB plugin either finds the context that a request needs or doesn't; a more expensive plugin
//!   finds everything that a cheaper one does. A plugin notices six out of ten of its misses. A
//!   plan written without the needed context is good half as often. A misread goal reduces the
//!   quality by a quarter.
//! - Over time: the one-request solver gets better at fixes and, for `small`, worse at features
//!   (drift); from request 500 on, the thorough solver is good at migrations; and there are three
//!   outages ([`OUTAGES`]).
//! - Every random draw is a function of the seed, the request, the plugin and the purpose, so that
//!   all policies have the same luck.

use std::ops::Range;

/// Number of requests per run.
pub(crate) const REQUESTS: u32 = 1_000;

/// One kind of request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestKind {
    /// A typical goal of this kind.
    pub(crate) goal: &'static str,
    /// Its share of all requests.
    share: f64,
    /// How often `kb-fast`, `kb-balanced` and `kb-thinkingdb` find the needed context.
    finds: [f64; 3],
    /// How often rules parse its goal correctly.
    is_read: f64,
}

/// The kinds of request that occur.
pub(crate) const KINDS: [RequestKind; 4] = [
    RequestKind {
        goal: "Rename total to sum_rows",
        share: 0.25,
        finds: [0.95, 0.97, 0.98],
        is_read: 1.0,
    },
    RequestKind {
        goal: "Add CSV export to reports page",
        share: 0.30,
        finds: [0.60, 0.85, 0.92],
        is_read: 0.97,
    },
    RequestKind {
        goal: "Fix the crash when the report is empty",
        share: 0.25,
        finds: [0.40, 0.75, 0.88],
        is_read: 0.97,
    },
    RequestKind {
        goal: "Migrate the store from JSON to SQLite",
        share: 0.20,
        finds: [0.30, 0.60, 0.85],
        is_read: 0.90,
    },
];

/// The models, most used first.
pub(crate) const MODELS: [&str; 2] = ["large", "small"];
const LARGE: f64 = 0.75;

/// The solvers, cheapest first.
pub(crate) const SOLVERS: [&str; 3] = ["gs-symbolic", "gs-llm-fast", "gs-llm-deep"];
/// The KB plugins, cheapest first.
pub(crate) const KBS: [&str; 3] = ["kb-fast", "kb-balanced", "kb-thinkingdb"];

/// A temporary failure.
#[derive(Debug, Clone)]
pub(crate) struct Outage {
    /// The name for display.
    pub(crate) name: &'static str,
    /// The requests during which it lasts.
    pub(crate) when: Range<u32>,
    what: Out,
}

impl Outage {
    /// Whether it affects requests for this model whose first choice is this solver.
    pub(crate) fn is_of(&self, model: usize, solver: &str) -> bool {
        match self.what {
            Out::Solver(out) => out == solver,
            Out::Model(out) => MODELS[model] == out && asks(solver),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Out {
    Solver(&'static str),
    Model(&'static str),
}

/// The outages, in the order of the requests.
pub(crate) const OUTAGES: [Outage; 3] = [
    Outage {
        name: "gs-llm-fast gives nothing",
        when: 250..330,
        what: Out::Solver("gs-llm-fast"),
    },
    Outage {
        name: "gs-symbolic is weak",
        when: 480..560,
        what: Out::Solver("gs-symbolic"),
    },
    Outage {
        name: "large cannot be asked",
        when: 720..810,
        what: Out::Model("large"),
    },
];

/// The requests at which something changes suddenly; between two of them there is only drift.
pub(crate) const EDGES: [u32; 12] = [0, 125, 250, 330, 420, 480, 500, 560, 640, 720, 810, 905];

/// One request: its kind and model, and the seed for its random draws.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drawn {
    /// Its number in the run, from 0.
    pub(crate) at: u32,
    /// The index of its kind in [`KINDS`].
    pub(crate) kind: usize,
    /// The index of its model in [`MODELS`].
    pub(crate) model: usize,
    luck: u64,
}

/// The result of a plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gave {
    /// A result that is correct.
    Right,
    /// A wrong result that looks correct.
    Wrong,
    /// A result recognized as insufficient.
    Little,
    /// No result.
    Nothing,
    /// The model was unavailable.
    Unavailable,
}

/// The cost of one attempt.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Took {
    /// Duration in milliseconds.
    pub(crate) ms: u64,
    /// Number of model requests.
    pub(crate) calls: u32,
    /// Tokens, input and output.
    pub(crate) tokens: u64,
}

/// The quality of a solver at a given time.
#[derive(Debug, Clone, Copy)]
struct Quality {
    /// The probability of a good plan.
    good: f64,
    /// The probability that a plan that is not good passes the checks.
    fools: f64,
    /// The probability that any other failed result isn't a plan at all.
    nothing: f64,
}

impl Drawn {
    /// The request at a position in a run.
    pub(crate) fn of(seed: u64, at: u32) -> Self {
        let luck = mix(seed.wrapping_mul(0x1_0000_0001) ^ mix(u64::from(at) + 1));
        let share = unit(mix(luck ^ 1));
        let mut below = 0.0;
        let kind = KINDS.iter().position(|kind| {
            below += kind.share;
            share < below
        });
        Self {
            at,
            kind: kind.unwrap_or(KINDS.len() - 1),
            model: usize::from(unit(mix(luck ^ 2)) >= LARGE),
            luck,
        }
    }

    /// A request with a given kind and model at a given time.
    pub(crate) fn chosen(luck: u64, at: u32, kind: usize, model: usize) -> Self {
        let luck = mix(luck ^ 0x5EED);
        Self {
            at,
            kind,
            model,
            luck,
        }
    }

    /// A pseudorandom number from 0 to 1, determined by the request and the purpose.
    pub(crate) fn draw(&self, purpose: &str) -> f64 {
        let of = purpose.bytes().fold(self.luck, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        });
        unit(mix(of))
    }

    /// The result of a plugin during an outage; `None` if it works.
    fn out(&self, plugin: &str) -> Option<Gave> {
        let outage = OUTAGES
            .iter()
            .find(|outage| outage.when.contains(&self.at))?;
        match outage.what {
            Out::Solver("gs-symbolic") if plugin == "gs-symbolic" => Some(Gave::Little),
            Out::Solver(solver) if plugin == solver => Some(Gave::Nothing),
            Out::Model(model) if model == MODELS[self.model] && asks(plugin) => {
                Some(Gave::Unavailable)
            }
            Out::Solver(_) | Out::Model(_) => None,
        }
    }

    /// The result of a detector.
    pub(crate) fn detect(&self, plugin: &str) -> Gave {
        if let Some(gave) = self.out(plugin) {
            return gave;
        }
        let is_read = match plugin {
            "sd-symbolic" => KINDS[self.kind].is_read,
            _ => 0.98,
        };
        self.noticed(self.draw("reads") < is_read, plugin, 0.7)
    }

    /// The result of a KB plugin.
    pub(crate) fn gather(&self, plugin: &str) -> Gave {
        let level = KBS.iter().position(|kb| *kb == plugin).unwrap_or(0);
        let is_found = self.draw("needs") < KINDS[self.kind].finds[level];
        self.noticed(is_found, plugin, 0.6)
    }

    fn noticed(&self, is_right: bool, plugin: &str, notices: f64) -> Gave {
        match is_right {
            true => Gave::Right,
            false if self.draw(plugin) < notices => Gave::Little,
            false => Gave::Wrong,
        }
    }

    /// The result of a solver for the given reading and context, at its `round`th attempt.
    pub(crate) fn solve(&self, plugin: &str, is_read: bool, is_found: bool, round: usize) -> Gave {
        if let Some(gave) = self.out(plugin) {
            return gave;
        }
        let quality = quality(plugin, self.kind, self.model, self.at);
        let ground = if is_found { 1.0 } else { 0.5 } * if is_read { 1.0 } else { 0.75 };
        if self.draw(&format!("{plugin} good {round}")) < quality.good * ground {
            Gave::Right
        } else if self.draw(&format!("{plugin} fools {round}")) < quality.fools {
            Gave::Wrong
        } else if self.draw(&format!("{plugin} nothing {round}")) < quality.nothing {
            Gave::Nothing
        } else {
            Gave::Little
        }
    }

    /// The cost of an attempt.
    pub(crate) fn took(&self, plugin: &str, gave: Gave, round: usize) -> Took {
        if gave == Gave::Unavailable {
            return Took {
                ms: 10_000,
                calls: 1,
                tokens: 0,
            };
        }
        let (ms, calls, tokens) = match plugin {
            "sd-symbolic" => (10, 0, 0),
            "sd-llm-fast" => (3_000, 1, 1_200),
            "sd-llm-deep" => (8_000, 1, 5_000),
            "kb-fast" => (60, 0, 0),
            "kb-balanced" => (250, 0, 0),
            "kb-thinkingdb" => (600, 0, 0),
            "gs-symbolic" => (20, 0, 0),
            "gs-llm-fast" => (9_000, 1, 3_000),
            _ => (35_000, 4, 14_000),
        };
        // The small model is faster; after an unparseable answer, the request is repeated.
        let pace = if self.model == 0 || !asks(plugin) {
            1.0
        } else {
            0.6
        };
        let again = u32::from(gave == Gave::Nothing && plugin == "gs-llm-fast");
        let spread = 0.7 + 0.6 * self.draw(&format!("{plugin} time {round}"));
        Took {
            ms: (f64::from(ms * (1 + again)) * pace * spread) as u64,
            calls: calls * (1 + again),
            tokens: tokens * u64::from(1 + again),
        }
    }
}

/// Whether a plugin uses a model.
fn asks(plugin: &str) -> bool {
    plugin.contains("llm")
}

fn quality(plugin: &str, kind: usize, model: usize, at: u32) -> Quality {
    let time = f64::from(at) / f64::from(REQUESTS);
    let is_late = at >= 500;
    let of = |good, fools, nothing| Quality {
        good,
        fools,
        nothing,
    };
    if plugin == "gs-symbolic" {
        return match kind {
            0 => of(0.97, 0.3, 0.0),
            1 => of(0.30, 0.4, 0.2),
            2 => of(0.03, 0.5, 0.2),
            _ => of(0.08, 0.2, 0.4),
        };
    }
    let is_deep = plugin == "gs-llm-deep";
    let large = match (is_deep, kind) {
        (false, 0) => 0.93,
        (true, 0) => 0.95,
        (false, 1) => 0.78,
        (true, 1) => 0.88,
        (false, 2) => 0.45 + 0.30 * time,
        (true, 2) => 0.82,
        (false, _) => 0.35,
        (true, _) => {
            if is_late {
                0.85
            } else {
                0.30
            }
        }
    };
    let small = match (is_deep, kind) {
        (false, 1) => 0.75 - 0.35 * time,
        _ => large * 0.75,
    };
    let good = if model == 0 { large } else { small };
    let fools = if is_deep { 0.35 } else { 0.45 };
    of(good, fools, if model == 0 { 0.3 } else { 0.5 })
}

fn mix(of: u64) -> u64 {
    let mut of = of.wrapping_add(0x9E37_79B9_7F4A_7C15);
    of = (of ^ (of >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    of = (of ^ (of >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    of ^ (of >> 31)
}

fn unit(of: u64) -> f64 {
    (of >> 11) as f64 / (1_u64 << 53) as f64
}
