import OperationLog

extension Decoder {
    /// The header of an operation, as it is signed.
    static let header = Decoder("header") { bytes in
        try Outcome.of { () throws(MalformedBytes) in
            try OperationHeader(decoding: bytes)
        } then: { header in
            try promise("a header has one encoding", header.encoded == bytes)
        }
    }
}
