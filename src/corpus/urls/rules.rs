//! The rules by which two URLs count as the same; each can be switched on and off.

use std::fmt;
use std::str::FromStr;

use strum::{EnumString, IntoStaticStr, VariantArray};

use super::scheme::split_scheme;

/// One way in which two URLs may differ and still be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
pub enum Rule {
    /// `http` and `https` are one.
    Scheme,
    /// A user before the host does not count.
    User,
    /// The default port does not count.
    Port,
    /// A leading `www.` does not count.
    Www,
    /// The host is read in small letters, without a dot at its end.
    Host,
    /// What follows `#` does not count.
    Fragment,
    /// Slashes at the end do not count.
    Slash,
    /// What follows `?` does not count. Not a default rule: it often names another page.
    Query,
    /// A last part `index.html`, `index.htm`, `index.php` or `default.aspx` does not count. Not a default rule.
    Index,
    /// The path is read in small letters. Not a default rule.
    Case,
}

impl Rule {
    /// The default rules come first.
    pub const ALL: &'static [Self] = Self::VARIANTS;
    /// Number of default rules.
    const DEFAULT: usize = 7;

    pub fn name(self) -> &'static str {
        self.into()
    }

    pub fn description(self) -> &'static str {
        match self {
            Self::Scheme => "http and https are one",
            Self::User => "a user before the host is dropped",
            Self::Port => "the default port is dropped",
            Self::Www => "www. is dropped",
            Self::Host => "the host is in small letters",
            Self::Fragment => "what follows # is dropped",
            Self::Slash => "slashes at the end are dropped",
            Self::Query => "what follows ? is dropped",
            Self::Index => "index.html and the like at the end are dropped",
            Self::Case => "the path is in small letters",
        }
    }
}

/// A set of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules(u16);

impl Default for Rules {
    fn default() -> Self {
        Rule::ALL[..Rule::DEFAULT].iter().fold(Self::EXACT, |rules, rule| rules.with(*rule))
    }
}

impl Rules {
    /// No rule: only equal texts are the same.
    pub const EXACT: Self = Self(0);

    #[must_use]
    pub fn with(self, rule: Rule) -> Self {
        Self(self.0 | 1 << rule as u16)
    }

    pub fn has(self, rule: Rule) -> bool {
        self.0 & (1 << rule as u16) != 0
    }

    pub fn enabled(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.iter().copied().filter(move |rule| self.has(*rule))
    }

    /// Writes a URL in the form in which it is compared; nothing is decoded.
    pub fn write(self, url: &str, out: &mut String) {
        out.clear();
        let url = url.trim();
        if self == Self::EXACT {
            return out.push_str(url);
        }
        let url = url.trim_start_matches('<').trim_end_matches('>');
        let url = if self.has(Rule::Fragment) { url.split('#').next().unwrap_or_default() } else { url };
        let url = if self.has(Rule::Query) { url.split('?').next().unwrap_or_default() } else { url };
        let (scheme, rest) = split_scheme(url);
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let web = scheme.is_empty() || scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
        let dropped = scheme.is_empty() || (web && self.has(Rule::Scheme));
        if !dropped {
            out.extend(scheme.chars().map(|c| c.to_ascii_lowercase()));
            out.push_str("://");
        }
        self.host(scheme, authority, out);
        self.path(path, out);
    }

    fn host(self, scheme: &str, authority: &str, out: &mut String) {
        let host = if self.has(Rule::User) { authority.rsplit('@').next().unwrap_or_default() } else { authority };
        let port = if scheme.eq_ignore_ascii_case("https") { ":443" } else { ":80" };
        let host = if self.has(Rule::Port) { host.strip_suffix(port).unwrap_or(host) } else { host };
        let host = if self.has(Rule::Host) { host.trim_end_matches('.') } else { host };
        let www = host.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."));
        let host = if self.has(Rule::Www) && www { &host[4..] } else { host };
        match self.has(Rule::Host) {
            true if host.is_ascii() => out.extend(host.chars().map(|c| c.to_ascii_lowercase())),
            true => out.push_str(&host.to_lowercase()),
            false => out.push_str(host),
        }
    }

    fn path(self, path: &str, out: &mut String) {
        let start = out.len();
        match self.has(Rule::Case) {
            true => out.push_str(&path.to_lowercase()),
            false => out.push_str(path),
        }
        if self.has(Rule::Index) {
            let last = out[start..].rfind('/').map_or(out.len(), |at| start + at + 1);
            if ["index.html", "index.htm", "index.php", "default.aspx"].contains(&&out[last..]) {
                out.truncate(last);
            }
        }
        if self.has(Rule::Slash) {
            out.truncate(out.trim_end_matches('/').len());
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.enabled().map(Rule::name).collect();
        f.write_str(if names.is_empty() { "exact".to_owned() } else { names.join(",") }.as_str())
    }
}

/// Words that are not the names of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoRules;

impl fmt::Display for NoRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Rule::ALL.iter().copied().map(Rule::name).collect();
        write!(f, "expected default, exact, or some of {} with commas between", names.join(", "))
    }
}

impl std::error::Error for NoRules {}

impl FromStr for Rules {
    type Err = NoRules;

    /// `default`, `exact`, or names with commas between; `default` may be one of them.
    fn from_str(text: &str) -> Result<Self, NoRules> {
        let mut rules = Self::EXACT;
        for word in text.split(',').map(str::trim) {
            match (word, word.parse()) {
                ("exact", _) => {}
                ("default", _) => rules = Self(rules.0 | Self::default().0),
                (_, Ok(rule)) => rules = rules.with(rule),
                _ => return Err(NoRules),
            }
        }
        Ok(rules)
    }
}
