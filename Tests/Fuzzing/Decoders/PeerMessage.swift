import OperationLog
import Replication

extension Decoder {
    /// What two nodes say inside a channel.
    static let peerMessage = Decoder("peer-message") { bytes in
        try Outcome.of { () throws(MalformedBytes) in
            try PeerMessage(decoding: bytes)
        } then: { message in
            try promise("a message has one encoding", message.encoded == bytes)
        }
    }
}
