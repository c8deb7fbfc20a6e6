import Cryptography
import OperationLog

extension Decoder {
    /// A user's list of devices. What the fuzzer made of Alice's or Bob's is tried with a valid signature too.
    static let identityRecord = Decoder("identity-record") { bytes in
        if let signed = resigned(record: bytes), signed != bytes { _ = try check(record: signed) }
        return try check(record: bytes)
    }

    private static func check(record bytes: [UInt8]) throws -> Outcome {
        try Outcome.of { () throws(MalformedBytes) in
            try IdentityRecord(verifying: bytes)
        } then: { record in
            try promise("a record keeps its bytes", record.encoded == bytes)
            guard let root = Cast.root(of: record.user.digest.bytes) else { return }
            let written = IdentityRecord(root: root, serial: record.serial, devices: record.devices)
            try promise("a record has one encoding", written.encoded == bytes)
        }
    }

    static func resigned(record bytes: [UInt8]) -> [UInt8]? {
        let signed = bytes.dropLast(Signature.byteCount)
        guard let root = Cast.root(of: Array(signed.prefix(Digest.byteCount))) else { return nil }
        var statement = Statement("moot/1/identity")
        statement.append(Array(signed))
        return signed + root.sign(statement.bytes).bytes
    }
}
