import Conversations
import Cryptography
import Foundation
import Membership
import OperationLog
import Time

/// What the first message after a removal costs in a group of 256: a fresh key, sealed for everybody who is left.
struct RemovalCost: Codable {
    static let people = Group.capacity

    var epochBytes: Int
    /// Finding the view after the removal, making the key, sealing it for all, writing and signing the operation.
    var authorMilliseconds: Double
    /// Finding the view, opening the device's own wrap and checking it against the commitment.
    var recipientMilliseconds: Double
    /// Closing one message of 100 bytes.
    var sealMicroseconds: Double
    /// Opening it.
    var openMicroseconds: Double

    static func measure() throws -> RemovalCost {
        var random = SystemRandom()
        var people: [(author: Author, credentials: Credentials, wrapKey: AgreementKey)] = []
        for _ in 0..<Self.people {
            let root = SigningKey.generate(using: &random)
            let author = Author(user: UserID(root.verifyingKey), key: .generate(using: &random))
            let wrapKey = AgreementKey.generate(using: &random)
            let identity = IdentityRecord(
                root: root, serial: 1, devices: [IdentityRecord.Entry(device: author.device, name: "bench")])
            let record = WrapRecord(by: author, counter: 1, key: wrapKey.publicKey)
            people.append((author, Credentials(identity: identity, wraps: [record]), wrapKey))
        }
        let (founder, leaver) = (people[0].author, people[1].author.device.user)
        let create = ConversationLog.creation(
            body: MembershipBody.create(nonce: random.bytes(16), founder: people[0].credentials).encoded, by: founder,
            at: .earliest)
        let id = ConversationID(createdBy: create.id)
        let authority = MembershipBody.Authority.grant(operation: create.id, slot: 0)
        var log = ConversationLog(conversation: id, root: .group, introductions: MembershipBody.introductions(of:))
        var group = Group(conversation: id, root: .group)
        var written = [try log.begin(with: create)]
        for start in stride(from: 1, to: people.count, by: 100) {
            let targets = people[start..<min(start + 100, people.count)].map(\.credentials)
            written += try log.write(
                membership: [draft(.add(under: authority, targets: targets))], by: founder, at: .earliest)
        }
        group.insert(written.map(\.operation))
        _ = group.view(at: log.membership.heads, in: log.membership)
        let removal = try log.write(
            membership: [draft(.remove(under: authority, target: leaver, pins: []))], by: founder, at: .earliest)
        group.insert(removal.map(\.operation))
        var others = group

        let clock = ContinuousClock()
        var begin = clock.now
        guard let view = group.view(at: log.membership.heads, in: log.membership) else { throw BenchError("no view") }
        let key = EpochKey.generate(using: &random)
        let wraps = try view.readers.map { try SealedBox.seal(key.secret, to: $0.wrapKey, using: &random) }
        let epoch = try log.write(
            content: [
                .init(type: .epoch, bodyLength: EpochBody.byteCount(of: wraps.count)) { header in
                    let commitment = key.commitment(of: header, view: view.id)
                    return EpochBody(view: view.id, commitment: commitment, wraps: wraps).encoded
                }
            ], by: founder, at: .earliest)[0].operation
        let author = begin.duration(to: clock.now).seconds

        let reader = people[Self.people - 1]
        begin = clock.now
        guard let theirs = others.view(at: epoch.header.membershipHeads, in: log.membership) else {
            throw BenchError("no view")
        }
        var epochs = Epochs()
        epochs.insert(epoch, view: theirs, for: reader.author.device, kept: nil) { wrap, _ in
            (try? reader.wrapKey.open(wrap)).flatMap(EpochKey.init)
        }
        let recipient = begin.duration(to: clock.now).seconds
        guard epochs.usable(for: view.id) != nil else { throw BenchError("the key does not open") }

        guard let text = MessageBody(text: String(repeating: "x", count: History.textLength))?.encoded else {
            throw BenchError("empty text")
        }
        let rounds = 20_000
        let nonce = random.bytes(ExtendedNonceCipher.nonceByteCount)
        begin = clock.now
        var body: [UInt8] = []
        for _ in 0..<rounds { body = key.seal(text, for: epoch.header, nonce: nonce) }
        let sealing = begin.duration(to: clock.now).seconds
        begin = clock.now
        for _ in 0..<rounds {
            guard try key.open(body, of: epoch.header) == text else { throw BenchError("a text does not open") }
        }
        let opening = begin.duration(to: clock.now).seconds
        return RemovalCost(
            epochBytes: epoch.header.encoded.count + epoch.header.bodyLength + Signature.byteCount,
            authorMilliseconds: author * 1_000, recipientMilliseconds: recipient * 1_000,
            sealMicroseconds: sealing / Double(rounds) * 1e6, openMicroseconds: opening / Double(rounds) * 1e6)
    }

    private static func draft(_ body: MembershipBody) -> ConversationLog.Draft {
        .init(type: body.type, body: body.encoded)
    }
}
