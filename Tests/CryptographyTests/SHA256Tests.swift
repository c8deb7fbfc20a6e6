import Cryptography
import Testing

@Suite("SHA-256")
struct SHA256Tests {
    @Test func `is that of FIPS 180-4`() {
        #expect(
            HexadecimalText.encode(SHA256.hash(Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }

    /// Case 4 of RFC 4231 has a key of 25 bytes; one that is filled up with zeros is the same key to HMAC.
    @Test func `authenticates as RFC 4231 says`() {
        let key = Array(1...25) + [UInt8](repeating: 0, count: 7)
        let code = SHA256.authentication(of: [UInt8](repeating: 0xCD, count: 50), under: SecretBytes(key))
        #expect(
            HexadecimalText.encode(code) == "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b")
    }
}
