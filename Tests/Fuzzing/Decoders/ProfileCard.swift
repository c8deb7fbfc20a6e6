import Cryptography
import OperationLog
import OperationLogFixtures

extension Decoder {
    /// A user's name, photo and devices. What the fuzzer made of a card is tried with Alice's signature too.
    static let profileCard = Decoder("profile-card") { bytes in
        let signed = resigned(card: bytes)
        if signed != bytes { _ = try check(card: signed) }
        return try check(card: bytes)
    }

    private static func check(card bytes: [UInt8]) throws -> Outcome {
        try Outcome.of { () throws(MalformedBytes) in
            try ProfileCard(verifying: bytes)
        } then: { card in
            try promise("a card keeps its bytes", card.encoded == bytes)
            try promise(
                "a deletion says nothing else", !card.isDeletion || card.name.isEmpty && card.photo.isEmpty)
            // Of a card of somebody else the name may be none.
            guard let root = Cast.root(of: card.user.digest.bytes), (try? DisplayName(card.name))?.text == card.name
            else { return }
            let written = ProfileCard(
                root: root, version: card.version, name: card.name, photo: card.photo, identity: card.identity)
            try promise("a card has one encoding", written?.encoded == bytes)
        }
    }

    static func resigned(card bytes: [UInt8]) -> [UInt8] {
        let signed = Array(bytes.dropLast(Signature.byteCount))
        var statement = Statement("moot/1/card")
        statement.append(signed)
        return signed + Cast.alice.root.sign(statement.bytes).bytes
    }
}
