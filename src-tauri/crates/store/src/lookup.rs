//! The result of looking up an id by its prefix.

/// The matches for a prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup<T> {
    /// Nothing matches.
    None,
    /// Exactly one match.
    One(T),
    /// Several matches, in a fixed order. The caller should list them and ask for a longer prefix.
    Many(Vec<T>),
}

impl<T> Lookup<T> {
    pub(crate) fn of(mut found: Vec<T>) -> Lookup<T> {
        match (found.pop(), found.is_empty()) {
            (None, _) => Lookup::None,
            (Some(only), true) => Lookup::One(only),
            (Some(last), false) => {
                found.push(last);
                Lookup::Many(found)
            }
        }
    }
}
