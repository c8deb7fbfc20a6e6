import OperationLog

/// Why a text is no contact code.
public enum MalformedContactCode: Error, Hashable, Sendable {
    /// It does not begin as one.
    case prefix
    /// It is longer than any code.
    case tooLong
    /// A character stands in it that none may have, or bits are left over.
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
        case .prefix: "no_contact_code"
        case .tooLong: "too_long"
        case .alphabet: "bad_character"
        case .checksum: "bad_checksum"
        case .version: "unknown_version"
        case .content(let error): error.code
        }
    }
}

extension MalformedContactCode: CustomStringConvertible {
    /// A sentence for a person.
    public var description: String {
        switch self {
        case .prefix: "A contact code begins with \(ContactCode.prefix)"
        case .tooLong: "A contact code has at most \(ContactCode.characterLimit) characters"
        case .alphabet: "The contact code is cut off, or has a character that no code has"
        case .checksum: "The contact code has a wrong or a missing character"
        case .version(let version): "The contact code has version \(version), which this Moot does not know"
        case .content(let error): "The contact code makes no sense: \(error)"
        }
    }
}
