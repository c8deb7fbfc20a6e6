import OperationLog
import ReplicatedTypes
import Time

/// The canonical encoding, in which preferences are stored on disk and could travel between a user's devices.
extension ConversationPreferences {
    /// The longest encoding, in bytes.
    public static let maximumBytes =
        1 + 7 * (1 + maximumStampBytes) + 1 + 1 + 1 + 10 + (3 + maximumDraftBytes) + 1 + 1 + 32
        + tagMemory * (3 + Tag.maximumBytes + maximumStampBytes + 1)
    private static let maximumStampBytes = 10 + 32
    /// What an encoding has besides what all have. Of a state the first that has everything said counts.
    private enum Version: UInt8 {
        /// Nothing: the only one of the first versions of Moot.
        case plain = 1
        /// What was said about receipts.
        case receipts = 2
        /// What may have been said about them, and what was about being added to groups.
        case consent = 3
    }

    private var version: Version {
        if asking.stamp != nil || consent.stamp != nil { return .consent }
        return sharing.stamp == nil ? .plain : .receipts
    }

    /// The canonical bytes. Of a state there is one encoding.
    public var encoded: [UInt8] {
        var writer = CanonicalWriter()
        let version = version
        writer.write(byte: version.rawValue)
        Self.write(pinning, to: &writer) { $1.write($0) }
        Self.write(archiving, to: &writer) { $1.write(byte: $0.code) }
        Self.write(muting, to: &writer) { $1.write($0) }
        Self.write(drafting, to: &writer) { $1.write(text: $0) }
        switch version {
        case .plain: break
        case .receipts: Self.write(sharing, to: &writer) { $1.write($0) }
        case .consent:
            Self.write(sharing, to: &writer) { $1.write($0) }
            Self.write(asking, to: &writer) { $1.write($0) }
            Self.write(consent, to: &writer) { $1.write($0) }
        }
        writer.write(count: tagging.count)
        for (tag, register) in tagging.sorted(by: { $0.key < $1.key }) {
            writer.write(text: tag.text)
            Self.write(register, to: &writer) { $1.write($0) }
        }
        return writer.bytes
    }

    /// Reads what ``encoded`` writes and nothing else.
    public init(decoding bytes: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(bytes)
        guard let version = Version(rawValue: try reader.byte()) else { throw .invalid(field: "version") }
        pinning = try Self.register(from: &reader) { reader throws(MalformedBytes) in try reader.flag(of: "pinned") }
        archiving = try Self.register(from: &reader) { reader throws(MalformedBytes) in try reader.archiving() }
        muting = try Self.register(from: &reader) { reader throws(MalformedBytes) in try reader.muting() }
        drafting = try Self.register(from: &reader) { reader throws(MalformedBytes) in
            try reader.text(of: "draft", limit: Self.maximumDraftBytes)
        }
        if version != .plain {
            sharing = try Self.register(from: &reader) { reader throws(MalformedBytes) in
                try reader.flag(of: "receipts")
            }
        }
        if version == .consent {
            asking = try Self.register(from: &reader) { reader throws(MalformedBytes) in try reader.flag(of: "asks") }
            consent = try Self.register(from: &reader) { reader throws(MalformedBytes) in try reader.identifier() }
        }
        guard self.version == version else { throw .invalid(field: "version") }
        var last: Tag?
        for _ in 0..<(try reader.count(of: "tags", limit: Self.tagMemory)) {
            guard let tag = Tag(try reader.text(of: "tag", limit: Tag.maximumBytes)) else {
                throw .invalid(field: "tag")
            }
            if let last, last >= tag { throw .unsorted(field: "tags") }
            last = tag
            let register = try Self.register(from: &reader) { reader throws(MalformedBytes) in
                try reader.flag(of: "tag")
            }
            guard register.stamp != nil else { throw .invalid(field: "tag") }
            tagging[tag] = register
        }
        try reader.finish()
    }

    /// A zero for what was never written, else a one, when and by whom it was, and what.
    private static func write<Value>(
        _ register: Register<Value>, to writer: inout CanonicalWriter,
        value: (Value, inout CanonicalWriter) -> Void
    ) {
        guard let written = register.value, let stamp = register.stamp else { return writer.write(byte: 0) }
        writer.write(byte: 1)
        writer.write(number: stamp.time)
        writer.write(stamp.device)
        value(written, &writer)
    }

    private static func register<Value>(
        from reader: inout CanonicalReader, value: (inout CanonicalReader) throws(MalformedBytes) -> Value
    ) throws(MalformedBytes) -> Register<Value> {
        var register = Register<Value>()
        guard try reader.flag(of: "register") else { return register }
        guard let stamp = PrivateStamp(time: try reader.number(), device: try reader.identifier()) else {
            throw .invalid(field: "stamp")
        }
        register.write(try value(&reader), at: stamp)
        return register
    }
}

extension ConversationPreferencesUpdate.Archiving {
    fileprivate var code: UInt8 {
        switch self {
        case .byItself: 0
        case .archived: 1
        case .kept: 2
        }
    }
}

extension CanonicalWriter {
    fileprivate mutating func write(_ flag: Bool) { write(byte: flag ? 1 : 0) }

    fileprivate mutating func write(_ muting: ConversationPreferencesUpdate.Muting) {
        switch muting {
        case .off:
            write(byte: 0)
        case .on(let mute):
            write(byte: mute.allowsMentions ? 2 : 1)
            // No mute ends in 1970.
            write(number: mute.end.map { UInt64($0.milliseconds) } ?? 0)
        }
    }
}

extension CanonicalReader {
    fileprivate mutating func flag(of field: String) throws(MalformedBytes) -> Bool {
        switch try byte() {
        case 0: return false
        case 1: return true
        default: throw .invalid(field: field)
        }
    }

    fileprivate mutating func archiving() throws(MalformedBytes) -> ConversationPreferencesUpdate.Archiving {
        switch try byte() {
        case 0: return .byItself
        case 1: return .archived
        case 2: return .kept
        default: throw .invalid(field: "archived")
        }
    }

    fileprivate mutating func muting() throws(MalformedBytes) -> ConversationPreferencesUpdate.Muting {
        let kind = try byte()
        guard kind > 0 else { return .off }
        guard kind <= 2 else { throw .invalid(field: "mute") }
        let allowsMentions = kind == 2
        let time = try number()
        guard time > 0 else { return .on(Mute(until: nil, allowsMentions: allowsMentions)) }
        guard let milliseconds = Int64(exactly: time), let end = Timestamp(milliseconds: milliseconds) else {
            throw .invalid(field: "mute")
        }
        return .on(Mute(until: end, allowsMentions: allowsMentions))
    }
}
