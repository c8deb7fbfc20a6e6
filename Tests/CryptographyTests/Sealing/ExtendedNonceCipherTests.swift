import Cryptography
import CryptographyFixtures
import Testing

@Suite("XChaCha20-Poly1305")
struct ExtendedNonceCipherTests {
    private let key: [UInt8]
    private let nonce: [UInt8]
    private let data: [UInt8] = Array("header".utf8)
    private let text: [UInt8] = Array("At nine?".utf8)
    private let sealed: [UInt8]

    init() {
        var random = SplitMix64(seed: 1)
        key = random.bytes(32)
        nonce = random.bytes(ExtendedNonceCipher.nonceByteCount)
        sealed = Self.seal(text, key: key, nonce: nonce, data: data)
    }

    private static func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8], data: [UInt8]) -> [UInt8] {
        key.withUnsafeBytes { ExtendedNonceCipher.seal(text, key: $0, nonce: nonce, authenticating: data) }
    }

    private func open(_ sealed: [UInt8], key: [UInt8]? = nil, data: [UInt8]? = nil) throws -> [UInt8] {
        try (key ?? self.key).withUnsafeBytes {
            try ExtendedNonceCipher.open(sealed, key: $0, authenticating: data ?? self.data)
        }
    }

    @Test
    func `makes and opens what an independent implementation makes`() throws {
        let ciphers = try SealingVectors.load().ciphers
        #expect(ciphers.count == 7)
        for known in ciphers {
            let (key, data) = (known.key.bytes, known.data.bytes)
            let ours = Self.seal(known.plaintext.bytes, key: key, nonce: known.nonce.bytes, data: data)
            #expect(ours == known.sealed.bytes)
            #expect(try open(known.sealed.bytes, key: key, data: data) == known.plaintext.bytes)
        }
    }

    @Test
    func `has the nonce in front, and adds as many bytes as it says`() throws {
        #expect(sealed.starts(with: nonce))
        #expect(sealed.count == text.count + ExtendedNonceCipher.overhead)
        #expect(try open(sealed) == text)
    }

    @Test
    func `does not open with a bit changed anywhere`() {
        for bit in 0..<sealed.count * 8 {
            #expect(throws: CryptographyError.authentication, "bit \(bit)") { try open(sealed.flipping(bit: bit)) }
        }
    }

    @Test
    func `does not open with other data or another key`() {
        for bit in 0..<data.count * 8 {
            #expect(throws: CryptographyError.authentication, "bit \(bit) of the data") {
                try open(sealed, data: data.flipping(bit: bit))
            }
        }
        for bit in 0..<key.count * 8 {
            #expect(throws: CryptographyError.authentication, "bit \(bit) of the key") {
                try open(sealed, key: key.flipping(bit: bit))
            }
        }
        #expect(throws: CryptographyError.authentication) { try open(sealed, data: []) }
        #expect(throws: CryptographyError.authentication) { try open(sealed, data: data + [0]) }
    }

    @Test
    func `does not open cut or stretched`() {
        for count in 0..<sealed.count {
            #expect(throws: CryptographyError.authentication, "\(count) bytes") {
                try open(Array(sealed.prefix(count)))
            }
        }
        #expect(throws: CryptographyError.authentication) { try open(sealed + [0]) }
        #expect(throws: CryptographyError.authentication) { try open([0] + sealed) }
    }
}
