import Conversations
import OperationLog
import OperationLogFixtures

extension Decoder {
    /// The body of an operation of the membership lane. The first byte is the type that the header names.
    static let membershipBody = Decoder("membership-body") { bytes in
        guard let first = bytes.first else { return .refused(MalformedBytes.truncated.code) }
        let type = OperationType(rawValue: UInt64(first))
        let body = Array(bytes.dropFirst())
        return try Outcome.of { () throws(MalformedBytes) in
            try MembershipBody.decode(body, type: type)
        } then: { decoded in
            guard let decoded else {
                return try promise("every type of this version is decoded", !(1...15).contains(first))
            }
            try promise("a membership body has one encoding", decoded.encoded == body)
            try promise("a body is of the type it was decoded as", decoded.type == type)
            _ = decoded.introductions(by: Cast.alice.user)
            _ = (decoded.targets, decoded.word)
        }
    }
}
