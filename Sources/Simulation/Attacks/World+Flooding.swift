import Conversations
import Cryptography
import NodeCore
import OperationLog
import Replication

/// What anybody can send without being in a conversation: introductions, announcements, addresses, proofs.
extension World {
    /// Who floods: a user with all their keys.
    struct Flooder {
        let root: SigningKey
        let author: Author
        let transcript: [UInt8]

        /// A record of the flooder's one device.
        var record: IdentityRecord {
            IdentityRecord(root: root, serial: 1, devices: [.init(device: author.device, name: "nowhere")])
        }
    }

    /// Introduces itself over and over, each time with a newer card.
    func greet(_ flooder: Flooder, times: Int, on side: Wire.Side) {
        for number in 0..<times {
            guard
                let card = ProfileCard(
                    root: flooder.root, version: UInt64(now) + UInt64(number), name: "Pest \(number)", photo: [],
                    identity: flooder.record)
            else { continue }
            let key = AgreementKey.generate(using: &random)
            let wrap = WrapRecord(by: flooder.author, counter: UInt64(number + 1), key: key.publicKey)
            let introduction = Introduction(card: card, wraps: [wrap]).encoded
            let port = UInt16(1_024 + number % 60_000)
            send(
                PeerMessage.people(.hello(replicaEpoch: random.bytes(16), port: port, introduction)).encoded, .live,
                on: side)
        }
    }

    /// Tells of groups and direct conversations that nobody knows, and of some that others have with each other.
    func invent(_ flooder: Flooder, times: Int, on side: Wire.Side) {
        for number in 0..<times {
            let noise = random.bytes(32)
            let message: SharingMessage
            switch number % 3 {
            case 0:
                message = .announce(ConversationID(digest: .hash("moot/1/flood", noise)), .group)
            case 1:
                // With somebody who does not exist.
                guard let wire = wires[side.wire] else { return }
                let victim = hosts[wire.hosts[side.other.end]].user
                let users = [victim, UserID(digest: .hash("moot/1/flood", noise))].sorted()
                message = .announce(
                    ConversationID(directBetween: users[0], and: users[1]), .direct(users[0], users[1]))
            default:
                let users = [hosts[number % hosts.count].user, hosts[(number / 3) % hosts.count].user].sorted()
                guard users[0] != users[1] else { continue }
                message = .announce(
                    ConversationID(directBetween: users[0], and: users[1]), .direct(users[0], users[1]))
            }
            send(PeerMessage.sharing(message).encoded, .live, on: side)
        }
    }

    /// Names places where nobody is, and says of honest places that somebody else is there.
    func mislead(times: Int, on side: Wire.Side) {
        let junk = (0..<times).map { number in
            PeerAddress(
                device: DeviceID(digest: .hash("moot/1/flood", random.bytes(8))),
                address: "10.\(1 + number % 200).\(number / 200 % 250).\(100 + now % 150):\(1_024 + number)")
        }
        let swapped = hosts.map { host in
            PeerAddress(device: hosts[(host.index + 1) % hosts.count].device, address: host.endpoint.description)
        }
        for start in stride(from: 0, to: junk.count, by: 512) {
            let part = Array(junk[start..<min(start + 512, junk.count)])
            send(PeerMessage.people(.addresses(part + swapped)).encoded, .live, on: side)
        }
    }

    /// Shows proofs that prove nothing, of codes that exist and that do not.
    func guess(_ flooder: Flooder, times: Int, on side: Wire.Side) {
        for number in 0..<times {
            let offer = codes.isEmpty ? nil : codes[number % codes.count]
            let invite = number % 2 == 0 ? offer?.invite : nil
            let conversation = offer?.conversation ?? ConversationID(digest: .hash("moot/1/flood", random.bytes(8)))
            let id = invite ?? OperationID(digest: .hash("moot/1/flood", random.bytes(8)))
            let proof = InviteProof(of: id, to: conversation, for: flooder.author.device.user, signedWith: flooder.root)
            let tag = ConversationTag(conversation, transcript: flooder.transcript, role: .initiator)
            send(PeerMessage.sharing(.proof(tag, id, proof)).encoded, .live, on: side)
        }
    }

    /// Does one of it, as a number says.
    func pester(_ flooder: Flooder, _ step: Step, on side: Wire.Side) {
        let times = 40 + 20 * (step.value % 24)
        switch step.other % 5 {
        case 0: greet(flooder, times: times / 4, on: side)
        case 1: invent(flooder, times: times, on: side)
        case 2: mislead(times: 3 * times, on: side)
        case 3: guess(flooder, times: times / 4, on: side)
        default:
            greet(flooder, times: times / 16, on: side)
            invent(flooder, times: times / 4, on: side)
            mislead(times: times, on: side)
        }
    }

    /// A member floods everybody they are connected to.
    func pester(_ step: Step, by host: Host) {
        guard let root = host.keys.root else { return }
        let flooder = Flooder(root: root, author: host.keys.author, transcript: [])
        for side in host.ends.values.sorted(by: { $0.wire < $1.wire }) { pester(flooder, step, on: side) }
    }
}
