import Blobs
import Conversations
import Cryptography
import NodeCore
import OperationLog
import Replication
import Storage
import Time

/// A simulated network of nodes: it runs a plan, and everything that happens follows from the plan alone.
///
/// It owns the same ``NodeCore`` and ``SecureChannel`` that the daemon owns, and stands in for everything around them:
/// the clock, the network, the disks, the random source, the people. One event happens at a time.
package final class World {
    /// Something that happens.
    enum Event {
        case step(Step)
        case wake(host: Int, life: Int, planned: Int)
        case arrival(Wire.Side)
        case dial(from: Int, life: Int, DialTarget)
        case dialFails(host: Int, life: Int, DialTarget)
        case dialedBack(host: Int, life: Int, DeviceID)
        case beacon([UInt8], from: Int, to: Int)
        case handshakeDeadline(Wire.Side)
        case congestion(Wire.Side, PeerHandle, Congestion)
        case chunkRead(Wire.Side, PeerHandle, missed: BlobAddress?)
        /// A liar asks for something that they have prepared.
        case question(Wire.Side, [UInt8])
        /// The devices of a liar who silences others speak again.
        case mutter(host: Int)
        /// A node has time for the next message that came.
        case work(host: Int, life: Int)
        case start(host: Int, life: Int)
        case repair(host: Int)
        case confirm(host: Int)
        case inspect
    }

    /// A conversation that somebody made, in the order of making.
    var conversations: [ConversationID] = []
    /// Codes that people pass on, in the order of making.
    var codes: [InviteOffer] = []
    let plan: Plan
    /// Microseconds since the start.
    private(set) var now = 0
    var events = EventQueue<Event>()
    var hosts: [Host] = []
    var wires: [Int: Wire] = [:]
    var lastWire = 0
    var network: Network
    var random: SeededRandom
    var trace = TraceHash()
    var checker: InvariantChecker
    /// Looks at everything that is sent.
    private let secrets: SecretSearch
    /// What the run came to in figures.
    var tally = Tally()
    /// Whether nodes need time for what comes.
    let hasQueues: Bool

    /// How often the whole is looked at, in microseconds.
    static let inspectionInterval = 500_000
    /// How long it takes a person to say that a node that stopped writing is the only copy, in microseconds.
    static let confirmationTime = 2_000_000
    /// How long a healed network may take to become equal, in microseconds.
    static let healingTime = 120_000_000

    /// Builds the hosts of a plan; all of them start within the first second.
    ///
    /// - Parameter slowness: how many milliseconds what is sent takes at most once people write, as it does where hosts
    ///   have more to do than they can; 0 for as many as the profile says.
    package init(_ plan: Plan, slowness: Int = 0) {
        self.plan = plan
        random = SeededRandom(seed: plan.seed, part: 0)
        network = Network(hosts: plan.nodes, profile: plan.profile)
        network.slowness = slowness
        hasQueues = plan.steps.contains { $0.kind.isSiege }
        hosts = Self.hosts(of: plan)
        checker = InvariantChecker(plan, hosts: hosts)
        secrets = SecretSearch(hosts.flatMap(\.secrets))
        for index in 0..<plan.nodes where hosts[index].isLinked {
            events.add(.start(host: index, life: 0), at: Int.random(in: 0..<500_000, using: &random))
        }
        for step in plan.steps { events.add(.step(step), at: step.at * 1_000) }
        events.add(.inspect, at: Self.inspectionInterval)
    }

    private static func hosts(of plan: Plan) -> [Host] {
        let make = { (index: Int, owner: Host?) in
            Host(
                index: index, isLiar: plan.liars.contains(index), seed: plan.seed, owner: owner,
                holdsRoot: plan.rootHolders.contains(index))
        }
        let first = (0..<plan.nodes).filter { plan.owners[$0] == nil }.map { ($0, make($0, nil)) }
        let people = Dictionary(uniqueKeysWithValues: first)
        return (0..<plan.nodes).map { index in people[index] ?? make(index, plan.owners[index].flatMap { people[$0] }) }
    }

    /// Makes all others people whom a node has met: it has places for some strangers only.
    private func introduce(_ host: Host, to core: inout NodeCore, at moment: Moment) throws(NodeError) {
        for other in hosts where other.user != host.user { try core.setVerified(true, of: other.user, at: moment) }
    }

    /// Runs the plan to its end, heals everything, waits until all is equal, and looks at what came of it.
    package func run() -> Outcome {
        // What happens in the first moment of writing belongs to it.
        tally.traffic.gathering = measure { run(until: plan.writingBegins * 1_000 - 1) }
        tally.meetingBytes = tally.sentBytes
        tally.traffic.writing = measure { run(until: plan.end * 1_000) }
        heal()
        let deadline = now + Self.healingTime
        converge(until: deadline)
        tally.healing = now - plan.end * 1_000
        rest()
        // A liar may have shown somebody what they had kept back from all.
        converge(until: deadline)
        checker.checkFinalState(of: self)
        return Outcome(
            plan: plan, tally: tally, virtualMilliseconds: now / 1_000, trace: trace.text,
            violations: checker.violations)
    }

    private func converge(until deadline: Int) {
        while now < deadline, !checker.isFull, !isConverged {
            run(until: min(deadline, now + 1_000_000))
        }
    }

    /// Lets happen what happens until a time, in microseconds.
    func run(until end: Int) {
        while let time = events.nextTime, time <= end, !checker.isFull {
            guard let next = events.next() else { break }
            now = max(now, next.time)
            handle(next.event)
        }
        now = max(now, end)
    }

    /// Lets some seconds go by in which nobody does anything, once all is equal and late comparisons are over.
    private func rest() {
        guard !checker.isFull, isConverged else { return }
        run(until: now + 3_000_000)
        var sent = 0
        // Where much was written at the end, comparisons go on for some seconds more. A storm would be there also after
        // that.
        for _ in 0..<2 {
            let before = tally.messages
            tally.traffic.resting = measure { run(until: now + 5_000_000) }
            sent = tally.messages - before
            if InvariantChecker.isQuiet(sent, in: 5, of: self) { break }
        }
        checker.rested(5, sending: sent, in: self)
    }

    /// Counts what is sent while something goes on.
    private func measure(_ part: () -> Void) -> TrafficPart {
        let (before, began) = (tally, now)
        part()
        return TrafficPart(
            nodes: plan.nodes, seconds: Double(now - began) / 1_000_000, written: tally.written - before.written,
            deliveries: tally.deliveries - before.deliveries,
            traffic: tally.messagesByKind.since(before.messagesByKind))
    }

    private func handle(_ event: Event) {
        trace.mix(now)
        tally.events += 1
        checker.countEvent(in: self)
        switch event {
        case .step(let step):
            trace.mix(step.kind.rawValue.utf8)
            perform(step)
        case .wake(let index, let life, let planned):
            // A node has one timer: what was planned before it was set anew does not happen.
            guard hosts[index].life == life, hosts[index].plannedWake == planned else { return }
            wake(hosts[index], event)
        case .arrival(let side):
            arrive(at: side)
        case .dial(let from, let life, let target):
            dialArrives(from: from, life: life, target)
        case .dialFails(let index, let life, let target):
            dialFails(hosts[index], life: life, target, event)
        case .dialedBack(let index, let life, let device):
            guard hosts[index].life == life else { return }
            change(hosts[index]) { $0.handle(.dialedBack(device, failure: nil), at: $1) }
        case .beacon(let bytes, let from, let to):
            let host = hosts[to]
            guard host.core != nil, network.isOpen(from: from, to: to, at: now), !postpone(event, for: host) else {
                return
            }
            let sender = hosts[from].endpoint
            change(host) { $0.handle(.heard(bytes, from: sender), at: $1) }
        case .handshakeDeadline(let side):
            guard wires[side.wire]?.ends[side.end]?.isEstablished == false else { return }
            forceClose(side, reason: "handshake_timeout")
        case .congestion(let side, let handle, let congestion):
            guard let end = wires[side.wire]?.ends[side.end] else { return }
            change(hosts[end.host]) { $0.handle(.congested(handle, congestion), at: $1) }
        case .chunkRead(let side, let handle, let missed):
            guard let end = wires[side.wire]?.ends[side.end] else { return }
            change(hosts[end.host]) { core, moment in
                core.handle(.chunkServed(to: handle), at: moment)
                if let missed { core.handle(.chunkMissing(missed), at: moment) }
            }
        case .question(let side, let message):
            send(message, .live, on: side)
        case .mutter(let index):
            mutter(hosts[index])
        case .work(let index, let life):
            guard hosts[index].life == life else { return }
            work(hosts[index])
        case .start(let index, let life):
            guard hosts[index].life == life else { return }
            start(hosts[index])
        case .repair(let index):
            hosts[index].disk.condition = .healthy
        case .confirm(let index):
            confirm(hosts[index])
        case .inspect:
            checker.inspect(self)
            events.add(.inspect, at: now + Self.inspectionInterval)
        }
    }

    /// The person behind a node that stopped writing says that it is the only copy; where the process or its disk
    /// fails, they try again.
    private func confirm(_ host: Host) {
        guard !postpone(.confirm(host: host.index), for: host) else { return }
        let waits = { host.core.map { $0.isCopied } }
        if waits() == true { change(host) { try? $0.continueAsOnlyCopy(at: $1) } }
        if waits() ?? true { events.add(.confirm(host: host.index), at: now + 1_000_000) }
    }

    /// The time has come for which a node set its timer.
    private func wake(_ host: Host, _ event: Event) {
        guard !postpone(event, for: host) else { return }
        host.plannedWake = nil
        noteAcknowledgments(by: host)
        change(host) { $0.handle(.tick, at: $1) }
    }

    /// Puts an event off if the host's process does not get to run now.
    func postpone(_ event: Event, for host: Host) -> Bool {
        guard host.frozenUntil > now else { return false }
        events.add(event, at: host.frozenUntil)
        return true
    }

    // MARK: - One host

    /// Tells a node what happened and carries out what it asks for, as the daemon does.
    ///
    /// - Returns: what `event` returned; nil if the process does not run.
    @discardableResult
    func change<Value>(_ host: Host, _ event: (inout NodeCore, Moment) -> Value) -> Value? {
        let moment = host.moment(at: now)
        // Where it is: taking the node out and putting it back retains everything it holds.
        guard let (value, effects) = host.core?.changed({ event(&$0, moment) }) else { return nil }
        if host.disk.isCut {
            losePower(host)
            return nil
        }
        carryOut(effects, of: host)
        return value
    }

    func carryOut(_ effects: [Effect], of host: Host) {
        let life = host.life
        for effect in effects {
            guard host.core != nil, host.life == life else { return }
            if let left = host.remainingEffects {
                host.remainingEffects = left - 1
                if left <= 0 { return kill(host) }
            }
            perform(effect, of: host)
        }
    }

    private func perform(_ effect: Effect, of host: Host) {
        switch effect {
        case .send(let peer, let message, let urgency):
            guard let side = host.ends[peer] else { return }
            checker.expect(!secrets.isIn(message), .secrets, self, "\(host.name) sent a secret")
            checker.sends(message, from: host, on: side, in: self)
            for message in altered(message, from: host, on: side) { send(message, urgency, on: side) }
        case .close(let peer):
            if let side = host.ends[peer] { close(side) }
        case .recognized, .fetching:
            break
        case .sendChunk(let peer, let address, let index):
            guard let side = host.ends[peer] else { return }
            let chunk = try? host.disk.chunk(index, of: address)
            if let chunk { send(PeerMessage.files(.chunk(address.root, chunk.encoded)).encoded, .bulk, on: side) }
            // As with congestion.
            events.add(.chunkRead(side, peer, missed: chunk == nil ? address : nil), at: now)
        case .dial(let target):
            host.dialed.insert(target.address)
            dial(target, from: host)
        case .dialBack(let device, _):
            events.add(.dialedBack(host: host.index, life: host.life, device), at: now + 1)
        case .announce(let beacon):
            for other in hosts where other.index != host.index { post(beacon, from: host, to: other.index) }
        case .answer(let beacon, let place):
            if let other = Host.index(at: place.description, among: hosts.count) { post(beacon, from: host, to: other) }
        case .wake(let moment):
            let time = host.started + Int(moment.sinceStart / .microseconds(1)) + 1
            guard host.plannedWake.map({ time < $0 }) ?? true else { return }
            host.plannedWake = time
            events.add(.wake(host: host.index, life: host.life, planned: time), at: max(time, now))
        case .deviceCertified:
            break
        case .show(let event):
            show(event, by: host)
        case .note(let event):
            checker.hear(event, by: host, in: self)
            // The person behind it knows that no other copy is in use.
            if case .homeCopied = event {
                tally.count("copied home")
                events.add(.confirm(host: host.index), at: now + Self.confirmationTime)
            }
        }
    }

    private func show(_ event: ClientEvent, by host: Host) {
        switch event {
        case .committed(let admitted, let conversation, _):
            if !conversations.contains(conversation) { conversations.append(conversation) }
            for entry in admitted {
                trace.mix(entry.operation.id.digest.bytes.prefix(8))
                host.acknowledged.insert(entry.operation.id)
                tally.deliveries += 1
                if entry.operation.author.id == host.device { tally.written += 1 }
                if entry.operation.header.type == .message {
                    tally.delays.hold(entry.operation.id, by: host.index, at: now)
                }
            }
            checker.committed(admitted, in: conversation, by: host, world: self)
        case .typing(let conversation):
            checker.shows(
                host.core?.peopleTyping(in: conversation, at: host.moment(at: now)) ?? [], in: conversation,
                by: host)
        case .conversation, .settled, .overruled, .person, .devices, .forgotten, .connected, .disconnected, .namesake,
            .searched, .receipts, .file, .reachability:
            break
        }
    }

    // MARK: - Life and death

    /// Starts the process of a host.
    func start(_ host: Host) {
        guard host.core == nil, host.isLinked else { return }
        host.life += 1
        host.started = now
        host.state = .running
        host.plannedWake = nil
        host.remainingEffects = nil
        (host.inbox, host.dialed) = (Host.Inbox(), [])
        host.disk.losePower()
        checker.started(host, world: self)
        var random = SeededRandom(seed: plan.seed, part: UInt64(1_000 * (host.index + 1) + host.life))
        random = SeededRandom(seed: random.next())
        do throws(StoreError) {
            host.core = try NodeCore(
                keys: host.keys, storage: host.disk, blobs: host.disk, names: [host.name],
                deviceName: "host \(host.index + 1)",
                staticPeers: [], random: random, at: host.moment(at: now))
        } catch {
            // As a person would: try again later.
            events.add(.start(host: host.index, life: host.life), at: now + 1_000_000)
            return
        }
        change(host) { core, moment in
            do throws(NodeError) {
                if plan.profile == .crowd, host.life == 1 { try introduce(host, to: &core, at: moment) }
                try core.start(onPort: Host.port, discovers: true, at: moment)
            } catch {
                // It goes on: what it owes is owed at the next start, too.
            }
        }
        withdrawUnfinishedLink(of: host)
        // A backup may be of a home that had stopped writing: that is said once, when it is noticed.
        if host.core?.isCopied == true { events.add(.confirm(host: host.index), at: now + Self.confirmationTime) }
        checker.restored(host, world: self)
    }

    /// Ends the process; the machine tells peers that the connections are gone.
    func kill(_ host: Host) {
        guard host.core != nil else { return }
        end(host, state: .killed)
        for side in host.ends.values.sorted(by: { $0.wire < $1.wire }) {
            transmit(.reset, on: side)
            wires[side.wire]?.ends[side.end] = nil
        }
        host.ends = [:]
        tally.count("kill")
    }

    /// Switches the machine off: peers learn nothing.
    func losePower(_ host: Host) {
        guard host.core != nil else { return }
        end(host, state: .off)
        for side in host.ends.values { wires[side.wire]?.ends[side.end] = nil }
        host.ends = [:]
        tally.count("power loss")
    }

    private func end(_ host: Host, state: Host.State) {
        host.core = nil
        host.state = state
        host.disk.losePower()
        events.add(.start(host: host.index, life: host.life), at: now + max(host.downtime, 10_000))
    }

    /// Ends all faults: from now on the network is whole, disks work, everybody runs.
    private func heal() {
        network.heal()
        checker.forgetDeliveries()
        for wire in wires.values.sorted(by: { $0.id < $1.id }) { release(wire) }
        for host in hosts {
            host.disk.condition = .healthy
            host.disk.cutPoint = nil
            host.remainingEffects = nil
            host.activeAttacks = [:]
            if host.frozenUntil > now {
                host.frozenUntil = now
                // What its timer was to do was put off to the end of a longer sleep.
                if let planned = host.plannedWake {
                    events.add(.wake(host: host.index, life: host.life, planned: planned), at: now)
                }
            }
            if host.core == nil, host.isLinked {
                events.add(.start(host: host.index, life: host.life), at: now + 1_000)
            }
        }
    }
}

extension NodeCore {
    fileprivate mutating func changed<Value>(_ event: (inout NodeCore) -> Value) -> (Value, [Effect]) {
        (event(&self), takeEffects())
    }
}
