import Conversations
import LocalAPIModel

/// Text that somebody else wrote, for a page: harmless as on a terminal, and nothing in it is markup.
enum HTMLText {
    /// One line, also in an attribute between double quotes.
    static func line(_ text: String) -> String { HTMLEscaping.escape(SanitizedText.line(text)) }

    /// Several lines, with the addresses of web pages as links.
    static func block(_ text: String) -> String {
        let clean = SanitizedText.clean(text, lineBreak: "\n")
        var html = ""
        var rest = clean[...]
        for link in WebLinks.find(in: text) {
            guard let place = rest.firstRange(of: link) else { continue }
            html += HTMLEscaping.escape(rest[..<place.lowerBound])
            let address = HTMLEscaping.escape(link)
            html += "<a rel=\"noreferrer noopener\" href=\"\(address)\">\(address)</a>"
            rest = rest[place.upperBound...]
        }
        return html + HTMLEscaping.escape(rest)
    }

    /// The address of a file from the page: every byte that could mean something is encoded.
    static func address(ofFile path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false).map { PercentEncoding.encode(String($0)) }
            .joined(separator: "/")
    }
}
