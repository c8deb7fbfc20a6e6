import CSodium

/// Hides the length of a text among its like: ISO/IEC 7816-4, as `sodium_pad` does it.
public enum Padding {
    /// Appends one byte 0x80 and zeros up to the next multiple of a block.
    public static func pad(_ bytes: inout [UInt8], toMultipleOf block: Int) {
        let count = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: block - count % block))
        var padded = 0
        let result = bytes.withUnsafeMutableBytes { memory in
            sodium_pad(&padded, memory.octets, count, block, memory.count)
        }
        precondition(result == 0 && padded == bytes.count, "there is room for the padding")
    }

    /// Takes the padding off; nil if there is none as it should be.
    public static func unpad(_ bytes: [UInt8], block: Int) -> [UInt8]? {
        guard !bytes.isEmpty, bytes.count.isMultiple(of: block) else { return nil }
        var count = 0
        guard sodium_unpad(&count, bytes, bytes.count, block) == 0 else { return nil }
        return Array(bytes[..<count])
    }
}
