import Blobs
import Cryptography
import OperationLog
import OperationLogFixtures

/// A few hosts that fetch one blob from each other over a network that delays, with everything that goes wrong.
///
/// Stands in for the node around the two cores; time is a number, and everything follows from the seed.
final class Swarm {
    /// What a host is like.
    enum Manner: CaseIterable {
        /// It does what it should.
        case honest
        /// It says it has everything, and sends wrong chunks.
        case liar
        /// It says it has everything, and sends nothing.
        case mute
        /// It says it has everything, and sends the first chunk for any other.
        case repeating
        /// It says it has everything, and when it is asked for a chunk that it has only the first.
        case forgetful
    }

    final class Host {
        let id: DeviceID
        let manner: Manner
        /// What is on the disk.
        var chunks: [Int: BlobChunk] = [:]
        var transfers: BlobTransfers
        var service = BlobService()
        var isUp = true
        var isDiskFull = false
        /// Hosts that sent a wrong chunk.
        var banned: Set<DeviceID> = []
        /// Chunks that were written twice.
        var repetitions = 0
        /// Whether the user does not want the blob.
        var isCanceled = false

        /// When it wants to be told the time, in milliseconds.
        var tick: Int? {
            guard isUp, let next = transfers.nextTick else { return nil }
            return Int(next / .milliseconds(1)) + 1
        }

        init(_ id: DeviceID, _ manner: Manner, seed: UInt64) {
            (self.id, self.manner) = (id, manner)
            transfers = BlobTransfers(seed: seed)
        }
    }

    private enum Message {
        case wanted
        case held([UInt8])
        case chunksWanted([Int])
        case chunk([UInt8])
    }

    private struct Delivery {
        let at: Int
        let order: Int
        let from: DeviceID
        let to: DeviceID
        let message: Message
    }

    let blob: EncodedBlob
    private(set) var hosts: [DeviceID: Host] = [:]
    /// The hosts in the order of their manners.
    private(set) var ids: [DeviceID] = []
    private(set) var milliseconds = 0
    /// Chunks on their way so far.
    private(set) var sent = 0
    private var mail: [Delivery] = []
    private var count = 0
    private var random: SplitMix64
    private var lines: Set<Set<DeviceID>> = []

    init(_ blob: EncodedBlob, _ manners: [Manner], seed: UInt64) {
        self.blob = blob
        random = SplitMix64(seed: seed)
        for (index, manner) in manners.enumerated() {
            let id = DeviceID(digest: .hash("device", [UInt8(index)]))
            hosts[id] = Host(id, manner, seed: random.next())
            ids.append(id)
        }
    }

    private var now: Duration { .milliseconds(milliseconds) }

    func isWhole(_ id: DeviceID) -> Bool { hosts[id]?.chunks.count == blob.address.chunkCount }

    // MARK: - What happens

    /// Gives a host all of the blob.
    func give(_ id: DeviceID) {
        for chunk in blob.chunks { hosts[id]?.chunks[chunk.index] = chunk }
    }

    /// The host learns of the blob.
    func want(_ id: DeviceID) {
        guard let host = hosts[id], !isWhole(id) else { return }
        var held = ChunkSet(of: blob.address)
        for index in host.chunks.keys { held.insert(index) }
        host.transfers.want(blob.address, holding: held, halted: host.isCanceled ? .canceled : nil)
        for other in ids where isConnected(id, other) {
            perform(host.transfers.meet(other, of: other.person, for: blob.address, at: now), by: host)
        }
    }

    func isConnected(_ one: DeviceID, _ other: DeviceID) -> Bool { lines.contains([one, other]) }

    func connect(_ one: DeviceID, _ other: DeviceID) {
        guard one != other, let first = hosts[one], let second = hosts[other], first.isUp, second.isUp,
            !first.banned.contains(other), !second.banned.contains(one), lines.insert([one, other]).inserted
        else { return }
        perform(first.transfers.meet(other, of: other.person, for: blob.address, at: now), by: first)
        perform(second.transfers.meet(one, of: one.person, for: blob.address, at: now), by: second)
    }

    func disconnect(_ one: DeviceID, _ other: DeviceID) {
        guard lines.remove([one, other]) != nil else { return }
        mail.removeAll { Set([$0.from, $0.to]) == [one, other] }
        for (id, peer) in [(one, other), (other, one)] {
            guard let host = hosts[id] else { continue }
            host.service.lose(peer)
            perform(host.transfers.lose(peer, at: now), by: host)
        }
    }

    /// The process ends; only the disk is left.
    func kill(_ id: DeviceID) {
        for other in ids { disconnect(id, other) }
        hosts[id]?.isUp = false
    }

    func restart(_ id: DeviceID) {
        guard let host = hosts[id], !host.isUp else { return }
        host.isUp = true
        host.transfers = BlobTransfers(seed: random.next())
        host.service = BlobService()
        want(id)
    }

    func cancel(_ id: DeviceID) {
        hosts[id]?.isCanceled = true
        hosts[id]?.transfers.cancel(blob.address)
    }

    func resume(_ id: DeviceID) {
        guard let host = hosts[id] else { return }
        host.isCanceled = false
        perform(host.transfers.resume([blob.address], at: now), by: host)
    }

