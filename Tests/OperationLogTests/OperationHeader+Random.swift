import Cryptography
import OperationLog
import OperationLogFixtures
import Time

extension Digest {
    /// 32 random bytes.
    static func random(using random: inout some RandomNumberGenerator) -> Digest {
        .hash("test", random.bytes(32))
    }
}

extension OperationHeader {
    /// Any header that is well formed.
    static func random(using random: inout some RandomNumberGenerator) -> OperationHeader {
        func ids(_ count: ClosedRange<Int>) -> [OperationID] {
            (0..<Int.random(in: count, using: &random)).map { _ in OperationID(digest: .random(using: &random)) }
                .sorted()
        }
        let lane: Lane = Bool.random(using: &random) ? .content : .membership
        let isCreation = lane == .membership && Int.random(in: 0..<4, using: &random) == 0
        let position =
            isCreation
            ? 1 : UInt64.random(in: 1...(UInt64(1) << UInt64.random(in: 1...54, using: &random)), using: &random)
        return OperationHeader(
            type: isCreation ? .create : OperationType(rawValue: UInt64.random(in: 2...300, using: &random)),
            conversation: isCreation ? nil : ConversationID(digest: .random(using: &random)), lane: lane,
            device: DeviceID(digest: .random(using: &random)), sequenceNumber: position,
            previous: position > 1 ? OperationID(digest: .random(using: &random)) : nil,
            dependencies: isCreation ? [] : ids(0...16), membershipHeads: lane == .content ? ids(1...16) : [],
            epoch: lane == .content && Bool.random(using: &random) ? OperationID(digest: .random(using: &random)) : nil,
            time: Timestamp(
                clamping: Int64.random(
                    in: Timestamp.earliest.milliseconds...Timestamp.latest.milliseconds, using: &random)),
            bodyLength: Int.random(in: 0...Limits.maximumBodyBytes, using: &random), bodyDigest: .random(using: &random)
        )
    }
}
