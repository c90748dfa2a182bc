//! Values that go by one name wherever they are stored, told, set or shown.

/// Makes an enum of values without data, each with its name: the stored form and `as_str` are the same.
#[macro_export]
macro_rules! named {
    ($(#[$meta:meta])* $vis:vis enum $kind:ident {
        $($(#[$doc:meta])* $value:ident = $name:literal,)*
    }) => {
        $(#[$meta])*
        $vis enum $kind { $($(#[$doc])* #[serde(rename = $name)] $value,)* }

        impl $kind {
            /// All of them, in their order.
            $vis const ALL: [Self; [$($name),*].len()] = [$(Self::$value),*];

            /// The name.
            $vis const fn as_str(self) -> &'static str {
                match self { $(Self::$value => $name),* }
            }

            /// The one of this name.
            $vis fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|known| known.as_str() == name)
            }
        }
    };
}
