import Cryptography

/// What an answer is known by to whoever has it already (RFC 9110, section 8.8.3).
struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// With its quotation marks, as `ETag` has it.
    let description: String

    /// The tag of something whose id is its content.
    ///
    /// - Parameter id: Letters and digits.
    init(id: String) {
        description = "\"\(id)\""
    }

    /// The tag of bytes: equal bytes have equal tags.
    init(of bytes: [UInt8]) {
        self.init(id: String(Digest.hash("moot/1/api-answer", bytes).hexadecimal.prefix(32)))
    }

    /// Whether a client has this already, as `If-None-Match` says.
    ///
    /// - Parameter fields: Every value of that header.
    func isAmong(_ fields: [String]) -> Bool {
        fields.flatMap { $0.split(separator: ",") }.contains { part in
            let part = part.trimmingSpaces
            // A weak tag will do: what is asked is whether the client can go on with what it has.
            return part == "*" || (part.hasPrefix("W/") ? part.dropFirst(2) : part) == description
        }
    }
}
