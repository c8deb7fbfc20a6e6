import Cryptography
import NodeCore
import OperationLog
import Replication

/// Actors with keys that belong to nobody: on the network, in no conversation.
extension World {
    /// What a connection is for that belongs to no node: a stranger has it, or a device that a liar made in addition to
    /// their node.
    struct Stranger {
        let root: SigningKey
        let author: Author
        /// What they do once they are connected.
        let step: Step
    }

    /// Strangers dial a host from a liar's machine, each with keys made for it.
    func intrude(_ step: Step, by host: Host) {
        let honest = hosts.filter { !$0.isLiar }
        guard !honest.isEmpty else { return }
        let target = honest[step.conversation % honest.count]
        for _ in 0..<(1 + step.value % 24) {
            guard target.core != nil else { return }
            let root = SigningKey.generate(using: &random)
            let author = Author(user: UserID(root.verifyingKey), key: SigningKey.generate(using: &random))
            let record = IdentityRecord(root: root, serial: 1, devices: [.init(device: author.device, name: "nowhere")])
            let stranger = Stranger(root: root, author: author, step: step)
            guard dial(target, as: stranger, showing: record, from: host) != nil else { return }
        }
    }

    /// Connects an actor without a node, on a host's machine, to another host; nil if that takes no connection.
    func dial(_ target: Host, as stranger: Stranger, showing record: IdentityRecord, from host: Host) -> Wire.Side? {
        let channel = SecureChannel(
            role: .initiator, author: stranger.author, record: record, channelKey: .generate(using: &random),
            expecting: nil, using: &random)
        let place = Endpoint(host: host.endpoint.host, port: UInt16(50_000 + lastWire % 10_000))
        guard let accepted = end(of: target, to: nil, at: place) else { return nil }
        let dialer = Wire.End(host: host.index, life: host.life, handle: nil, channel: channel)
        dialer.stranger = stranger
        begin(dialer, accepted)
        return Wire.Side(wire: lastWire, end: 0)
    }

    /// Something came to a stranger.
    func overhear(_ event: SecureChannel.Event, _ stranger: Stranger, on side: Wire.Side) {
        switch event {
        case .established(_, let transcript):
            // They stay as long as they can.
            wires[side.wire]?.ends[side.end]?.isEstablished = true
            if stranger.step.kind == .silence {
                beSilent(as: stranger.author, transcript, on: side)
            } else {
                let flooder = Flooder(root: stranger.root, author: stranger.author, transcript: transcript)
                pester(flooder, stranger.step, on: side)
            }
        case .message(let message):
            if stranger.step.kind != .silence { checker.tellsStranger(message, in: self) }
            if case .presence(.ping(let number))? = try? PeerMessage(decoding: message) {
                send(PeerMessage.presence(.pong(number)).encoded, .live, on: side)
            }
        case .closed:
            break
        }
    }
}
