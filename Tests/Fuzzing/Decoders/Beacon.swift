import OperationLog
import Replication

extension Decoder {
    /// The datagram by which nodes find each other.
    static let beacon = Decoder("beacon") { bytes in
        try Outcome.of { () throws(MalformedBytes) in
            try Beacon(decoding: bytes)
        } then: { beacon in
            try promise("a beacon has one encoding", beacon.encoded == bytes)
        }
    }
}
