import CryptographyFixtures

/// What `encryption-vectors.py` makes of keys and texts, from the specifications alone.
struct SealingVectors: Decodable {
    struct Cipher: Decodable {
        let key: Hexadecimal
        let nonce: Hexadecimal
        let data: Hexadecimal
        let plaintext: Hexadecimal
        let sealed: Hexadecimal
    }

    struct Box: Decodable {
        let secretKey: Hexadecimal
        let publicKey: Hexadecimal
        let ephemeral: Hexadecimal
        let plaintext: Hexadecimal
        let sealed: Hexadecimal
    }

    struct Padded: Decodable {
        let plaintext: Hexadecimal
        let padded: Hexadecimal
    }

    let ciphers: [Cipher]
    let sealedBoxes: [Box]
    let paddings: [Padded]

    static func load() throws -> SealingVectors {
        struct File: Decodable {
            let primitives: SealingVectors
        }
        return try Fixture.load("encryption-vectors.json", as: File.self).primitives
    }
}

extension [UInt8] {
    /// The bytes with one bit changed.
    func flipping(bit: Int) -> [UInt8] {
        var changed = self
        changed[bit / 8] ^= 1 << (bit % 8)
        return changed
    }
}
