//! Who may speak with the server. Another site's page must not drive it, by a name that leads here (DNS
//! rebinding) or by a WebSocket: `Host` and `Origin` are checked. Beyond this machine a token is required.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderValue, header};

/// The cookie in which a browser keeps the token.
const COOKIE: &str = "multigame_token";

/// What requests are judged by.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// The port on which we listen.
    pub(crate) port: u16,
    /// Required beyond this machine.
    pub(crate) token: Option<String>,
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// The `Host` is not ours.
    Host,
    /// The page is not ours.
    Origin,
    /// There is no token, or a wrong one.
    Token,
}

impl Refused {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Refused::Host => "This server answers only to the address that it was started with.",
            Refused::Origin => "Pages of others may not use this server.",
            Refused::Token => "Open the address with the token that the server printed when it was started.",
        }
    }
}

impl Guard {
    /// Judges a request by its headers.
    pub(crate) fn judge(&self, headers: &HeaderMap, token_in_query: Option<&str>) -> Result<(), Refused> {
        let host = text(headers, header::HOST).ok_or(Refused::Host)?;
        if !self.is_ours(host) {
            return Err(Refused::Host);
        }
        if let Some(origin) = text(headers, header::ORIGIN) {
            let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            if authority != Some(host) {
                return Err(Refused::Origin);
            }
        } else if headers.contains_key(header::ORIGIN) || headers.contains_key(header::UPGRADE) {
            // Browsers always say which page opens a WebSocket.
            return Err(Refused::Origin);
        }
        match &self.token {
            Some(token) if !self.has_token(headers, token_in_query, token) => Err(Refused::Token),
            _ => Ok(()),
        }
    }

    /// Names of this machine with our port. With a token any address will do: the owner of a token was told of this
    /// server.
    fn is_ours(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        let local = bare == "localhost" || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        match &self.token {
            Some(_) => true,
            None => local && port == Some(self.port),
        }
    }

    fn has_token(&self, headers: &HeaderMap, in_query: Option<&str>, token: &str) -> bool {
        let cookies = text(headers, header::COOKIE).unwrap_or("");
        let in_cookie = cookies.split(';').filter_map(|cookie| cookie.trim().split_once('='));
        let in_cookie = in_cookie.filter(|(name, _)| *name == COOKIE).map(|(_, value)| value);
        in_cookie.chain(in_query).any(|given| same(given, token))
    }

    /// The cookie that keeps a token for the next request.
    pub(crate) fn cookie(&self) -> Option<HeaderValue> {
        let token = self.token.as_ref()?;
        HeaderValue::from_str(&format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict")).ok()
    }
}

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// Compares without telling by the time it takes where the difference is.
fn same(given: &str, token: &str) -> bool {
    given.len() == token.len() && given.bytes().zip(token.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

/// Headers of every answer: nothing from elsewhere is loaded, the page is not framed, nothing is guessed.
pub(crate) fn protect(headers: &mut HeaderMap) {
    let all = [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    for (name, value) in all {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_str(value).unwrap()))
            .collect()
    }

    #[test]
    fn only_pages_from_here_are_served() {
        let guard = Guard { port: 7007, token: None };
        let judge = |pairs: &[(&'static str, &str)]| guard.judge(&headers(pairs), None);
        assert_eq!(judge(&[("host", "localhost:7007")]), Ok(()));
        assert_eq!(judge(&[("host", "127.0.0.1:7007"), ("origin", "http://127.0.0.1:7007")]), Ok(()));
        assert_eq!(judge(&[("host", "[::1]:7007")]), Ok(()));
        assert_eq!(judge(&[]), Err(Refused::Host));
        assert_eq!(judge(&[("host", "evil.example:7007")]), Err(Refused::Host));
        assert_eq!(judge(&[("host", "localhost:7008")]), Err(Refused::Host));
        assert_eq!(judge(&[("host", "127.0.0.1.evil.example:7007")]), Err(Refused::Host));
        let foreign = [("host", "localhost:7007"), ("origin", "http://evil.example")];
        assert_eq!(judge(&foreign), Err(Refused::Origin));
        assert_eq!(judge(&[("host", "localhost:7007"), ("origin", "null")]), Err(Refused::Origin));
        assert_eq!(judge(&[("host", "localhost:7007"), ("upgrade", "websocket")]), Err(Refused::Origin));
    }

    #[test]
    fn beyond_this_machine_a_token_is_needed() {
        let guard = Guard { port: 7007, token: Some("secret".into()) };
        let host = ("host", "192.168.1.5:7007");
        assert_eq!(guard.judge(&headers(&[host]), None), Err(Refused::Token));
        assert_eq!(guard.judge(&headers(&[host]), Some("wrong!")), Err(Refused::Token));
        assert_eq!(guard.judge(&headers(&[host]), Some("secret")), Ok(()));
        let cookie = ("cookie", "a=b; multigame_token=secret");
        assert_eq!(guard.judge(&headers(&[host, cookie]), None), Ok(()));
        let foreign = ("origin", "http://evil.example");
        assert_eq!(guard.judge(&headers(&[host, cookie, foreign]), None), Err(Refused::Origin));
    }
}
