import Cryptography
import OperationLog

/// How a side of a handshake shows which device it is: the device signs the transcript and its channel key.
///
/// The transcript contains the other side's fresh key, so a proof cannot be replayed; it contains our own static key,
/// so nobody in the middle can put their own there.
struct DeviceProof {
    /// The longest encoding, in bytes.
    static let maximumBytes = IdentityRecord.maximumBytes + 3 + 32 + 10 + Signature.byteCount

    /// Proves a device to the other side.
    static func make(
        by author: Author, record: IdentityRecord, role: HandshakeState.Role, transcript: [UInt8], staticKey: [UInt8]
    ) -> [UInt8] {
        let capabilities = Capabilities.own.rawValue
        var writer = CanonicalWriter()
        writer.write(data: record.encoded)
        writer.write(raw: author.device.key.bytes)
        writer.write(number: capabilities)
        let statement = statement(role: role, transcript: transcript, staticKey: staticKey, capabilities: capabilities)
        writer.write(raw: author.sign(statement).bytes)
        return writer.bytes
    }

    /// Checks the other side's proof.
    static func check(
        _ payload: [UInt8], role: HandshakeState.Role, transcript: [UInt8], staticKey: [UInt8]
    ) throws(ChannelError) -> (peer: PeerIdentity, capabilities: Capabilities) {
        guard payload.count <= maximumBytes else { throw .badLength(payload.count) }
        let record: IdentityRecord
        let device: Device
        let capabilities: UInt64
        let signature: Signature
        do throws(MalformedBytes) {
            var reader = CanonicalReader(payload)
            record = try IdentityRecord(
                verifying: try reader.data(of: "identity record", limit: IdentityRecord.maximumBytes))
            device = Device(user: record.user, key: try reader.verifyingKey(of: "device key"))
            capabilities = try reader.number()
            signature = try reader.signature()
            try reader.finish()
        } catch {
            throw .malformedProof(error)
        }
        let statement = statement(role: role, transcript: transcript, staticKey: staticKey, capabilities: capabilities)
        guard device.key.isValidPoint, device.key.verifies(signature, of: statement.bytes) else { throw .badProof }
        guard record.certifies(device.id) else { throw .uncertifiedDevice }
        return (PeerIdentity(device: device, record: record), Capabilities(rawValue: capabilities))
    }

    private static func statement(
        role: HandshakeState.Role, transcript: [UInt8], staticKey: [UInt8], capabilities: UInt64
    ) -> Statement {
        var bits = CanonicalWriter(capacity: 10)
        bits.write(number: capabilities)
        var statement = Statement("moot/1/channel")
        statement.append([role.rawValue])
        statement.append(transcript)
        statement.append(staticKey)
        statement.append(bits.bytes)
        return statement
    }
}
