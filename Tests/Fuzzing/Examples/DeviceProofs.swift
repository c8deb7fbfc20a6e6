import Cryptography
import OperationLog
import OperationLogFixtures
import Replication

extension Example {
    static func deviceProofs() throws -> [Example] {
        var stranger = Stranger.beforeProof()
        var transcript: [UInt8] = []
        _ = try stranger.send { seen in
            transcript = seen
            return []
        }
        let plain = Stranger.honestProof(transcript: transcript)
        func proof(_ record: [UInt8], key: [UInt8], capabilities: [UInt8] = [0]) -> [UInt8] {
            let start = wire {
                $0.write(data: record)
                $0.write(raw: key)
            }
            return Stranger.signed(start + capabilities, capabilities: capabilities, transcript: transcript)
        }
        let record = Cast.aliceRecord.encoded
        let key = Cast.alice.author.device.key.bytes
        return [
            accepted(.deviceProof, "honest", plain),
            accepted(.deviceProof, "unknown-capabilities", proof(record, key: key, capabilities: [0xFF, 0x7F])),
            refused(.deviceProof, "malformed_proof.truncated", "nothing", []),
            refused(.deviceProof, "malformed_proof.truncated", "without-its-last-byte", plain.dropLast()),
            refused(.deviceProof, "malformed_proof.trailing_bytes", "and-a-zero", plain + [0]),
            refused(.deviceProof, "bad_proof", "forged", plain.withLastBitChanged),
            refused(.deviceProof, "bad_proof", "weak-key", proof(record, key: Array(repeating: 0, count: 32))),
            refused(.deviceProof, "bad_proof", "key-of-another", proof(record, key: Cast.bob.author.device.key.bytes)),
            refused(.deviceProof, "uncertified_device", "record-of-another", proof(Cast.bobRecord.encoded, key: key)),
            refused(
                .deviceProof, "malformed_proof.bad_signature", "forged-record",
                proof(record.withLastBitChanged, key: key)),
            refused(
                .deviceProof, "malformed_proof.non_canonical_number", "capabilities-in-two-bytes",
                proof(record, key: key, capabilities: [0x80, 0])),
            refused(.deviceProof, "malformed_proof.too_long", "record-above-the-limit", [0xFF, 0x7F]),
            refused(.deviceProof, "bad_length", "above-the-limit", Array(repeating: 0, count: 2_400)),
        ]
    }
}
