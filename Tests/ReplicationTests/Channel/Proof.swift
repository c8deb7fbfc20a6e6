import Cryptography
import OperationLog
import OperationLogFixtures

/// A device proof, written out here once more as Protocol.md says, so that each part can be wrong.
struct Proof {
    var record: [UInt8]
    var deviceKey: [UInt8]
    var capabilities: UInt64 = 0
    var signature: Signature

    /// The proof of a member's device for one handshake.
    init(
        of member: Member, role: UInt8, transcript: [UInt8], staticKey: [UInt8], signedCapabilities: UInt64 = 0,
        label: StaticString = "moot/1/channel"
    ) {
        record = member.record.encoded
        deviceKey = member.person.author.device.key.bytes
        let statement = Self.statement(
            role: role, transcript: transcript, staticKey: staticKey, capabilities: signedCapabilities, label: label)
        signature = member.person.author.sign(statement)
    }

    /// What a device signs.
    static func statement(
        role: UInt8, transcript: [UInt8], staticKey: [UInt8], capabilities: UInt64 = 0,
        label: StaticString = "moot/1/channel"
    ) -> Statement {
        var bits = CanonicalWriter()
        bits.write(number: capabilities)
        var statement = Statement(label)
        statement.append([role])
        statement.append(transcript)
        statement.append(staticKey)
        statement.append(bits.bytes)
        return statement
    }

    /// The payload of a handshake message.
    var encoded: [UInt8] {
        var writer = CanonicalWriter()
        writer.write(data: record)
        writer.write(raw: deviceKey)
        writer.write(number: capabilities)
        writer.write(raw: signature.bytes)
        return writer.bytes
    }
}
