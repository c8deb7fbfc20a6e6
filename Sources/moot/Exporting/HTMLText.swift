import Conversations

/// Text that somebody else wrote, for a page: harmless as on a terminal, and nothing in it is markup.
enum HTMLText {
    /// One line, also in an attribute between double quotes.
    static func line(_ text: String) -> String { escaped(SanitizedText.line(text)) }

    /// Several lines, with the addresses of web pages as links.
    static func block(_ text: String) -> String {
        let clean = SanitizedText.clean(text, lineBreak: "\n")
        var html = ""
        var rest = clean[...]
        for link in WebLinks.find(in: text) {
            guard let place = rest.firstRange(of: link) else { continue }
            html += escaped(rest[..<place.lowerBound])
            let address = escaped(link)
            html += "<a rel=\"noreferrer noopener\" href=\"\(address)\">\(address)</a>"
            rest = rest[place.upperBound...]
        }
        return html + escaped(rest)
    }

    /// The address of a file from the page: every byte that could mean something is encoded.
    static func address(ofFile path: String) -> String {
        var address = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "/"):
                address.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                address += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return address
    }

    /// The text without anything that is markup between tags or double quotes.
    static func escaped(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(where: { special.contains($0) }) else { return String(text) }
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static let special: Set<UInt8> = Set("&<>\"'".utf8)
}
