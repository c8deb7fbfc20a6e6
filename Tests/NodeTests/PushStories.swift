import Dispatch
import LocalAPIModel
import OperationLog
import Replication
import StreamTransport
import Testing
import Waiting

@testable import Node
@testable import NodeCore

/// What Alice's node takes from Mallory, who is a member and sends whatever bytes they like, and from Carol.
@Suite("The pace of pushes")
struct PushStories {
    /// Alice, Mallory and Carol, who share a group. Mallory dials Alice.
    private struct Trio {
        let scratch: Scratch
        let alice: Node
        let mallory: Node
        let carol: Node
        let ship: String
    }

    private func tell(_ story: (Trio) async throws -> [Node]) async throws {
        let scratch = try Scratch()
        let alice = try await Node.start("Alice", in: scratch)
        let carol = try await Node.start("Carol", in: scratch, peers: await alice.status().listening)
        let mallory = try await Node.start("Mallory", in: scratch, peers: await alice.status().listening)
        await eventually("they know both") {
            Set(await alice.people().map(\.name)) == ["Alice", "Carol", "Mallory"]
        }
        let ship = try await alice.createGroup(name: "Ship", members: ["Mallory", "Carol"]).id
        let trio = Trio(scratch: scratch, alice: alice, mallory: mallory, carol: carol, ship: ship)
        for node in [mallory, carol] {
            await eventually("everybody is there") { try await node.conversations().contains { $0.id == ship } }
        }
        let further = try await story(trio)
        for node in [alice, carol, mallory] + further { await node.stop() }
    }

    private func has(_ text: String, _ node: Node, _ conversation: String) async throws -> Bool {
        try await node.messages(in: conversation, limit: 200).messages.contains { $0.text == text }
    }

    /// Waits until a node can push in a conversation to the device of another.
    private func shares(_ conversation: String, _ node: Node, with other: Node) async throws {
        let device = await other.ownDevice
        await eventually("they share it") { await node.pushes(to: device, in: conversation) }
    }

    /// A message with a batch, as a push or as an answer.
    private func message(_ message: [UInt8], isAnswer: Bool) throws -> [UInt8] {
        guard case .lane(let slot, .batch(_, _, let bytes)) = try PeerMessage(decoding: message) else { return message }
        return PeerMessage.lane(slot, .batch(isAnswer: isAnswer, bytes)).encoded
    }

