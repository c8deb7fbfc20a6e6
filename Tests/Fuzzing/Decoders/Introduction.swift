import Cryptography
import OperationLog

extension Decoder {
    /// What a node tells of its user when a channel opens: a card and keys.
    static let introduction = Decoder("introduction") { bytes in
        try Outcome.of { () throws(MalformedBytes) in
            try Introduction(verifying: bytes)
        } then: { introduction in
            try promise("an introduction has one encoding", introduction.encoded == bytes)
            let credentials = introduction.credentials
            try promise(
                "every key is of a certified device",
                credentials.wraps.allSatisfy {
                    credentials.identity.certifies($0.device) && AgreementKey.isUsable($0.key)
                })
            try promise(
                "credentials have one encoding", (try? Credentials(verifying: credentials.encoded)) == credentials)
        }
    }
}
