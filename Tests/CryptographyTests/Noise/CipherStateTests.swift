import Cryptography
import Testing

@Suite("One direction of a channel")
struct CipherStateTests {
    /// The two ends of one direction.
    private struct Direction: ~Copyable {
        var sending: CipherState
        var receiving: CipherState

        init(seed: UInt64) throws {
            var random = SplitMix64(seed: seed)
            var pair = HandshakePair(using: &random)
            for _ in 0..<HandshakeState.messageCount {
                if pair.initiator.isOurTurn {
                    _ = try pair.responder.read(pair.initiator.write { _ in [] })
                } else {
                    _ = try pair.initiator.read(pair.responder.write { _ in [] })
                }
            }
            let dialer = pair.initiator.split()
            let acceptor = pair.responder.split()
            sending = dialer.sending
            receiving = acceptor.receiving
        }
    }

    @Test(arguments: [0, 1, 15, 16, 17, 1_000, 16_384])
    func `what is sealed is opened`(count: Int) throws {
        var ends = try Direction(seed: 1)
        var random = SplitMix64(seed: 2)
        let text = random.bytes(count)
        let sealed = try ends.sending.sealing(text, authenticating: [1, 2])
        #expect(sealed.count == count + CipherState.tagByteCount)
        #expect(try ends.receiving.opening(sealed, authenticating: [1, 2]) == text)
    }

    @Test
    func `only what stands behind the start is sealed, only the range is opened`() throws {
        var ends = try Direction(seed: 1)
        var bytes: [UInt8] = [9, 9, 1, 2, 3]
        try ends.sending.seal(&bytes, from: 2)
        #expect(bytes.starts(with: [9, 9]))
        bytes += [8]
        let plaintext = try ends.receiving.open(&bytes, in: 2..<bytes.count - 1)
        #expect(bytes[plaintext] == [1, 2, 3])
        #expect(bytes.starts(with: [9, 9]) && bytes.last == 8)
    }

    @Test
    func `a change of any byte, of the data or of the order is noticed, and the right bytes are still opened after it`()
        throws
    {
        var ends = try Direction(seed: 1)
        let first = try ends.sending.sealing([1, 2, 3], authenticating: [7])
        let second = try ends.sending.sealing([4], authenticating: [7])
        for index in first.indices {
            var changed = first
            changed[index] ^= 1
            #expect(throws: CryptographyError.authentication) {
                try ends.receiving.opening(changed, authenticating: [7])
            }
        }
        #expect(throws: CryptographyError.authentication) { try ends.receiving.opening(first, authenticating: [8]) }
        #expect(throws: CryptographyError.authentication) { try ends.receiving.opening(second, authenticating: [7]) }
        #expect(throws: CryptographyError.authentication) {
            try ends.receiving.opening(first.dropLast(), authenticating: [7])
        }
        #expect(try ends.receiving.opening(first, authenticating: [7]) == [1, 2, 3])
        #expect(throws: CryptographyError.authentication) { try ends.receiving.opening(first, authenticating: [7]) }
        #expect(try ends.receiving.opening(second, authenticating: [7]) == [4])
    }

    @Test(arguments: 0..<CipherState.tagByteCount)
    func `fewer bytes than a tag has are refused`(count: Int) throws {
        var ends = try Direction(seed: 1)
        #expect(throws: CryptographyError.authentication) {
            try ends.receiving.opening([UInt8](repeating: 0, count: count))
        }
    }

    @Test
    func `after a rekey both ends go on, and whoever missed it does not`() throws {
        var ends = try Direction(seed: 1)
        _ = try ends.receiving.opening(ends.sending.sealing([1]))
        ends.sending.rekey()
        let sealed = try ends.sending.sealing([2])
        #expect(throws: CryptographyError.authentication) { try ends.receiving.opening(sealed) }
        ends.receiving.rekey()
        #expect(try ends.receiving.opening(sealed) == [2])
    }
}
