import Conversations
import OperationLog

extension Decoder {
    /// The body of an epoch.
    static let epochBody = Decoder("epoch-body") { bytes in
        try Outcome.of { () throws(MalformedBytes) in
            try EpochBody(decoding: bytes)
        } then: { body in
            try promise("an epoch has one encoding", body.encoded == bytes)
            try promise("an epoch's length is foreseen", EpochBody.byteCount(of: body.wraps.count) == bytes.count)
        }
    }

    /// The body of a wrap.
    static let wrapBody = Decoder("wrap-body") { bytes in
        try Outcome.of { () throws(MalformedBytes) in
            try WrapBody(decoding: bytes)
        } then: { body in
            try promise("a wrap has one encoding", body.encoded == bytes)
        }
    }
}
