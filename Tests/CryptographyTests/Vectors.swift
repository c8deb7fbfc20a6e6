import CryptographyFixtures
import Testing

/// Known answers, made independently of the code under test by `crypto-vectors.py`.
struct Vectors: Decodable {
    struct Digests: Decodable {
        struct Case: Decodable {
            let count: Int
            let key: Hexadecimal
            let digest: Hexadecimal
        }

        struct Labeled: Decodable {
            let parts: [Hexadecimal]
            let digest: Hexadecimal
        }

        let cases: [Case]
        let labeled: Labeled
    }

    struct StatementCase: Decodable {
        let kind: String
        let fields: [Hexadecimal]
        let bytes: Hexadecimal
    }

    struct Ed25519: Decodable {
        struct SignatureCase: Decodable, CustomTestStringConvertible {
            let about: String
            let key: Hexadecimal
            let message: Hexadecimal
            let signature: Hexadecimal
            let verifies: Bool
            var testDescription: String { about }
        }

        struct PointCase: Decodable, CustomTestStringConvertible {
            let about: String
            let key: Hexadecimal
            let valid: Bool
            var testDescription: String { about }
        }

        let signatures: [SignatureCase]
        let points: [PointCase]
    }

    let digests: Digests
    let statements: [StatementCase]
    let ed25519: Ed25519

    /// The vectors of `Tests/Fixtures/crypto-vectors.json`.
    static func load() throws -> Vectors {
        try Fixture.load("crypto-vectors.json")
    }
}
