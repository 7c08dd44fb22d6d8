//! The page: modules, styles and drawings, all inside the program.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};

static PAGE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/page");

/// A file of the page.
pub(crate) fn file(name: &str) -> Response {
    match PAGE.get_file(name) {
        Some(file) => ([(header::CONTENT_TYPE, kind(name))], file.contents()).into_response(),
        None => (StatusCode::NOT_FOUND, "There is nothing here.").into_response(),
    }
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small() {
        let bytes: usize = PAGE.files().map(|file| file.contents().len()).sum();
        assert!(bytes < 300_000, "the page has {bytes} bytes");
        assert!(PAGE.get_file("index.html").is_some());
    }

    #[test]
    fn nothing_is_loaded_from_elsewhere() {
        for file in PAGE.files() {
            let text = file.contents_utf8().unwrap_or_default();
            let allowed = text.replace("http://www.w3.org/", "");
            assert!(
                !allowed.contains("http://") && !allowed.contains("https://"),
                "{}",
                file.path().display()
            );
        }
    }
}
