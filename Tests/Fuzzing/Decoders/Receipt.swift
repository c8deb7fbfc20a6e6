import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Storage

extension Decoder {
    /// What a device says it received and read. What the fuzzer made of one is tried with Alice's signature too.
    static let receipt = Decoder("receipt") { bytes in
        let signed = resigned(receipt: bytes)
        if signed != bytes { _ = try check(receipt: signed) }
        return try check(receipt: bytes)
    }

    private static func check(receipt bytes: [UInt8]) throws -> Outcome {
        try Outcome.of { () throws(MalformedBytes) in
            try ReceiptRecord(verifying: bytes, of: Cast.conversation)
        } then: { record in
            try promise("a receipt keeps its bytes", record.encoded == bytes)
            try promise("a receipt is no longer than its limit", bytes.count <= ReceiptRecord.maximumBytes)
            try promise(
                "a receipt says nothing was read that was not received",
                record.marks.values.allSatisfy { $0.read <= $0.received })
            let stored = try ReceiptRecord(stored: bytes, of: Cast.conversation)
            try promise("a stored receipt is the same", stored == record)
            var receipts = Receipts(of: Cast.bob.device)
            receipts.take(record, at: Cast.time, written: .max)
            try promise(
                "a receipt taken again changes nothing", receipts.take(record, at: Cast.time, written: .max) == .none)
            guard let kept = receipts.kept[record.device.id] else { return }
            let again = try StoredReceipt(record: record, steps: kept.encodedSteps)
            try promise("a receipt is read back as it was kept", again == kept)
            guard let author = Cast.author(of: record.device.id) else { return }
            let written = ReceiptRecord(
                by: author, in: Cast.conversation, version: record.version, time: record.time, marks: record.marks)
            try promise("a receipt has one encoding", written.encoded == bytes)
        }
    }

    static func resigned(receipt bytes: [UInt8]) -> [UInt8] {
        let signed = Array(bytes.dropLast(Signature.byteCount))
        var statement = Statement("moot/1/receipt")
        statement.append(Cast.conversation.digest.bytes)
        statement.append(signed)
        return signed + Cast.alice.author.sign(statement).bytes
    }
}
