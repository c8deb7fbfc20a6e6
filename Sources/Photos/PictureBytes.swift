/// Bytes of a picture, in which nothing is read that is not there.
struct PictureBytes {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    /// The byte at an offset; nil past the end.
    subscript(offset: Int) -> UInt8? {
        offset >= 0 && offset < bytes.count ? bytes[bytes.startIndex + offset] : nil
    }

    /// So many bytes from an offset on; nil where they end before.
    func part(from offset: Int, count: Int) -> PictureBytes? {
        guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
        return PictureBytes(bytes.dropFirst(offset).prefix(count))
    }

    /// A number of two or four bytes at an offset, its most significant byte first unless said otherwise.
    func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ type: Number.Type, at offset: Int, littleEndian: Bool = false
    ) -> Number? {
        guard let part = part(from: offset, count: Number.bitWidth / 8) else { return nil }
        let number = part.bytes.reduce(Number(0)) { $0 << 8 | Number($1) }
        return littleEndian ? number.byteSwapped : number
    }

    func starts(with beginning: [UInt8]) -> Bool { bytes.starts(with: beginning) }
}
