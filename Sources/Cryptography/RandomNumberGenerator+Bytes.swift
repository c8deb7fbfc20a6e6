extension RandomNumberGenerator {
    /// The next random bytes: the generator's words in their order, each with its least significant byte first.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { Swift.withUnsafeBytes(of: next().littleEndian) { bytes.append(contentsOf: $0) } }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
