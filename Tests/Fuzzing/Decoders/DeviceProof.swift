import Cryptography
import OperationLog
import Replication

extension Decoder {
    /// The proof of a device, carried by the last message of a real handshake. It is tried as it is and with Alice's
    /// signature.
    static let deviceProof = Decoder("device-proof") { bytes in
        // A frame of the handshake has two bytes for its length.
        guard bytes.count < 1 << 15 else { return .refused("bad_length") }
        _ = try check(proof: resigned, of: bytes)
        return try check(proof: { bytes, _ in bytes }, of: bytes)
    }

    private static func check(
        proof change: @escaping ([UInt8], _ transcript: [UInt8]) -> [UInt8], of bytes: [UInt8]
    ) throws -> Outcome {
        var stranger = Stranger.beforeProof()
        var sent: [UInt8] = []
        let result = try stranger.send { transcript in
            sent = change(bytes, transcript)
            return sent
        }
        switch result {
        case .failure(.malformedProof(let error)): return .refused("malformed_proof.\(error.code)")
        case .failure(let error): return .refused(error.code)
        case .success(let events):
            guard case .established(let peer, _)? = events.first, events.count == 1 else {
                throw BrokenPromise(description: "a proof that is accepted establishes the channel")
            }
            var writer = CanonicalWriter()
            writer.write(data: peer.record.encoded)
            writer.write(raw: peer.device.key.bytes)
            try promise("a proof names the device it proves", sent.starts(with: writer.bytes))
            try promise("a record certifies the device", peer.record.certifies(peer.device.id))
            return .accepted
        }
    }

    private static func resigned(_ bytes: [UInt8], transcript: [UInt8]) -> [UInt8] {
        let proof = Array(bytes.dropLast(Signature.byteCount))
        var reader = CanonicalReader(proof)
        do throws(MalformedBytes) {
            _ = try reader.data(of: "identity record", limit: IdentityRecord.maximumBytes)
            _ = try reader.verifyingKey(of: "device key")
        } catch {
            return bytes
        }
        return Stranger.signed(proof, capabilities: Array(proof[reader.position...]), transcript: transcript)
    }
}
