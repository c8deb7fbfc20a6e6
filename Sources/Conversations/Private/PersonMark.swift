import OperationLog

/// Whether a user marked a person, for themselves: one last-writer-wins register.
public struct PersonMark: Hashable, Sendable {
    /// The longest encoding, in bytes.
    public static let maximumBytes = PrivateRegister<Bool>.maximumStampBytes + 1

    var register = PrivateRegister<Bool>()

    /// Nothing was said about the person.
    public init() {}

    /// Whether they are marked.
    public var isSet: Bool { register.value ?? false }

    /// Which device said so last, or took it back; nil where nothing was said.
    public var device: DeviceID? { register.stamp?.device }

    /// What both are together.
    public func merging(_ other: PersonMark) -> PersonMark {
        var merged = self
        merged.register.merge(other.register)
        return merged
    }

    /// The same with other stamps; nothing is said where that is nil.
    public func restamping(_ change: (PrivateStamp) -> PrivateStamp?) -> PersonMark {
        var changed = PersonMark()
        changed.register = register.restamping(change)
        return changed
    }

    /// The canonical bytes. Of a mark there is one encoding.
    public var encoded: [UInt8] {
        var writer = CanonicalWriter()
        register.write(to: &writer)
        return writer.bytes
    }

    /// Reads what ``encoded`` writes and nothing else.
    public init(decoding bytes: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(bytes)
        register = try PrivateRegister(from: &reader)
        try reader.finish()
    }
}
