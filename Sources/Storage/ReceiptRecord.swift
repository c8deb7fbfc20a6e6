import Cryptography
import OperationLog
import Time

/// What one device says it received of a conversation, and its user read, signed by the device.
///
/// State, not an operation: of a device's records the one with the highest version counts and the others are forgotten,
/// so receipts never outgrow the messages. A value of this type has a valid signature, so anybody may pass it on. Its
/// author may lie in it, but only about themselves.
public struct ReceiptRecord: Hashable, Sendable {
    /// Chains a record may name.
    public static let maximumChains = 4_096
    /// The longest encoding, in bytes.
    public static let maximumBytes = 32 + 32 + 10 + 10 + 3 + maximumChains * (32 + 8 + 8) + Signature.byteCount

    /// How far somebody has come in the chain of a device: sequence numbers in the content lane.
    public struct Mark: Hashable, Sendable {
        /// The last operation that is here.
        public let received: UInt64
        /// The last operation that the user read; never beyond ``received``. 0 where they read nothing, or do not say.
        public let read: UInt64

        /// Nothing was read that was not received.
        public init(received: UInt64, read: UInt64) {
            self.received = received
            self.read = min(read, received)
        }
    }

    /// The conversation. It is signed, and said nowhere in ``encoded``.
    public let conversation: ConversationID
    /// Whose record it is.
    public let device: Device
    /// Rises with every change. Honest devices take the time in milliseconds, so that a device which forgot its record
    /// still goes beyond it.
    public let version: UInt64
    /// When it was signed, by its author's clock.
    public let time: Timestamp
    /// How far they have come in each chain of which something is there.
    public let marks: [DeviceID: Mark]
    /// The bytes as they were signed or received, signature included.
    public let encoded: [UInt8]
    /// What tells records of one version apart.
    public let digest: Digest

    /// - The chains that a record names if there are more than fit: devices of current members come first, so a person
    ///   who certifies ever more devices cannot push them out.
    ///
    /// - Parameter counting: the devices of the members of now, which are fewer than a record may name.
    public static func chains(among devices: [DeviceID], first counting: @autoclosure () -> Set<DeviceID>) -> [DeviceID]
    {
        guard devices.count > maximumChains else { return devices }
        let counting = counting()
        return Array(
            (devices.filter(counting.contains) + devices.filter { !counting.contains($0) }).prefix(maximumChains))
    }

    /// Signs a record.
    ///
    /// - Parameter marks: chains of which nothing was received are left out.
    /// - Precondition: there are at most ``maximumChains``.
    public init(
        by author: Author, in conversation: ConversationID, version: UInt64, time: Timestamp, marks: [DeviceID: Mark]
    ) {
        precondition(marks.count <= Self.maximumChains, "a record names a limited number of chains")
        self.conversation = conversation
        device = author.device
        self.version = version
        self.time = time
        self.marks = marks.filter { $0.value.received > 0 }
        var writer = CanonicalWriter(capacity: 160 + marks.count * 40)
        writer.write(device.user)
        writer.write(raw: device.key.bytes)
        writer.write(number: version)
        writer.write(number: UInt64(time.milliseconds))
        writer.write(count: self.marks.count)
        for (chain, mark) in self.marks.sorted(by: { $0.key < $1.key }) {
            writer.write(chain)
            writer.write(number: mark.received)
            writer.write(number: mark.received - mark.read)
        }
        writer.write(raw: author.sign(Self.statement(of: writer.bytes, in: conversation)).bytes)
        encoded = writer.bytes
        digest = Self.digest(of: encoded)
    }

    /// Reads a record and verifies its signature.
    ///
    /// - Complexity: one signature check, about 100 µs, and O(*n*) in the chains.
    public init(verifying encoded: [UInt8], of conversation: ConversationID) throws(MalformedBytes) {
        try self.init(encoded, of: conversation, isVerified: false)
    }

    /// Reads back a record that was verified before it was stored.
    public init(stored encoded: [UInt8], of conversation: ConversationID) throws(MalformedBytes) {
        try self.init(encoded, of: conversation, isVerified: true)
    }

    /// Whose record bytes claim to be, and nothing else of it: that costs no signature check.
    public static func device(of encoded: [UInt8]) throws(MalformedBytes) -> Device {
        var reader = CanonicalReader(encoded)
        return try device(from: &reader, of: encoded.count)
    }

    /// Reads the beginning of a record.
    private static func device(from reader: inout CanonicalReader, of byteCount: Int) throws(MalformedBytes) -> Device {
        guard byteCount <= maximumBytes else { throw .tooLong(field: "receipt", limit: maximumBytes) }
        let user: UserID = try reader.identifier()
        return Device(user: user, key: try reader.verifyingKey(of: "device key"))
    }

    private init(_ encoded: [UInt8], of conversation: ConversationID, isVerified: Bool) throws(MalformedBytes) {
        var reader = CanonicalReader(encoded)
        device = try Self.device(from: &reader, of: encoded.count)
        version = try reader.number()
        guard let milliseconds = Int64(exactly: try reader.number()), let time = Timestamp(milliseconds: milliseconds)
        else { throw .invalid(field: "time") }
        self.time = time
        marks = try Self.marks(from: &reader)
        let signed = Array(encoded[..<reader.position])
        let signature = try reader.signature()
        try reader.finish()
        guard isVerified || device.key.verifies(signature, of: Self.statement(of: signed, in: conversation).bytes)
        else {
            throw .signature(field: "receipt")
        }
        self.conversation = conversation
        self.encoded = encoded
        digest = Self.digest(of: encoded)
    }

    private static func marks(from reader: inout CanonicalReader) throws(MalformedBytes) -> [DeviceID: Mark] {
        var marks: [DeviceID: Mark] = [:]
        var last: DeviceID?
        for _ in 0..<(try reader.count(of: "chains", limit: maximumChains, each: 34)) {
            let chain: DeviceID = try reader.identifier()
            if let last, last >= chain { throw .unsorted(field: "chains") }
            last = chain
            let received = try reader.number()
            let unread = try reader.number()
            guard (1...Limits.maximumSequenceNumber).contains(received) else { throw .invalid(field: "received") }
            guard unread <= received else { throw .invalid(field: "unread") }
            marks[chain] = Mark(received: received, read: received - unread)
        }
        return marks
    }

    /// Whether this record replaces `other` of the same device, by version, then by the smaller digest.
    public func supersedes(_ other: ReceiptRecord) -> Bool {
        if version != other.version { return version > other.version }
        return digest < other.digest
    }

    private static func digest(of encoded: [UInt8]) -> Digest { Digest.hash("moot/1/receipt", encoded) }

    private static func statement(of signed: [UInt8], in conversation: ConversationID) -> Statement {
        var statement = Statement("moot/1/receipt")
        statement.append(conversation.digest.bytes)
        statement.append(signed)
        return statement
    }
}
