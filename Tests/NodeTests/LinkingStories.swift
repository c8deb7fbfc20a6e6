import Cryptography
import Dispatch
import Foundation
import KeyStore
import LocalAPIModel
import Logging
import NodeCore
import OperationLog
import Replication
import StreamTransport
import Testing
import Waiting

@testable import Node

@Suite("Another host becomes a device")
struct LinkingStories {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A host that becomes a device of a node's user; both users agree.
    private func link(
        _ node: Node, to name: String, named title: String = "laptop", passphrase: Passphrase? = nil,
        handingOverRoot handsOverRoot: Bool = false
    ) async throws -> DeviceDescription {
        let laptop = NewDevice()
        let code = try await laptop.listen(at: "127.0.0.1:0")
        async let agreed = Self.agree(on: node, to: code, named: title, handingOverRoot: handsOverRoot)
        let meeting = try await laptop.meet()
        #expect(meeting.name == "Alice")
        #expect(meeting.user == (await node.identity().user))
        let holdsRoot = try await laptop.settle(in: scratch.file(name), passphrase: passphrase)
        #expect(holdsRoot == handsOverRoot)
        let (digits, device) = try await agreed
        #expect(meeting.digits == digits)
        return device
    }

    private static func agree(
        on node: Node, to code: String, named title: String, handingOverRoot handsOverRoot: Bool
    ) async throws -> (String, DeviceDescription) {
        let link = try await node.beginLink(by: code)
        let device = try await node.agree(toLink: link.id, named: title, handingOverRoot: handsOverRoot)
        return (link.digits, device)
    }

    /// Alice's node and Bob's, which know each other, and where Alice's is.
    private func startAliceAndBob() async throws -> (alice: Node, bob: Node, places: [String]) {
        let alice = try await Node.start("Alice", in: scratch)
        let places = await alice.status().listening
        let bob = try await Node.start("Bob", in: scratch, peers: places)
        for (node, other) in [(bob, "Alice"), (alice, "Bob")] {
            await eventually("they know each other") { await node.people().contains { $0.name == other } }
        }
        return (alice, bob, places)
    }

    /// Starts the node of a host that was linked: it does not say who it is.
    private func start(
        _ name: String, peers: [String], passphrase: Passphrase? = nil, sinks: [any NotificationSink] = []
    ) async throws -> Node {
        let node = try await Node.open(
            NodeConfiguration(
                home: scratch.file(name), listen: "127.0.0.1:0", peers: peers, discovery: false,
                notificationSinks: sinks),
            passphrase: passphrase, logger: Logger(label: "moot") { _ in SwiftLogNoOpLogHandler() })
        try await node.start()
        return node
    }

    @Test func `a linked host is the same person, finds everything there, and answers as that person`() async throws {
        let (alice, bob, places) = try await startAliceAndBob()
        let direct = try await alice.openDirect(with: "Bob").id
        _ = try await alice.send(["one", "two"], to: direct)
        await eventually("Bob has it") { (try? await bob.messages(in: direct).messages.count) == 2 }
        _ = try await bob.send(["three"], to: direct)

        let device = try await link(alice, to: "laptop")
        #expect(device.name == "laptop")
        let laptop = try await start("laptop", peers: places)
        #expect(await laptop.identity().user == (await alice.identity().user))
        #expect(await laptop.identity().name == "Alice")
        await eventually("everything is there") {
            (try? await laptop.messages(in: direct).messages.map(\.text)) == ["one", "two", "three"]
        }
        _ = try await laptop.send(["four"], to: direct)
        await eventually("Bob has the answer") {
            try await bob.messages(in: direct).messages.map(\.text) == ["one", "two", "three", "four"]
        }
        #expect(try await bob.messages(in: direct).messages.last?.senderName == "Alice")
        #expect(Set(await alice.devices().map(\.id)) == Set(await laptop.devices().map(\.id)))

        // Read on one, and seen on the other.
        _ = try await bob.send(["five"], to: direct)
        for node in [alice, laptop] {
            await eventually("both have it") { try await node.messages(in: direct).messages.last?.text == "five" }
            #expect(try await node.unreadCount() > 0)
        }
        _ = try await laptop.markRead(direct)
        await eventually("it is read on the other") { try await alice.unreadCount() == 0 }
        for node in [alice, bob, laptop] { await node.stop() }
    }

