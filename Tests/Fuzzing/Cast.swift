import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Time

/// Alice and Bob, whose keys are the same in every run: so the corpus holds valid signatures, and the fuzzer can sign
/// again what it has changed.
enum Cast {
    static let alice = person(1)
    static let bob = person(2)
    static let aliceRecord = record(of: alice, serial: 1, named: "desk")
    static let bobRecord = record(of: bob, serial: 7, named: "phone")
    static let aliceCredentials = Credentials(identity: aliceRecord, wraps: [wrapRecord(of: alice, counter: 1)])
    static let bobCredentials = Credentials(identity: bobRecord, wraps: [wrapRecord(of: bob, counter: 300)])
    static let aliceChannelKey = channelKey(3)
    static let bobChannelKey = channelKey(4)

    /// The operation by which Alice founds the group of all examples.
    static let creation = ConversationLog.creation(
        body: MembershipBody.create(
            nonce: Array(repeating: 9, count: MembershipBody.nonceByteCount), founder: aliceCredentials
        ).encoded, by: alice.author, at: time)
    static let conversation = ConversationID(createdBy: creation.id)
    static let time = Timestamp(clamping: 1_800_000_000_000)

    /// Somebody's root key, if the user is one of the two.
    static func root(of user: [UInt8]) -> SigningKey? {
        [alice.root, bob.root].first { $0.verifyingKey.bytes == user }
    }

    /// Somebody's device that can sign, if it is one of the two.
    static func author(of device: DeviceID) -> Author? {
        [alice.author, bob.author].first { $0.device.id == device }
    }

    /// A log that holds nothing of the group.
    static var emptyLog: ConversationLog {
        ConversationLog(
            conversation: conversation, root: .group, introductions: MembershipBody.introductions(of:))
    }

    private static func person(_ seed: UInt64) -> Person {
        var random = SplitMix64(seed: seed)
        return Person(using: &random)
    }

    private static func channelKey(_ seed: UInt64) -> AgreementKey {
        var random = SplitMix64(seed: seed)
        return AgreementKey.generate(using: &random)
    }

    private static func wrapRecord(of person: Person, counter: UInt64) -> WrapRecord {
        WrapRecord(by: person.author, counter: counter, key: channelKey(counter).publicKey)
    }

    private static func record(of person: Person, serial: UInt64, named name: String) -> IdentityRecord {
        IdentityRecord(root: person.root, serial: serial, devices: [.init(device: person.author.device, name: name)])
    }
}
