import OperationLog
import Time

/// The canonical encoding, in which preferences are stored on disk and travel between a user's devices.
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
        pinning.write(to: &writer)
        archiving.write(to: &writer)
        muting.write(to: &writer)
        drafting.write(to: &writer)
        if version != .plain { sharing.write(to: &writer) }
        if version == .consent {
            asking.write(to: &writer)
            consent.write(to: &writer)
        }
        writer.write(count: tagging.count)
        for (tag, register) in tagging.sorted(by: { $0.key < $1.key }) {
            writer.write(text: tag.text)
            register.write(to: &writer)
        }
        return writer.bytes
    }

    /// Reads what ``encoded`` writes and nothing else.
    public init(decoding bytes: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(bytes)
        guard let version = Version(rawValue: try reader.byte()) else { throw .invalid(field: "version") }
        pinning = try Register(from: &reader)
        archiving = try Register(from: &reader)
        muting = try Register(from: &reader)
        drafting = try Register(from: &reader)
        if version != .plain { sharing = try Register(from: &reader) }
        if version == .consent {
            asking = try Register(from: &reader)
            consent = try Register(from: &reader)
        }
        guard self.version == version else { throw .invalid(field: "version") }
        var last: Tag?
        for _ in 0..<(try reader.count(of: "tags", limit: Self.tagMemory)) {
            guard let tag = Tag(try reader.text(of: "tag", limit: Tag.maximumBytes)) else {
                throw .invalid(field: "tag")
            }
            if let last, last >= tag { throw .unsorted(field: "tags") }
            last = tag
            let register = try Register<Bool>(from: &reader)
            guard register.stamp != nil else { throw .invalid(field: "tag") }
            tagging[tag] = register
        }
        try reader.finish()
    }
}

/// A draft.
extension String: PrivateValue {
    func write(to writer: inout CanonicalWriter) { writer.write(text: self) }

    static func read(from reader: inout CanonicalReader) throws(MalformedBytes) -> String {
        try reader.text(of: "draft", limit: ConversationPreferences.maximumDraftBytes)
    }
}

extension ConversationPreferencesUpdate.Archiving: PrivateValue {
    func write(to writer: inout CanonicalWriter) {
        switch self {
        case .byItself: writer.write(byte: 0)
        case .archived: writer.write(byte: 1)
        case .kept: writer.write(byte: 2)
        }
    }

    static func read(from reader: inout CanonicalReader) throws(MalformedBytes) -> Self {
        switch try reader.byte() {
        case 0: return .byItself
        case 1: return .archived
        case 2: return .kept
        default: throw .invalid(field: "archived")
        }
    }
}

extension ConversationPreferencesUpdate.Muting: PrivateValue {
    func write(to writer: inout CanonicalWriter) {
        switch self {
        case .off:
            writer.write(byte: 0)
        case .on(let mute):
            writer.write(byte: mute.allowsMentions ? 2 : 1)
            // No mute ends in 1970.
            writer.write(number: mute.end.map { UInt64($0.milliseconds) } ?? 0)
        }
    }

    static func read(from reader: inout CanonicalReader) throws(MalformedBytes) -> Self {
        let kind = try reader.byte()
        guard kind > 0 else { return .off }
        guard kind <= 2 else { throw .invalid(field: "mute") }
        let allowsMentions = kind == 2
        let time = try reader.number()
        guard time > 0 else { return .on(Mute(until: nil, allowsMentions: allowsMentions)) }
        guard let milliseconds = Int64(exactly: time), let end = Timestamp(milliseconds: milliseconds) else {
            throw .invalid(field: "mute")
        }
        return .on(Mute(until: end, allowsMentions: allowsMentions))
    }
}
