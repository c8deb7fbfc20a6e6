import OperationLog

/// Why a text is no code of a kind: see ``ContactCode`` and ``InviteCode``.
public enum MalformedCode: Error, Hashable, Sendable {
    /// It does not begin as one.
    case prefix(String)
    /// It is longer than any such code.
    case tooLong(limit: Int)
    /// A character is in it that none may have, or bits are left over.
    case alphabet
    /// A character is wrong or missing.
    case checksum
    /// Another version of Moot made it.
    case version(UInt8)
    /// It says something that no node would say.
    case content(MalformedBytes)

    /// The stable code shown to programs.
    public var code: String {
        switch self {
        case .prefix: "other_kind"
        case .tooLong: "too_long"
        case .alphabet: "bad_character"
        case .checksum: "bad_checksum"
        case .version: "unknown_version"
        case .content(let error): error.code
        }
    }
}

extension MalformedCode: CustomStringConvertible {
    /// A sentence for a person.
    public var description: String {
        switch self {
        case .prefix(let prefix): "A code of this kind begins with \(prefix)"
        case .tooLong(let limit): "A code of this kind has at most \(limit) characters"
        case .alphabet: "The code is cut off, or has a character that no code has"
        case .checksum: "The code has a wrong or a missing character"
        case .version(let version): "The code has version \(version), which this Moot does not know"
        case .content(let error): "The code makes no sense: \(error)"
        }
    }
}
