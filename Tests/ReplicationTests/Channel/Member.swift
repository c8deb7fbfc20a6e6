import Cryptography
import OperationLog
import OperationLogFixtures
import Replication

/// A person as a channel needs one: a device that its root certifies, and a channel key.
struct Member {
    let person: Person
    let record: IdentityRecord
    let channelKey: AgreementKey

    var device: DeviceID { person.device }

    init(using random: inout some RandomNumberGenerator, deviceName: String = "laptop") {
        person = Person(using: &random)
        record = IdentityRecord(
            root: person.root, serial: 1, devices: [.init(device: person.author.device, name: deviceName)])
        channelKey = .generate(using: &random)
    }

    /// This member's end of a new connection.
    func channel(
        _ role: HandshakeState.Role, expecting expected: DeviceID? = nil, using random: inout some RandomNumberGenerator
    ) -> SecureChannel {
        SecureChannel(
            role: role, author: person.author, record: record, channelKey: channelKey, expecting: expected,
            using: &random)
    }
}
