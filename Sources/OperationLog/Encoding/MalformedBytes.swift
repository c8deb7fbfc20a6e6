/// Why bytes are no canonical encoding of anything.
///
/// A decoder stops at the first violation; nothing is allocated for a length that has not been checked. Whoever sent
/// malformed bytes has broken the protocol: no honest author or relay produces them.
public enum MalformedBytes: Error, Hashable, Sendable {
    /// The bytes ended in the middle of a value.
    case truncated
    /// Bytes follow the end of the value.
    case trailing(count: Int)
    /// A number was not written in its shortest form, or exceeds 64 bits.
    case number
    /// A count or length exceeds the limit of its field.
    case tooLong(field: String, limit: Int)
    /// A list that must be strictly ascending is not.
    case unsorted(field: String)
    /// A value its field does not allow.
    case invalid(field: String)
    /// A signature does not verify.
    case signature(field: String)

    /// Whether no honest implementation of any version could have sent such bytes.
    ///
    /// Length is not of that kind: limits may grow, and what one member paid for in bytes others have to pass on.
    public var isOffense: Bool {
        switch self {
        case .tooLong: false
        case .truncated, .trailing, .number, .unsorted, .invalid, .signature: true
        }
    }

    /// The stable code shown to programs.
    public var code: String {
        switch self {
        case .truncated: "truncated"
        case .trailing: "trailing_bytes"
        case .number: "non_canonical_number"
        case .tooLong: "too_long"
        case .unsorted: "unsorted"
        case .invalid: "invalid_value"
        case .signature: "bad_signature"
        }
    }
}

extension MalformedBytes: CustomStringConvertible {
    /// A sentence for a log line.
    public var description: String {
        switch self {
        case .truncated: "the bytes end in the middle of a value"
        case .trailing(let count): "\(count) bytes follow the end of the value"
        case .number: "a number is not in its shortest form"
        case .tooLong(let field, let limit): "\(field) exceeds its limit of \(limit)"
        case .unsorted(let field): "\(field) is not strictly ascending"
        case .invalid(let field): "\(field) holds a value it may not"
        case .signature(let field): "the signature of \(field) does not verify"
        }
    }
}
