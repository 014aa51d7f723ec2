//! Joins the style sheets that a page names into one, in their order.

/// A page, and the one style sheet it asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Styled {
    /// The page.
    pub page: String,
    /// The style sheet.
    pub style: String,
}

const LINK: &str = "<link rel=\"stylesheet\" href=\"";

/// Replaces the style sheets of a page, given by their names and texts, with one of this name. One that is for paper only
/// stays so. Nothing if the page names a file that is not there.
pub fn join_styles(page: &str, name: &str, sources: &[(&str, &str)]) -> Option<Styled> {
    let mut styled = Styled { page: String::with_capacity(page.len()), style: String::new() };
    for line in page.lines() {
        let Some(link) = line.trim().strip_prefix(LINK) else {
            styled.page.push_str(line);
            styled.page.push('\n');
            continue;
        };
        if styled.style.is_empty() {
            styled.page.push_str(&format!("  {LINK}{name}\">\n"));
        }
        let (file, rest) = link.split_once('"')?;
        let (_, text) = sources.iter().find(|(source, _)| *source == file)?;
        let text = shortened(text);
        match rest.trim().strip_prefix("media=\"").and_then(|media| media.split_once('"')) {
            Some((media, _)) => styled.style.push_str(&format!("@media {media} {{\n{text}}}\n")),
            None => styled.style.push_str(&text),
        }
    }
    Some(styled)
}

/// Without comments, indentation and empty lines. No text of ours holds the signs of a comment.
fn shortened(style: &str) -> String {
    let mut pieces = style.split("/*");
    let mut kept = pieces.next().unwrap_or("").to_string();
    for piece in pieces {
        kept.push_str(piece.split_once("*/").map_or("", |(_, after)| after));
    }
    kept.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .flat_map(|line| [line, "\n"])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sheets_of_a_page_become_one_in_their_order() {
        let page = "<head>\n  <link rel=\"stylesheet\" href=\"b.css\">\n  <link rel=\"icon\" href=\"i.svg\">\n  \
                    <link rel=\"stylesheet\" href=\"a.css\">\n  <link rel=\"stylesheet\" href=\"p.css\" media=\"print\">\n</head>\n";
        let sources = [
            ("a.css", "a { top: 0 }\n"),
            ("b.css", "/* First,\n   b. */\n\n  b { left: 0 } /* b */\n"),
            ("p.css", "p { color: #000 }\n"),
        ];
        let styled = join_styles(page, "page.css", &sources).expect("every sheet is there");
        assert_eq!(
            styled.page,
            "<head>\n  <link rel=\"stylesheet\" href=\"page.css\">\n  <link rel=\"icon\" href=\"i.svg\">\n</head>\n"
        );
        assert_eq!(
            styled.style,
            "b { left: 0 }\na { top: 0 }\n@media print {\np { color: #000 }\n}\n"
        );
        assert_eq!(join_styles(page, "page.css", &sources[..1]), None);
    }
}
