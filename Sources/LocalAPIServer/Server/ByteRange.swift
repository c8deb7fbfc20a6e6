/// Which bytes of a file a request asks for (RFC 9110, section 14).
enum ByteRange: Hashable, Sendable {
    /// All of them.
    case whole
    /// Those from one place to before another, at least one.
    case part(Range<Int>)
    /// None that the file has.
    case beyond

    private static let unit = "bytes="

    /// Reads the header `Range`. What is no single range of bytes asks for all of them: a server may ignore it.
    ///
    /// - Parameters:
    ///   - field: Its value; nil where it is absent.
    ///   - length: Bytes of the file.
    init(_ field: String?, ofLength length: Int) {
        guard let field, field.lowercased().hasPrefix(Self.unit) else {
            self = .whole
            return
        }
        let ends = field.dropFirst(Self.unit.count).split(separator: "-", omittingEmptySubsequences: false).map {
            $0.trimmingSpaces
        }
        // With a comma there are several ranges, and neither end of the text between two dashes is a number.
        guard ends.count == 2 else {
            self = .whole
            return
        }
        switch (Self.number(ends[0]), Self.number(ends[1])) {
        case (let first?, let last?) where first <= last:
            self = first < length ? .part(first..<min(length, last == .max ? last : last + 1)) : .beyond
        case (let first?, nil) where ends[1].isEmpty:
            self = first < length ? .part(first..<length) : .beyond
        case (nil, let count?) where ends[0].isEmpty:
            self = count > 0 && length > 0 ? .part(max(0, length - count)..<length) : .beyond
        case (.some, .some), (.some, nil), (nil, .some), (nil, nil):
            self = .whole
        }
    }

    /// A number of digits only; one that is too large to count stands for the largest.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
        return Int(text) ?? .max
    }
}

extension Substring {
    /// The text without spaces and tabs around it.
    var trimmingSpaces: Substring {
        let rest = drop { $0 == " " || $0 == "\t" }
        guard let last = rest.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return rest[...last]
    }
}
