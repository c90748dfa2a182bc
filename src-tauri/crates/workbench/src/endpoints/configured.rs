//! The endpoint given by flag, environment and settings.
//!
//! Pure. Messages never repeat a value, since it may be a key by mistake.

use model::Endpoint;

/// The variable for the server's address.
pub(crate) const BASE_URL: &str = "PLANWRIGHT_BASE_URL";
/// The variable for the model's name.
pub(crate) const MODEL: &str = "PLANWRIGHT_MODEL";

/// Where a part of the endpoint is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Flag,
    Environment,
    /// The user's `settings.json`.
    Settings,
}

/// A usable endpoint, and where its parts are set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConfiguredEndpoint {
    /// The endpoint. Its `key_variable` is taken from the settings only if its address is too.
    pub(crate) endpoint: Endpoint,
    pub(crate) base_url: Origin,
    pub(crate) model: Origin,
}

/// The endpoint given by flag, environment and settings; `None` if they name no model. The error
/// says which half is missing and how to set it, or what is wrong with it.
pub(crate) fn configured_endpoint(
    settings: Option<&Endpoint>,
    flag: Option<&str>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<ConfiguredEndpoint>, String> {
    let of_settings = |text: &String| (text.clone(), Origin::Settings);
    let of_environment = |text: String| (text, Origin::Environment);
    let base_url = variable(BASE_URL)
        .map(of_environment)
        .or_else(|| settings.map(|endpoint| of_settings(&endpoint.base_url)));
    let flag = flag.map(str::trim).filter(|text| !text.is_empty());
    let model = flag
        .map(|text| (text.to_owned(), Origin::Flag))
        .or_else(|| variable(MODEL).map(of_environment))
        .or_else(|| settings.map(|endpoint| of_settings(&endpoint.model)));
    let ((base_url, address_from), (model, model_from)) = match (base_url, model) {
        (None, None) => return Ok(None),
        (Some(base_url), Some(model)) => (base_url, model),
        (Some(_), None) => {
            return Err(format!(
                "{BASE_URL} is set, but no model is; set {MODEL} or use --model (`planwright models` lists \
                 the server's models)"
            ));
        }
        (None, Some((_, origin))) => {
            let what = match origin {
                Origin::Flag => "--model",
                Origin::Environment | Origin::Settings => MODEL,
            };
            return Err(format!(
                "{what} is set, but no server is; set {BASE_URL}, for example to \
                 http://localhost:11434/v1, or choose a server in Settings → Models"
            ));
        }
    };
    let bare = |address: &str| address.trim_end_matches('/').to_owned();
    let same_address = settings.filter(|one| bare(&one.base_url) == bare(&base_url));
    let endpoint = Endpoint {
        key_variable: same_address.and_then(|endpoint| endpoint.key_variable.clone()),
        base_url,
        model,
    };
    if endpoint
        .base_url
        .contains(|c: char| c == '?' || c == '#' || c.is_whitespace())
    {
        return Err(format!(
            "{BASE_URL} must be an address without spaces, “?” or “#”"
        ));
    }
    endpoint.validate().map_err(|error| match error {
        model::EndpointError::Scheme(_) => {
            format!("{BASE_URL} must start with http:// or https://")
        }
        model::EndpointError::Credentials => format!(
            "{BASE_URL} must not contain a user name or key; put the key in PLANWRIGHT_API_KEY"
        ),
        other => other.to_string(),
    })?;
    Ok(Some(ConfiguredEndpoint {
        endpoint,
        base_url: address_from,
        model: model_from,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Endpoint {
        Endpoint {
            base_url: "https://api.example.com/v1".to_owned(),
            model: "large".to_owned(),
            key_variable: Some("EXAMPLE_KEY".to_owned()),
        }
    }

    fn of(
        settings: Option<&Endpoint>,
        flag: Option<&str>,
        variables: &[(&str, &str)],
    ) -> Result<Option<ConfiguredEndpoint>, String> {
        configured_endpoint(settings, flag, |name| {
            let found = variables.iter().find(|(key, _)| *key == name)?;
            Some(found.1.to_owned())
        })
    }

    #[test]
    fn nothing_configured_is_no_error() {
        assert_eq!(of(None, None, &[]), Ok(None));
        assert_eq!(of(None, Some("  "), &[]), Ok(None));
    }

    #[test]
    fn flag_goes_over_environment_over_settings() {
        let both = [(BASE_URL, "http://localhost:1234/v1"), (MODEL, "small")];
        let table = [
            (
                None,
                &both[..0],
                "large",
                Origin::Settings,
                Origin::Settings,
            ),
            (
                None,
                &both[1..],
                "small",
                Origin::Environment,
                Origin::Settings,
            ),
            (Some("x"), &both[1..], "x", Origin::Flag, Origin::Settings),
            (Some("x"), &both[..], "x", Origin::Flag, Origin::Environment),
        ];
        for (flag, variables, model, from, address) in table {
            let named = of(Some(&settings()), flag, variables).unwrap().unwrap();
            assert_eq!(named.endpoint.model, model);
            assert_eq!((named.model, named.base_url), (from, address));
        }
    }

    #[test]
    fn the_key_of_one_address_is_not_for_another() {
        let elsewhere = [(BASE_URL, "https://evil.example.org/v1")];
        let named = of(Some(&settings()), None, &elsewhere).unwrap().unwrap();
        assert_eq!(named.endpoint.key_variable, None);
        let same = [(BASE_URL, "https://api.example.com/v1/")];
        let named = of(Some(&settings()), None, &same).unwrap().unwrap();
        assert_eq!(named.endpoint.key_variable.as_deref(), Some("EXAMPLE_KEY"));
    }

    #[test]
    fn half_an_endpoint_says_what_is_missing() {
        let no_model = of(None, None, &[(BASE_URL, "http://localhost:1/v1")]).unwrap_err();
        assert!(no_model.contains(MODEL) && no_model.contains("--model"));
        let no_address = of(None, None, &[(MODEL, "m")]).unwrap_err();
        assert!(no_address.contains(BASE_URL) && no_address.starts_with(MODEL));
        let flag = of(None, Some("m"), &[]).unwrap_err();
        assert!(flag.contains(BASE_URL) && flag.starts_with("--model"));
    }

    #[test]
    fn a_bad_value_is_named_and_not_repeated() {
        for bad in [
            "sk-live-012345",
            "https://user:sk-live-012345@host/v1",
            "https://host/v1?key=sk-live-012345",
        ] {
            let said = of(None, None, &[(BASE_URL, bad), (MODEL, "m")]).unwrap_err();
            assert!(
                said.starts_with(BASE_URL) && !said.contains("sk-live"),
                "{said}"
            );
        }
    }
}
