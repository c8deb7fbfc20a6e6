import Cryptography
import Time

/// A user's own list of devices, signed by the root key.
///
/// A value of this type has a valid signature: it can only be made by signing or by verifying. The record with the
/// highest serial counts; of two with one serial, the one with the smaller digest.
public struct IdentityRecord: Hashable, Sendable {
    /// One certified device.
    public struct Entry: Hashable, Sendable {
        /// The device.
        public let device: Device
        /// What its owner calls it.
        public let name: String

        /// Describes a device.
        public init(device: Device, name: String) {
            self.device = device
            self.name = name
        }
    }

    /// The largest number of devices a user may have.
    public static let maximumDevices = 8
    /// The longest name of a device, in bytes of UTF-8.
    public static let maximumDeviceNameBytes = 200
    /// The highest serial, in milliseconds since 1970: the year 2100.
    public static let maximumSerial = UInt64(Timestamp.latest.milliseconds)
    /// The longest encoding, in bytes.
    public static let maximumBytes =
        32 + 10 + 1 + maximumDevices * (32 + 2 + maximumDeviceNameBytes) + Signature.byteCount

    /// Whose devices these are.
    public let user: UserID
    /// Rises with every change: the time of signing in milliseconds since 1970, or one more than the largest known.
    public let serial: UInt64
    /// The devices, in ascending order of their ids.
    public let devices: [Entry]
    /// The bytes as they were signed or received, signature included.
    public let encoded: [UInt8]

    /// Certifies devices.
    ///
    /// - Precondition: 1 to ``maximumDevices`` devices of the root's user with names within ``maximumDeviceNameBytes``,
    ///   and a serial of at most ``maximumSerial``.
    public init(root: SigningKey, serial: UInt64, devices: [Entry]) {
        let user = UserID(root.verifyingKey)
        precondition((1...Self.maximumDevices).contains(devices.count), "a user has 1 to 8 devices")
        precondition(devices.allSatisfy { $0.device.user == user }, "a root certifies its own devices only")
        precondition(serial <= Self.maximumSerial, "a serial is a time before the year 2100")
        self.user = user
        self.serial = serial
        self.devices = devices.sorted { $0.device.id < $1.device.id }
        var writer = CanonicalWriter()
        writer.write(user)
        writer.write(number: serial)
        writer.write(count: self.devices.count)
        for entry in self.devices {
            writer.write(raw: entry.device.key.bytes)
            writer.write(text: entry.name)
        }
        let signature = root.sign(Self.statement(of: writer.bytes))
        writer.write(raw: signature.bytes)
        encoded = writer.bytes
    }

    /// Reads a record and verifies its signature.
    ///
    /// - Complexity: one signature check, about 100 µs.
    public init(verifying encoded: [UInt8]) throws(MalformedBytes) {
        try self.init(encoded, isVerified: false)
    }

    /// Reads a record, and verifies its signature where that was not done when it came.
    init(_ encoded: [UInt8], isVerified: Bool) throws(MalformedBytes) {
        guard encoded.count <= Self.maximumBytes else {
            throw .tooLong(field: "identity record", limit: Self.maximumBytes)
        }
        var reader = CanonicalReader(encoded)
        let user: UserID = try reader.identifier()
        serial = try reader.number()
        guard serial <= Self.maximumSerial else { throw .invalid(field: "serial") }
        let count = try reader.count(of: "devices", limit: Self.maximumDevices, each: Digest.byteCount)
        guard count > 0 else { throw .invalid(field: "devices") }
        var devices: [Entry] = []
        for _ in 0..<count {
            let device = Device(user: user, key: try reader.verifyingKey(of: "device key"))
            let name = try reader.text(of: "device name", limit: Self.maximumDeviceNameBytes)
            if let last = devices.last, last.device.id >= device.id { throw .unsorted(field: "devices") }
            devices.append(Entry(device: device, name: name))
        }
        let signed = Array(encoded[..<reader.position])
        let signature = try reader.signature()
        try reader.finish()
        guard isVerified || user.key.verifies(signature, of: Self.statement(of: signed)) else {
            throw .signature(field: "identity record")
        }
        self.user = user
        self.devices = devices
        self.encoded = encoded
    }

    /// Whether the record certifies a device.
    public func certifies(_ device: DeviceID) -> Bool {
        devices.contains { $0.device.id == device }
    }

    /// Whether this record replaces `other` of the same user, by serial, then by the smaller digest.
    public func supersedes(_ other: IdentityRecord) -> Bool {
        if serial != other.serial { return serial > other.serial }
        return Digest.hash("moot/1/identity", encoded) < Digest.hash("moot/1/identity", other.encoded)
    }

    private static func statement(of signed: [UInt8]) -> [UInt8] {
        var statement = Statement("moot/1/identity")
        statement.append(signed)
        return statement.bytes
    }
}