    /// Something at random that may happen on any day.
    func misfortune() {
        let one = ids[Int.random(in: 0..<ids.count, using: &random)]
        let other = ids[Int.random(in: 0..<ids.count, using: &random)]
        switch Int.random(in: 0..<8, using: &random) {
        case 0: disconnect(one, other)
        case 1: kill(one)
        case 2: restart(one)
        case 3: cancel(one)
        case 4: resume(one)
        case 5: hosts[one]?.isDiskFull.toggle()
        default: connect(one, other)
        }
    }

    /// All is well again: everybody is up and knows everybody.
    func heal() {
        for id in ids {
            restart(id)
            hosts[id]?.isDiskFull = false
            resume(id)
        }
        for one in ids { for other in ids { connect(one, other) } }
    }

    /// Goes on for a time, or until something is so.
    func run(_ duration: Int, until isOver: () -> Bool = { false }) {
        let end = milliseconds + duration
        while !isOver() {
            let delivery = mail.indices.min { (mail[$0].at, mail[$0].order) < (mail[$1].at, mail[$1].order) }
            let ticking = ids.compactMap { id in hosts[id]?.tick.map { (at: $0, id: id) } }.min { $0.at < $1.at }
            let next = min(delivery.map { mail[$0].at } ?? end, ticking?.at ?? end)
            guard next < end else { break }
            milliseconds = max(milliseconds, next)
            if let delivery, mail[delivery].at <= next {
                deliver(mail.remove(at: delivery))
            } else if let host = ticking.flatMap({ hosts[$0.id] }) {
                perform(host.transfers.tick(at: now), by: host)
            }
        }
        if !isOver() { milliseconds = end }
    }

    // MARK: - What a node does

    private func perform(_ effects: [BlobTransfers.Effect], by host: Host) {
        for effect in effects {
            switch effect {
            case .ask(let peer, _, _): send(.wanted, from: host.id, to: peer)
            case .request(let peer, _, let indices):
                guard !host.isDiskFull else {
                    perform(host.transfers.fail(blob.address, at: now), by: host)
                    continue
                }
                send(.chunksWanted(indices), from: host.id, to: peer)
            }
        }
    }

    private func send(_ message: Message, from: DeviceID, to: DeviceID) {
        count += 1
        if case .chunk = message { sent += 1 }
        // In order on each line, as a connection is.
        let last = mail.filter { $0.from == from && $0.to == to }.map(\.at).max() ?? 0
        let at = max(last, milliseconds + Int.random(in: 1...20, using: &random))
        mail.append(Delivery(at: at, order: count, from: from, to: to, message: message))
    }

    private func held(by host: Host) -> ChunkSet {
        guard host.manner == .honest else { return .whole(blob.address) }
        var held = ChunkSet(of: blob.address)
        for index in host.chunks.keys { held.insert(index) }
        return held
    }

    private func deliver(_ delivery: Delivery) {
        guard let host = hosts[delivery.to] else { return }
        let peer = delivery.from
        switch delivery.message {
        case .wanted:
            let held = held(by: host)
            host.service.admit(peer, to: blob.address, told: held.count)
            send(.held(held.bytes), from: host.id, to: peer)
        case .held(let bytes):
            guard let chunks = ChunkSet(bytes: bytes, of: blob.address) else { return }
            perform(host.transfers.learn(chunks, of: blob.address, from: peer, at: now), by: host)
        case .chunksWanted(let indices):
            guard host.manner != .mute else { return }
            if host.manner == .forgetful {
                var held = ChunkSet(of: blob.address)
                held.insert(0)
                return send(.held(held.bytes), from: host.id, to: peer)
            }
            host.service.enqueue(indices, of: blob.address, for: peer)
            while let next = host.service.next(for: peer) {
                host.service.read(for: peer)
                var bytes = blob.chunks[host.manner == .repeating ? 0 : next.index].encoded
                if host.manner == .liar { bytes[bytes.count - 1] ^= 1 }
                send(.chunk(bytes), from: host.id, to: peer)
            }
        case .chunk(let bytes):
            guard let chunk = try? BlobChunk(verifying: bytes, of: blob.address) else {
                host.banned.insert(peer)
                return disconnect(host.id, peer)
            }
            take(chunk, by: host, from: peer)
        }
    }

    private func take(_ chunk: BlobChunk, by host: Host, from peer: DeviceID) {
        let isLacking = host.transfers.lacks(chunk, from: peer)
        if isLacking, host.isDiskFull {
            return perform(host.transfers.fail(blob.address, at: now), by: host)
        }
        if isLacking {
            if host.chunks.updateValue(chunk, forKey: chunk.index) != nil { host.repetitions += 1 }
        }
        perform(host.transfers.take(chunk, from: peer, isHeld: isLacking, at: now), by: host)
        let held = held(by: host)
        if held.isWhole { host.transfers.forget(blob.address) }
        for listener in host.service.listeners(to: blob.address, now: held) {
            send(.held(held.bytes), from: host.id, to: listener)
        }
    }
}

extension DeviceID {
    /// The person of a device that is their only one.
    var person: UserID { UserID(digest: digest) }
}
