/// What others need to know of a person: which devices are theirs, and to which keys one can seal for them.
public struct Credentials: Hashable, Sendable {
    /// The longest encoding, in bytes.
    public static let maximumBytes =
        3 + IdentityRecord.maximumBytes + 1 + IdentityRecord.maximumDevices * (2 + WrapRecord.maximumBytes)

    /// The user's list of devices.
    public let identity: IdentityRecord
    /// The newest known record of each device that has one, by ascending device.
    public let wraps: [WrapRecord]

    /// The person.
    public var user: UserID { identity.user }

    /// Joins the records of one person. Of each device certified in `identity` the record that counts is kept; others
    /// are left out.
    public init(identity: IdentityRecord, wraps: some Sequence<WrapRecord>) {
        var newest: [DeviceID: WrapRecord] = [:]
        for record in wraps where identity.certifies(record.device) {
            if newest[record.device].map({ record.supersedes($0) }) ?? true { newest[record.device] = record }
        }
        self.identity = identity
        self.wraps = newest.values.sorted { $0.device < $1.device }
    }

    /// Writes the records.
    public func encode(into writer: inout CanonicalWriter) {
        writer.write(data: identity.encoded)
        writer.write(count: wraps.count)
        for record in wraps { writer.write(data: record.encoded) }
    }

    /// The canonical bytes.
    public var encoded: [UInt8] {
        var writer = CanonicalWriter()
        encode(into: &writer)
        return writer.bytes
    }

    /// Reads records and verifies their signatures.
    ///
    /// - Complexity: one signature check for the list and one for each key; none where these bytes were verified
    ///   lately, or when they came.
    public init(from reader: inout CanonicalReader) throws(MalformedBytes) {
        let start = reader.position
        if !reader.isVerified, let (known, rest) = VerifiedCredentials.find(in: reader) {
            reader = rest
            self = known
            return
        }
        let identity = try IdentityRecord(
            try reader.data(of: "identity record", limit: IdentityRecord.maximumBytes), isVerified: reader.isVerified)
        try self.init(identity: identity, wrapsFrom: &reader)
        if !reader.isVerified { VerifiedCredentials.note(self, as: reader.bytes(since: start)) }
    }

    /// Reads the keys that follow a user's list of devices.
    init(identity: IdentityRecord, wrapsFrom reader: inout CanonicalReader) throws(MalformedBytes) {
        let devices = identity.devices.map(\.device)
        var wraps: [WrapRecord] = []
        for _ in 0..<(try reader.count(of: "wrap records", limit: devices.count, each: 131)) {
            let record = try WrapRecord(
                try reader.data(of: "wrap record", limit: WrapRecord.maximumBytes), among: devices,
                isVerified: reader.isVerified)
            if let last = wraps.last, last.device >= record.device { throw .unsorted(field: "wrap records") }
            wraps.append(record)
        }
        self.identity = identity
        self.wraps = wraps
    }

    /// Reads records that stand alone.
    public init(verifying encoded: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(encoded)
        try self.init(from: &reader)
        try reader.finish()
    }
}
