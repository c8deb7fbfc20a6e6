/// The addresses of web pages that a text names.
///
/// They are as they would be shown: what ``SanitizedText`` takes out of a text is in none of them.
public enum WebLinks {
    /// The most that are taken of one text.
    public static let maximumLinks = 32
    /// Bytes of the longest address; browsers take no longer ones either.
    public static let maximumBytes = 2_048

    /// The addresses in a text, each once, in their order.
    ///
    /// An address begins with `http://` or `https://` where no letter or digit precedes it, and ends at white space or
    /// whatever an address cannot have. Punctuation at its end belongs to the sentence, and so does a bracket that was
    /// opened before it.
    ///
    /// - Complexity: O(*n*): no character is looked at more than twice.
    public static func find(in text: String) -> [String] {
        let scalars = Array(SanitizedText.clean(text, lineBreak: "\n").unicodeScalars)
        var found: [String] = []
        var place = 0
        while place < scalars.count, found.count < maximumLinks {
            guard let host = beginning(of: scalars, at: place) else {
                place += 1
                continue
            }
            let rest = scalars[host...]
            let end = rest.firstIndex { !isAllowed($0) } ?? rest.endIndex
            let address = scalars[place..<trimmedEnd(of: scalars, from: host, to: end)]
            place = end
            guard address.endIndex > host, isHostBeginning(scalars[host]) else { continue }
            let link = String(String.UnicodeScalarView(address))
            if link.utf8.count <= maximumBytes, !found.contains(link) { found.append(link) }
        }
        return found
    }

    /// Where the host begins of an address that begins at a place; nil if none does.
    private static func beginning(of scalars: [Unicode.Scalar], at place: Int) -> Int? {
        if place > 0, scalars[place - 1].properties.isAlphabetic || scalars[place - 1].properties.numericType != nil {
            return nil
        }
        for scheme in schemes where scalars.count - place > scheme.count {
            let isMatch = zip(scheme, scalars[place...]).allSatisfy { $0 == $1 || $0.value == $1.value | 0x20 }
            if isMatch { return place + scheme.count }
        }
        return nil
    }

    /// The end of an address without the punctuation behind it.
    private static func trimmedEnd(of scalars: [Unicode.Scalar], from start: Int, to end: Int) -> Int {
        // How many of each kind of bracket are closed that were not opened in the address.
        var excess: [Unicode.Scalar: Int] = [:]
        for scalar in scalars[start..<end] {
            if let closing = brackets[scalar] { excess[closing, default: 0] -= 1 }
            if brackets.values.contains(scalar) { excess[scalar, default: 0] += 1 }
        }
        var end = end
        while end > start {
            let last = scalars[end - 1]
            if let count = excess[last], count > 0 {
                excess[last] = count - 1
            } else if !punctuation.contains(last) {
                break
            }
            end -= 1
        }
        return end
    }

    private static func isHostBeginning(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "[" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// Whether an address may have this: no space, nothing invisible, nothing that only surrounds addresses.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .surrogate,
            .unassigned:
            false
        default:
            !excluded.contains(scalar)
        }
    }

    private static let schemes = ["http://", "https://"].map { Array($0.unicodeScalars) }
    private static let excluded = Set("<>\"{}|\\^`“”„«»".unicodeScalars)
    private static let punctuation = Set(".,;:!?'*_~…’‘‚。、，！？；：".unicodeScalars)
    private static let brackets: [Unicode.Scalar: Unicode.Scalar] = ["(": ")", "[": "]"]
}
