/// The readers of a view whom the author of a signal told directly: whoever passes it on spares them.
public struct DeliveredReaders: Hashable, Sendable {
    /// Bytes that name all readers of a full view.
    public static let maximumBytes = View.maximumReaders / 8

    /// One bit for each reader in the order of the view, the least significant of a byte first; zero bytes at the end
    /// are left out.
    public private(set) var bytes: [UInt8] = []

    /// Nobody.
    public init() {}

    /// Reads a set; nil for bytes that no set has.
    public init?(bytes: [UInt8]) {
        guard bytes.count <= Self.maximumBytes, bytes.last != 0 else { return nil }
        self.bytes = bytes
    }

    /// How many readers it names.
    public var count: Int { bytes.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// Whether the reader at a place of the view was told.
    public func contains(_ place: Int) -> Bool {
        let byte = place / 8
        return byte < bytes.count && bytes[byte] & (1 << UInt8(place % 8)) != 0
    }

    /// Notes that the reader at a place of the view is told.
    ///
    /// - Precondition: a view has so many readers.
    public mutating func insert(_ place: Int) {
        precondition((0..<View.maximumReaders).contains(place), "a view has \(View.maximumReaders) readers")
        let byte = place / 8
        if byte >= bytes.count { bytes += [UInt8](repeating: 0, count: byte + 1 - bytes.count) }
        bytes[byte] |= 1 << UInt8(place % 8)
    }
}
