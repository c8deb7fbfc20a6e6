import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures

extension Example {
    static var receipts: [Example] {
        let (one, two) = (min(Cast.alice.device, Cast.bob.device), max(Cast.alice.device, Cast.bob.device))
        /// Alice's signature under any list of marks.
        func record(
            _ marks: [(DeviceID, UInt64, UInt64)], version: UInt64 = 1, time: UInt64 = 1_800_000_000_000,
            count: Int? = nil
        ) -> [UInt8] {
            let signed = wire {
                $0.write(Cast.alice.user)
                $0.write(raw: Cast.alice.author.device.key.bytes)
                $0.write(number: version)
                $0.write(number: time)
                $0.write(count: count ?? marks.count)
                for (chain, received, unread) in marks {
                    $0.write(chain)
                    $0.write(number: received)
                    $0.write(number: unread)
                }
            }
            return Decoder.resigned(receipt: signed + Array(repeating: 0, count: Signature.byteCount))
        }
        let plain = record([(one, 7, 2), (two, 1, 1)])
        let keys = Cast.alice.user.digest.bytes + Cast.alice.author.device.key.bytes
        return [
            accepted(.receipt, "plain", plain),
            accepted(.receipt, "of-nothing", record([])),
            accepted(.receipt, "largest-numbers", record([(one, Limits.maximumSequenceNumber, 0)], version: .max)),
            refused(.receipt, "truncated", "nothing", []),
            refused(.receipt, "truncated", "without-its-last-byte", plain.dropLast()),
            refused(.receipt, "trailing_bytes", "and-a-zero", plain + [0]),
            refused(.receipt, "bad_signature", "forged", plain.withLastBitChanged),
            refused(
                .receipt, "bad_signature", "of-bob-signed-by-alice",
                plain.replacing(0..<32, with: Cast.bob.user.digest.bytes)),
            refused(.receipt, "invalid_value", "nothing-received", record([(one, 0, 0)])),
            refused(
                .receipt, "invalid_value", "sequence-number-too-large",
                record([(one, Limits.maximumSequenceNumber + 1, 0)])),
            refused(.receipt, "invalid_value", "more-unread-than-received", record([(one, 7, 8)])),
            refused(.receipt, "invalid_value", "time-before-2000", record([], time: 1)),
            refused(.receipt, "unsorted", "chains-in-disorder", record([(two, 1, 0), (one, 1, 0)])),
            refused(.receipt, "unsorted", "the-same-chain-twice", record([(one, 1, 0), (one, 2, 0)])),
            refused(.receipt, "truncated", "4096-chains-that-are-not-there", record([], count: 4_096)),
            refused(
                .receipt, "too_long", "4097-chains",
                keys + [1] + wire { $0.write(number: 1_800_000_000_000) } + [0x81, 0x20]),
        ]
    }
}
