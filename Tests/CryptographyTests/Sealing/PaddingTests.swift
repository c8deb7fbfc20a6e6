import Cryptography
import CryptographyFixtures
import Testing

@Suite("Padding")
struct PaddingTests {
    private func padded(_ bytes: [UInt8], block: Int) -> [UInt8] {
        var padded = bytes
        Padding.pad(&padded, toMultipleOf: block)
        return padded
    }

    @Test
    func `is what an independent implementation makes`() throws {
        let paddings = try SealingVectors.load().paddings
        #expect(paddings.count == 8)
        for known in paddings {
            #expect(padded(known.plaintext.bytes, block: 16) == known.padded.bytes)
            #expect(Padding.unpad(known.padded.bytes, block: 16) == known.plaintext.bytes)
        }
    }

    @Test(arguments: [1, 2, 16, 24, 32])
    func `comes off again, whatever the text ends with`(block: Int) {
        for count in 0...2 * block {
            for last in [0, 0x7F, 0x80, 0xFF] as [UInt8] {
                let bytes = [UInt8](repeating: last, count: count)
                let padded = padded(bytes, block: block)
                #expect(padded.count == (count / block + 1) * block)
                #expect(Padding.unpad(padded, block: block) == bytes)
            }
        }
    }

    @Test
    func `is not taken off what was never padded`() {
        let zeros = [UInt8](repeating: 0, count: 32)
        #expect(Padding.unpad([], block: 32) == nil)
        #expect(Padding.unpad(zeros, block: 32) == nil)
        #expect(Padding.unpad([UInt8](repeating: 1, count: 32), block: 32) == nil)
        #expect(Padding.unpad(zeros.dropLast() + [0x81], block: 32) == nil)
        #expect(Padding.unpad([0x80] + zeros.dropFirst(2), block: 32) == nil, "no whole block")
        #expect(Padding.unpad([0x80] + zeros, block: 32) == nil, "a byte above a block")
    }

    @Test
    func `of more than a block is refused`() {
        let zeros = [UInt8](repeating: 0, count: 32)
        #expect(Padding.unpad([0x80] + zeros.dropFirst() + zeros, block: 32) == nil)
    }
}
