import CryptographyFixtures

/// The contents of `Tests/Fixtures/encryption-vectors.json`, made by `encryption-vectors.py` without any of this code.
struct EncryptionVectors: Decodable {
    struct Person: Decodable {
        struct Device: Decodable {
            let label: String
            let name: String
            let seed: Hexadecimal
            let id: String
            let counter: UInt64?
            let wrapSecret: Hexadecimal
            let wrapKey: Hexadecimal
            let wrapRecord: Hexadecimal?
        }

        let name: String
        let root: Hexadecimal
        let user: String
        let serial: UInt64
        let devices: [Device]
        let credentials: Hexadecimal
        let cardVersion: UInt64
        let photo: Hexadecimal
        let introduction: Hexadecimal
    }

    struct Operation: Decodable {
        let name: String
        let author: String
        let header: Hexadecimal
        let id: String
        let body: Hexadecimal
        let signature: Hexadecimal
    }

    struct View: Decodable {
        struct Reader: Decodable {
            let user: String
            let device: String
            let wrapKey: Hexadecimal
        }

        let heads: [String]
        let readers: [Reader]
        let id: String
    }

    struct Epoch: Decodable {
        let operation: String
        let key: Hexadecimal
        let view: String
        let upToDigest: Hexadecimal
        let commitment: String
        let ephemerals: [Hexadecimal]
        let wraps: [Hexadecimal]
    }

    struct Message: Decodable {
        let operation: String
        let text: String
        let upToDigest: Hexadecimal
        let messageKey: Hexadecimal
        let nonce: Hexadecimal
        let plaintext: Hexadecimal
        let padded: Hexadecimal
    }

    struct Complaint: Decodable {
        let operation: String
        let epoch: String
    }

    struct Wrap: Decodable {
        let operation: String
        let epoch: String
        let key: Hexadecimal
        let device: String
        let ephemeral: Hexadecimal
        let wrap: Hexadecimal
    }

    /// Texts that one key closes for headers of every shape.
    struct Seals: Decodable {
        struct Case: Decodable {
            let about: String
            let header: Hexadecimal
            let nonce: Hexadecimal
            let messageKey: Hexadecimal
            let plaintext: Hexadecimal
            let body: Hexadecimal
            let view: String
            let commitment: String
        }

        let key: Hexadecimal
        let cases: [Case]
    }

    /// What a device sees of an operation once it has taken in others.
    struct Reading: Decodable {
        let about: String
        let reader: String
        let after: [String]
        let operation: String
        let sees: String
        let plaintext: Hexadecimal?
    }

    /// An operation that no replica takes, and the code for it.
    struct Inadmissible: Decodable {
        let operation: String
        let code: String
    }

    /// Bytes that are refused, and the code for it.
    struct Refusal: Decodable {
        let kind: String
        let about: String
        let bytes: Hexadecimal
        let code: String
    }

    let people: [Person]
    let conversation: String
    let operations: [Operation]
    let views: [View]
    let epoch: Epoch
    let message: Message
    let complaint: Complaint
    let wrap: Wrap
    let seals: Seals
    let readings: [Reading]
    let inadmissible: [Inadmissible]
    let refusals: [Refusal]

    static func load() throws -> EncryptionVectors { try Fixture.load("encryption-vectors.json") }
}
