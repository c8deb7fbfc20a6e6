import Cryptography
import OperationLog

/// What a piece of a user's private state is about.
public struct PrivateSubject: Hashable, Comparable, Sendable {
    /// Bytes of an encoding.
    static let byteCount = 1 + Digest.byteCount

    /// Which of the things that are kept about a conversation or a person; a later version may know more of them.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// What the user keeps for themselves about a conversation.
        public static let conversation = Kind(rawValue: 0)
        /// That the user does not want to hear a person.
        public static let block = Kind(rawValue: 1)
        /// That the user compared codes with a person.
        public static let verification = Kind(rawValue: 2)

        /// The byte that stands for it.
        public let rawValue: UInt8

        /// Names a kind.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
    }

    /// What it is.
    public let kind: Kind
    /// The conversation or the person.
    public let id: Digest

    /// Which of the buckets of a ``PrivateSummary`` it is in.
    public var bucket: Int { id.withUnsafeBytes { Int($0[0]) } }

    /// Names a piece.
    public init(_ kind: Kind, of id: some DigestIdentifier) {
        self.init(kind: kind, id: id.digest)
    }

    private init(kind: Kind, id: Digest) {
        self.kind = kind
        self.id = id
    }

    init(from reader: inout CanonicalReader) throws(MalformedBytes) {
        self.init(kind: Kind(rawValue: try reader.byte()), id: try reader.digest())
    }

    func write(to writer: inout CanonicalWriter) {
        writer.write(byte: kind.rawValue)
        writer.write(digest: id)
    }

    /// By kind, then by id.
    public static func < (left: PrivateSubject, right: PrivateSubject) -> Bool {
        (left.kind.rawValue, left.id) < (right.kind.rawValue, right.id)
    }
}

/// A piece of a user's private state.
public struct PrivateEntry: Hashable, Sendable {
    /// The longest state, in bytes.
    public static let maximumStateBytes = 65_536

    /// What it is about.
    public let subject: PrivateSubject
    /// The state, whose encoding nobody has looked at yet. One in which nothing was written asks for what the receiver
    /// has.
    public let state: [UInt8]

    /// Joins a state to what it is about.
    public init(of subject: PrivateSubject, state: [UInt8]) {
        self.subject = subject
        self.state = state
    }
}

/// Which state of a piece a device holds.
public struct PrivateVersion: Hashable, Sendable {
    static let byteCount = PrivateSubject.byteCount + 8

    /// What it is about.
    public let subject: PrivateSubject
    /// The first bytes of its digest.
    public let digest: UInt64

    /// Names a state.
    public init(of entry: PrivateEntry) {
        self.init(
            of: entry.subject,
            digest: Digest.hash(
                "moot/1/private", [entry.subject.kind.rawValue], entry.subject.id.bytes, entry.state
            ).withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) })
    }

    /// Names a state whose digest is known.
    public init(of subject: PrivateSubject, digest: UInt64) {
        self.subject = subject
        self.digest = digest
    }

    init(from reader: inout CanonicalReader) throws(MalformedBytes) {
        self.init(of: try PrivateSubject(from: &reader), digest: try reader.word())
    }

    func write(to writer: inout CanonicalWriter) {
        subject.write(to: &writer)
        writer.write(word: digest)
    }
}