    /// Somebody dials a host that waits, says no more than the first message, and hears what becomes of that.
    private static func begin(by invitation: LinkInvitation, at address: SocketAddress) async throws {
        var random = SystemRandom()
        let root = SigningKey.generate(using: &random)
        let device = Device(user: UserID(root.verifyingKey), key: SigningKey.generate(using: &random).verifyingKey)
        let identity = IdentityRecord(root: root, serial: 1, devices: [.init(device: device, name: "")])
        let card = try #require(
            ProfileCard(root: root, version: 1, name: "Mallory", photo: [], identity: identity))
        var channel = LinkChannel(.holder(root: root, card: card), by: invitation, using: &random)
        let first = try channel.start()
        let queue = DispatchQueue(label: "dial")
        let dialed = await withCheckedContinuation { continuation in
            StreamDialer.dial(address, on: queue) { continuation.resume(returning: try? $0.get()) }
        }
        // Nobody listens any more.
        guard let socket = dialed else { return }
        let (heard, continuation) = AsyncStream.makeStream(of: Void.self)
        let connection = StreamConnection(socket: socket, queue: queue, maximumSendBytes: 1 << 16) { event in
            switch event {
            case .received, .ended: continuation.finish()
            case .opened, .drained: break
            }
        }
        try? connection.send(first)
        for await _ in heard {}
        connection.abort()
    }

    @Test func `whoever does not know the secret of a code cannot use it up`() async throws {
        let alice = try await Node.start("Alice", in: scratch)
        let laptop = NewDevice()
        let code = try LinkCode(try await laptop.listen(at: "127.0.0.1:0"))
        let guess = Array(repeating: UInt8(0), count: LinkInvitation.secretByteCount)
        let invitation = try #require(LinkInvitation(key: code.invitation.key, secret: guess))
        for _ in 0..<NewDevice.maximumBeginnings + 6 { try await Self.begin(by: invitation, at: code.addresses[0]) }
        async let agreed = Self.agree(on: alice, to: code.description, named: "laptop", handingOverRoot: false)
        #expect(try await laptop.meet().name == "Alice")
        try await laptop.settle(in: scratch.file("laptop"))
        _ = try await agreed
        await alice.stop()
    }

    @Test func `a code that others read and tried too often says that it is used up`() async throws {
        let laptop = NewDevice()
        let code = try LinkCode(try await laptop.listen(at: "127.0.0.1:0"))
        async let met = laptop.meet()
        // More often than it takes: some may find that connections which ended have not been noticed yet.
        for _ in 0..<2 * NewDevice.maximumBeginnings {
            try await Self.begin(by: code.invitation, at: code.addresses[0])
        }
        do {
            _ = try await met
            Issue.record("nobody has met it")
        } catch let error as NodeError {
            #expect(error.code == .codeExpired && error.message.contains("used up"))
        }
    }

    /// Whoever gave the word for it there need not have been the user: a script on the page can do so, and somebody at
    /// an open terminal.
    @Test func `a new device notifies on every device of the user, also on the one where it was linked`() async throws {
        let desk = NotificationTests.Screen()
        let alice = try await Node.start("Alice", in: scratch, notificationSinks: [desk])
        let places = await alice.status().listening
        func told(of name: String) -> NotificationTests.Screen.Entry {
            .shown(title: "You have a new device", body: "\(name). If it is not yours: moot devices revoke", count: 0)
        }
        _ = try await link(alice, to: "laptop")
        await eventually("the desk tells of it") { desk.entries.contains(told(of: "laptop")) }
        let lap = NotificationTests.Screen()
        let laptop = try await start("laptop", peers: places, sinks: [lap])
        await eventually("they are connected") { await alice.devices().allSatisfy(\.online) }
        _ = try await link(alice, to: "tablet", named: "tablet")
        for screen in [desk, lap] {
            await eventually("both tell of it") { screen.entries.contains(told(of: "tablet")) }
        }
        for node in [alice, laptop] { await node.stop() }
    }

    @Test func `what was written before a host was linked does not notify there, read or not`() async throws {
        let (alice, bob, places) = try await startAliceAndBob()
        let direct = try await bob.openDirect(with: "Alice").id
        _ = try await bob.send(["old"], to: direct)
        await eventually("Alice has it") { try await alice.unreadCount() == 1 }
        _ = try await link(alice, to: "laptop")
        // What comes after that does, also where yet another device is added before it is here.
        _ = try await bob.send(["new"], to: direct)
        _ = try await link(alice, to: "tablet")
        let screen = NotificationTests.Screen()
        let laptop = try await start("laptop", peers: places, sinks: [screen])
        await eventually("both are unread there") { try await laptop.unreadCount() == 2 }
        let new = NotificationTests.Screen.Entry.shown(title: "Bob", body: "new", count: 1)
        await eventually("the new one notifies") { screen.entries.contains(new) }
        let device = NotificationTests.Screen.Entry.shown(
            title: "You have a new device", body: "laptop. If it is not yours: moot devices revoke", count: 0)
        #expect(Set(screen.entries).isSubset(of: [device, new]))
        for node in [alice, bob, laptop] { await node.stop() }
    }

    @Test
    func `what Alice reads, opens, mutes or puts away on one device is notified of no more on the other`()
        async throws
    {
        let (alice, bob, places) = try await startAliceAndBob()
        let direct = try await alice.openDirect(with: "Bob").id
        _ = try await alice.send(["Ahoy"], to: direct)
        _ = try await link(alice, to: "laptop")
        let screen = NotificationTests.Screen()
        let laptop = try await start("laptop", peers: places, sinks: [screen])
        await eventually("everything is there") {
            (try? await laptop.messages(in: direct).messages.map(\.text)) == ["Ahoy"]
        }
        let events = await laptop.subscribe()
        var text = 0
        let acts: [(Node) async throws -> Void] = [
            { node in _ = try await node.markRead(direct) },
            { node in _ = try await node.keepOpen(direct) },
            { node in _ = try await node.change(PreferencesRequest(muting: .forever), of: direct) },
            { node in _ = try await node.change(PreferencesRequest(archived: true), of: direct) },
        ]
        for act in acts {
            let cleared = screen.entries.count { $0 == .cleared(direct) }
            text += 1
            let shown = screen.entries.count
            _ = try await bob.send(["\(text)"], to: direct)
            await eventually("the laptop shows it") { screen.entries.count > shown }
            await eventually("it is on the desk") {
                try await alice.messages(in: direct).messages.last?.text == "\(text)"
            }
            let began = ContinuousClock.now
            try await act(alice)
            await eventually("the laptop shows it no more") {
                screen.entries.count { $0 == .cleared(direct) } > cleared
            }
            #expect(ContinuousClock.now - began < .seconds(5).scaled)
            _ = try await alice.change(PreferencesRequest(muting: .off), of: direct)
            await eventually("it is not muted there") {
                try await laptop.conversation(direct).mutedUntil == nil
            }
        }
        await laptop.stop()
        var kinds: [NodeEvent.Kind] = []
        for await published in events.events { kinds.append(published.event.type) }
        #expect(kinds.count { $0 == .notificationCleared } == 4)
        #expect(kinds.contains(.conversation))
        for node in [alice, bob] { await node.stop() }
    }

    @Test func `a home that was restored without the root becomes a device by a link, and keeps what it had`()
        async throws
    {
        let (alice, bob, places) = try await startAliceAndBob()
        let direct = try await alice.openDirect(with: "Bob").id
        _ = try await alice.send(["hello"], to: direct)
        _ = try await link(alice, to: "laptop")
        let laptop = try await start("laptop", peers: places)
        await eventually("the message is there") {
            (try? await laptop.messages(in: direct).messages.map(\.text)) == ["hello"]
        }
        let old = await laptop.identity().device
        await laptop.stop()
        let passphrase = try #require(Passphrase("correct horse"))
        let backup = scratch.file("backup")
        try HomeBackup.write(
            scratch.file("laptop"), database: nil, to: backup, under: passphrase, program: "", cost: .least)
        try HomeBackup.restore(backup, to: scratch.file("restored"), under: passphrase)
        let refused = await #expect(throws: NodeError.self) { try await start("restored", peers: places) }
        #expect(refused?.code == .notCertified && refused?.hint?.contains("moot link") == true)

        _ = try await link(alice, to: "restored")
        let restored = try await start("restored", peers: [])
        #expect(try await restored.messages(in: direct).messages.map(\.text) == ["hello"])
        #expect(await restored.identity().device != old)
        _ = try await restored.send(["from the new disk"], to: direct)
        for node in [alice, bob, restored] { await node.stop() }
    }

    @Test func `the root is handed over to a device alone, and only what came to its end counts`() async throws {
        let alice = try await Node.start("Alice", in: scratch)
        _ = try await link(alice, to: "laptop", handingOverRoot: true)
        let laptop = scratch.file("laptop")
        let root = laptop + "/keys/root.sealed"
        var random = SystemRandom()
        var home = try Home(folder: laptop, random: &random)
        #expect(try home.unsealedRoot(with: nil).isSame(as: try alice.home.unsealedRoot(with: nil)))
        home.lock.release()

        // The host ends while a root is being handed over to another one: nobody is told that it has it, so it has not.
        _ = try await link(alice, to: "desktop")
        let unfinished = scratch.file("desktop") + "/keys/root.sealed"
        try FileManager.default.copyItem(atPath: root, toPath: unfinished)
        home = try Home(folder: scratch.file("desktop"), random: &random)
        #expect(home.keys.root == nil && !FileManager.default.fileExists(atPath: unfinished))
        home.lock.release()
        await alice.stop()
    }

    @Test func `a home that was linked opens with its passphrase alone`() async throws {
        let alice = try await Node.start("Alice", in: scratch)
        let passphrase = try #require(Passphrase("correct horse"))
        _ = try await link(alice, to: "laptop", passphrase: passphrase)
        await #expect(throws: NodeError.self) { try await start("laptop", peers: []) }
        let laptop = try await start("laptop", peers: await alice.status().listening, passphrase: passphrase)
        #expect(await laptop.identity().name == "Alice")
        await #expect(throws: NodeError.self) { try await laptop.beginLink(by: "moot:link:x") }
        for node in [alice, laptop] { await node.stop() }
    }

    @Test func `where one user says no, nothing is given and nobody is a device`() async throws {
        let alice = try await Node.start("Alice", in: scratch)
        let laptop = NewDevice()
        let link = try await alice.beginLink(by: try await laptop.listen(at: "127.0.0.1:0"))
        _ = try await laptop.meet()
        await laptop.refuse()
        let refused = await #expect(throws: NodeError.self) { try await alice.agree(toLink: link.id, named: nil) }
        #expect(refused?.code == .canceled)
        #expect(await alice.devices().count == 1)

        let other = NewDevice()
        let second = try await alice.beginLink(by: try await other.listen(at: "127.0.0.1:0"))
        _ = try await other.meet()
        _ = try await alice.refuseLink(second.id)
        let told = await #expect(throws: NodeError.self) { try await other.settle(in: scratch.file("other")) }
        #expect(told?.code == .canceled)
        #expect(!StoppedHome.isThere(scratch.file("other")))
        #expect(await alice.devices().count == 1)

        // Also where that is heard before they agree.
        let third = NewDevice()
        let last = try await alice.beginLink(by: try await third.listen(at: "127.0.0.1:0"))
        _ = try await third.meet()
        await third.refuse()
        await eventually("Alice has heard it") { await alice.deviceLinks[last.id]?.failure == .refused }
        let late = await #expect(throws: NodeError.self) { try await alice.agree(toLink: last.id, named: nil) }
        #expect(late?.code == .canceled)
        await alice.stop()
    }

    @Test func `a code is used once`() async throws {
        let alice = try await Node.start("Alice", in: scratch)
        let bob = try await Node.start("Bob", in: scratch)
        let laptop = NewDevice()
        let code = try await laptop.listen(at: "127.0.0.1:0")
        _ = try await alice.beginLink(by: code)
        await #expect(throws: NodeError.self) { try await bob.beginLink(by: code) }
        #expect(try await laptop.meet().name == "Alice")
        await laptop.refuse()
        for node in [alice, bob] { await node.stop() }
    }

    @Test func `what is no link code, or leads nowhere, is refused in words`() async throws {
        let alice = try await Node.start("Alice", in: scratch)
        await #expect(throws: NodeError.self) { try await alice.beginLink(by: try await alice.contact().code) }
        let laptop = NewDevice()
        let code = try await laptop.listen(at: "127.0.0.1:0")
        await laptop.refuse()
        let error = await #expect(throws: NodeError.self) { try await alice.beginLink(by: code) }
        #expect(error?.code == .networkError)
        await alice.stop()
    }
}