    @Test(arguments: [false, true])
    func `whoever pushes at the speed of the line waits, whatever they call it, and nobody waits for them`(
        isAnswer: Bool
    ) async throws {
        try await tell { trio in
            let device = await trio.alice.ownDevice
            try await shares(trio.ship, trio.mallory, with: trio.alice)
            try await shares(trio.ship, trio.carol, with: trio.alice)
            // What is in the batches is here already after the first time, so that nobody is asked for anything.
            let texts = (0..<60).map { "\($0) " + String(repeating: "x", count: 16_000) }
            let batches = try await trio.mallory.write(texts, in: trio.ship, for: device)
            #expect(batches.reduce(0) { $0 + $1.count } > 900_000)
            await eventually("it came") { try await has(texts[59], trio.alice, trio.ship) }
            await eventually("they are equal") { try await trio.alice.isEqual(to: trio.mallory, in: trio.ship) }
            let line = try #require(await trio.mallory.takeOver(device))
            let flood = try batches.map { try message($0, isAnswer: isAnswer) }
            let flooding = Task {
                while !Task.isCancelled {
                    // What has no room goes another time.
                    for bytes in flood { try? line.send(bytes, urgency: .live, within: 64 << 20) }
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            defer { flooding.cancel() }
            let user = await trio.mallory.me
            await eventually("they must wait") { await trio.alice.remains(of: user) > PushRateLimit.burst }
            _ = try await trio.carol.send(["Ahoy"], to: trio.ship)
            await eventually("Carol is heard") { try await has("Ahoy", trio.alice, trio.ship) }
            let remains = await trio.alice.remains(of: user)
            #expect(remains <= PushRateLimit.burst + SecureChannel.maximumMessageBytes)
            return []
        }
    }

    @Test func `a new connection is no new beginning`() async throws {
        try await tell { trio in
            let device = await trio.alice.ownDevice
            let user = await trio.mallory.me
            await trio.alice.take(PushRateLimit.burst + (1 << 30), of: user)
            await trio.mallory.stop()
            await eventually("they are gone") { await trio.alice.peers().count == 1 }
            let again = try await Node.start(
                "Mallory", in: trio.scratch, peers: await trio.alice.status().listening)
            try await shares(trio.ship, again, with: trio.alice)
            try await shares(trio.ship, trio.carol, with: trio.alice)
            // First, so that Alice's node cannot ask for what is there.
            let line = try #require(await again.takeOver(device))
            let batches = try await again.write(["at once"], in: trio.ship, for: device, isSent: false)
            for batch in batches { try line.send(batch, urgency: .live) }
            _ = try await trio.carol.send(["Ahoy"], to: trio.ship)
            await eventually("Carol is heard") { try await has("Ahoy", trio.alice, trio.ship) }
            #expect(try await !has("at once", trio.alice, trio.ship))
            return [again]
        }
    }

    @Test func `a device that contradicts itself again and again is warned of once`() async throws {
        try await tell { trio in
            let device = await trio.alice.ownDevice
            try await shares(trio.ship, trio.mallory, with: trio.alice)
            let events = await trio.alice.subscribe().events
            let branches = try await trio.mallory.fork(["one", "two", "three", "four"], in: trio.ship, for: device)
            let line = try #require(await trio.mallory.takeOver(device))
            for batch in branches.joined() { try line.send(batch, urgency: .live) }
            await eventually("all are there") { try await has("four", trio.alice, trio.ship) }
            _ = try await trio.carol.send(["Ahoy"], to: trio.ship)
            var warnings = 0
            for await published in events {
                if published.event.type == .warning { warnings += 1 }
                if published.event.message?.text == "Ahoy" { break }
            }
            #expect(warnings == 1)
            return []
        }
    }

    @Test func `a stranger who does not read what they are sent is left long before a member`() async throws {
        try await tell { trio in
            let eve = try await Node.start("Eve", in: trio.scratch, peers: await trio.alice.status().listening)
            await eventually("they are there") { await trio.alice.peers().count == 3 }
            let device = await trio.alice.ownDevice
            for node in [eve, trio.carol] { await node.stopReading(from: device) }
            let (stranger, member) = (await eve.ownDevice, await trio.carol.ownDevice)
            #expect(await trio.alice.takesMore(for: stranger, after: 4 << 20) == false)
            #expect(await trio.alice.takesMore(for: member, after: 4 << 20) == true)
            return [eve]
        }
    }
}

extension Node {
    fileprivate var ownDevice: DeviceID { core.device.id }

    private func handle(of device: DeviceID) -> PeerHandle? {
        core.links.first { $0.value.identity?.device.id == device }?.key
    }

    fileprivate func pushes(to device: DeviceID, in conversation: String) -> Bool {
        guard let peer = handle(of: device), let id = try? replica(named: conversation).id else { return false }
        return core.replicator.reaches(peer, in: id)
    }

    /// Writes messages, and returns the batches in which a device gets them.
    ///
    /// - Parameter isSent: Whether they are sent, or for a while are in no other hands.
    fileprivate func write(
        _ texts: [String], in conversation: String, for device: DeviceID, isSent: Bool = true
    ) throws -> [[UInt8]] {
        let id = try replica(named: conversation).id
        let peer = try #require(handle(of: device))
        return try change { core, moment throws(NodeError) in
            _ = try core.send(texts, to: id, replyTo: nil, at: moment)
            let batches = core.effects.compactMap { effect -> [UInt8]? in
                if case .send(peer, let bytes, _) = effect, bytes.first == PeerMessage.batchKind { bytes } else { nil }
            }
            if !isSent { core.effects = [] }
            return batches
        }
    }

    /// Writes messages none of which follows another, and returns the batches in which a device gets each.
    fileprivate func fork(_ texts: [String], in conversation: String, for device: DeviceID) throws -> [[[UInt8]]] {
        try texts.map { text in
            let before = core
            defer { core = before }
            return try write([text], in: conversation, for: device, isSent: false)
        }
    }

    /// The connection to a device, on which only the test sends something from now on. Nobody hears of this node
    /// otherwise.
    fileprivate func takeOver(_ device: DeviceID) -> PeerConnection? {
        wake.cancel()
        listener?.stop()
        let line = handle(of: device).flatMap { connections.removeValue(forKey: $0)?.stream }
        connections = [:]
        return line
    }

    /// Whether the devices of two nodes hold the same of a conversation, as far as this one was told.
    fileprivate func isEqual(to other: Node, in conversation: String) async throws -> Bool {
        let device = await other.ownDevice
        return core.replicator.status(of: try replica(named: conversation).id).inSync.contains(device)
    }

    fileprivate func remains(of user: UserID) -> Int { rateLimits.remains(of: user, at: now) }

    fileprivate func take(_ byteCount: Int, of user: UserID) { _ = rateLimits.take(byteCount, of: user, at: now) }

    fileprivate func stopReading(from device: DeviceID) {
        if let peer = handle(of: device) { connections[peer]?.stream.pauseReading() }
    }

    /// Sends a device a lot, as the core would, and tells whether its connection takes more.
    fileprivate func takesMore(for device: DeviceID, after byteCount: Int) -> Bool? {
        guard let peer = handle(of: device), let stream = connections[peer]?.stream else { return nil }
        // Of a kind that no version knows.
        let message = [UInt8](repeating: 255, count: 128 << 10)
        change { core, _ in
            for _ in 0..<byteCount / message.count { core.effects.append(.send(peer, message, .live)) }
        }
        return (try? stream.send([255], urgency: .live)) != nil
    }
}
