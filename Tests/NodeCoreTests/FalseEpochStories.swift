import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Mallory, a member with eight devices, makes keys that do not open for everybody. What Alice writes is readable for
/// Bob and Carol within a second.
@Suite("False keys of a member with eight devices")
struct FalseEpochStories {
    private static let (alice, bob, carol) = (0, 1, 2)
    private static let step: Duration = .milliseconds(50)
    private var trio: Trio
    private let ship: ConversationID
    /// Mallory's devices.
    private let devices: [Person]
    /// What Mallory holds.
    private var log: ConversationLog
    private var now = Duration.zero
    private var random = SeededRandom(seed: 44)

    init() throws {
        let root = SigningKey.generate(using: &random)
        var devices: [Person] = []
        for _ in 0..<IdentityRecord.maximumDevices { devices.append(Person(root: root, using: &random)) }
        let credentials = Credentials(
            identity: IdentityRecord(
                root: root, serial: 1, devices: devices.map { .init(device: $0.author.device, name: "hold") }),
            wraps: devices.map { WrapRecord(by: $0.author, counter: 1, key: $0.wrapKey.publicKey) })
        var trio = try Trio()
        _ = trio.cores[Self.alice].contacts.learn(credentials)
        trio.cores[Self.alice].learn(try #require(devices[0].card(name: "Mallory")))
        ship = try trio.cores[Self.alice].createGroup(
            name: "Ship", members: [trio.bob.me, trio.carol.me, credentials.user], at: Trio.moment)
        for index in [Self.bob, Self.carol] {
            trio.cores[index].open(ship, root: .group)
            trio.deliver(ship, to: index)
        }
        for index in trio.cores.indices {
            for other in trio.cores.indices where other != index { _ = trio.connect(index, to: other) }
            for device in devices {
                let handle = trio.cores[index].begin(
                    to: nil, at: Endpoint(host: "192.0.2.9", port: 1), moment: Trio.moment)
                trio.cores[index].context.links[handle]?.identity = PeerIdentity(
                    device: device.author.device, record: credentials.identity)
            }
        }
        log = try #require(trio.alice.replicas[ship]).log
        (self.trio, self.devices) = (trio, devices)
    }

    // MARK: - What Mallory does

    /// Epochs of one device, which open for those readers for whom they are said to.
    private mutating func makeEpochs(
        _ count: Int, by device: Person, opensFor: (DeviceID) -> Bool
    ) throws -> [Operation] {
        var group = try #require(trio.alice.replicas[ship]).group
        let readers = group.view(at: log.membership.heads, in: log.membership)
        let view = try #require(readers)
        let drafts = try (0..<count).map { _ in
            let key = EpochKey.generate(using: &random)
            let wraps = try view.readers.map { reader in
                opensFor(reader.device)
                    ? try SealedBox.seal(key.secret, to: reader.wrapKey, using: &random)
                    : [UInt8](repeating: 1, count: EpochBody.wrapByteCount)
            }
            return ConversationLog.Draft(type: .epoch, bodyLength: EpochBody.byteCount(of: wraps.count)) { header in
                EpochBody(view: view.id, commitment: key.commitment(of: header, view: view.id), wraps: wraps).encoded
            }
        }
        return try write(drafts, by: device)
    }

    private mutating func write(_ drafts: [ConversationLog.Draft], by device: Person) throws -> [Operation] {
        try log.write(content: drafts, by: device.author, at: Trio.after(now).wall).map(\.operation)
    }

    /// Every device of Mallory writes under an epoch.
    private mutating func speak(under epoch: OperationID) throws -> [Operation] {
        try devices.flatMap { device in
            try write([.init(type: .message, epoch: epoch, body: random.bytes(56))], by: device)
        }
    }

    /// One of Mallory's devices answers Bob's complaint with noise.
    private mutating func mislead(about epoch: OperationID, by device: Person) throws -> [Operation] {
        let record = try #require(trio.bob.ownCredentials.wraps.first)
        let body = WrapBody(
            device: trio.bob.device.id, wrapKey: record.key, wrap: random.bytes(EpochBody.wrapByteCount))
        return try write([.init(type: .wrap, epoch: epoch, body: body.encoded)], by: device)
    }

    // MARK: - What happens

    private mutating func tell(_ operations: [Operation], to index: Int) {
        trio.cores[index].admit(
            Batch(lane: .content, operations: operations).encoded, to: ship, lane: .content,
            from: PeerHandle(rawValue: 1_000), .push(reached: []))
    }

    /// A moment passes; then everybody has what the others wrote before.
    private mutating func pass() {
        now += Self.step
        for index in trio.cores.indices { trio.cores[index].handle(.tick, at: Trio.after(now)) }
        let held = trio.disks.map { $0.image.operations(of: ship, lane: .content) }
        for index in trio.cores.indices {
            let author = trio.cores[index].device.id
            for other in trio.cores.indices where other != index {
                // They come as their author's, after everything that they follow.
                guard held[index].contains(where: { $0.author.id == author }) else { continue }
                tell(held[index], to: other)
            }
        }
    }

    private mutating func say(by index: Int = alice) throws -> Operation {
        try #require(try trio.cores[index].send(["Land!"], to: ship, at: Trio.after(now)).last).operation
    }

    private mutating func canRead(_ message: Operation, at index: Int) -> Bool {
        guard trio.disks[index].image.operations(of: ship, lane: .content).contains(message),
            case .open = trio.cores[index].read(message, in: ship)
        else { return false }
        return true
    }

    /// How long it takes until others can read a message.
    private mutating func timeToRead(
        _ message: Operation, by readers: [Int], each step: (inout Self) throws -> Void = { _ in }
    ) throws -> Duration {
        let begin = now
        while now - begin < .seconds(30) {
            pass()
            try step(&self)
            var left = 0
            for reader in readers where !canRead(message, at: reader) { left += 1 }
            if left == 0 { break }
        }
        return now - begin
    }

    /// What somebody wrote of a kind.
    private func written(_ type: OperationType, by index: Int) -> [Operation] {
        trio.disks[index].image.operations(of: ship, lane: .content)
            .filter { $0.header.type == type && $0.author.id == trio.cores[index].device.id }
    }

    @Test(arguments: [false, true])
    mutating func `a key that is false for some delays nobody for a second`(isForAliceAlone: Bool) throws {
        let (alice, bob) = (trio.alice.device.id, trio.bob.device.id)
        let epoch = try #require(
            try makeEpochs(1, by: devices[0]) { isForAliceAlone ? $0 == alice : $0 != bob }.first)
        let words = try speak(under: epoch.id)
        tell([epoch] + words, to: Self.alice)
        let message = try say()
        #expect(message.header.epoch == epoch.id, "it is the only one")
        #expect(try timeToRead(message, by: [Self.bob, Self.carol]) <= .seconds(1))
        let after = try say()
        #expect(try timeToRead(after, by: [Self.bob, Self.carol]) <= .seconds(1))
    }

    @Test mutating func `a key under which an honest member wrote is complained of before a thousand others`() throws {
        let bob = trio.bob.device.id
        let used = try makeEpochs(1, by: devices[7]) { $0 != bob }
        var others: [Operation] = []
        for device in devices.dropLast() { others += try makeEpochs(140, by: device) { $0 != bob } }
        let epoch = try #require(used.first).id
        try #require(others.count { $0.id < epoch } > 2 * NodeCore.maximumComplaintsPerCommit)
        tell(used, to: Self.alice)
        let message = try say()
        try #require(message.header.epoch == epoch)
        // Bob cannot complain of all of them at once.
        tell(used + others + [message], to: Self.bob)
        #expect(written(.complaint, by: Self.bob).contains { $0.header.epoch == epoch })
        #expect(try timeToRead(message, by: [Self.bob]) <= .seconds(1))
    }

    @Test mutating func `answers that are no help keep nobody from helping`() throws {
        let bob = trio.bob.device.id
        let epoch = try #require(try makeEpochs(1, by: devices[0]) { $0 != bob }.first)
        let words = try speak(under: epoch.id)
        tell([epoch] + words, to: Self.alice)
        let message = try say()
        var rest = devices
        let time = try timeToRead(message, by: [Self.bob]) { story in
            // Whenever Bob complains, the next device is the first to answer.
            let complaints = story.written(.complaint, by: Self.bob).count
            guard complaints > story.devices.count - rest.count, let device = rest.popLast() else { return }
            let lie = try story.mislead(about: epoch.id, by: device)
            for index in story.trio.cores.indices { story.tell([epoch] + words + lie, to: index) }
        }
        #expect(time <= .seconds(1))
    }

    @Test mutating func `a key that fits the promise of another epoch is used by nobody`() throws {
        let epoch = try #require(try makeEpochs(1, by: devices[0]) { _ in true }.first)
        let body = try #require(epoch.body)
        let copy = try write([.init(type: .epoch, body: body)], by: devices[1])
        for index in trio.cores.indices { tell(copy, to: index) }
        let message = try say()
        #expect(message.header.epoch != copy.first?.id)
        #expect(try timeToRead(message, by: [Self.bob, Self.carol]) <= Self.step)
    }

    @Test mutating func `who made a key goes on with it, however many complain`() throws {
        let message = try say()
        let epoch = try #require(message.header.epoch)
        #expect(try timeToRead(message, by: [Self.bob, Self.carol]) <= Self.step)
        let known = trio.disks[Self.alice].image.operations(of: ship, lane: .content)
        log = try #require(trio.alice.replicas[ship]).log
        for _ in 0..<10 {
            let lies = try devices.flatMap { device in
                try write([.init(type: .complaint, epoch: epoch, body: [])], by: device)
            }
            for index in trio.cores.indices { tell(known + lies, to: index) }
            #expect(try say().header.epoch == epoch)
            for _ in 0..<20 { pass() }
        }
        #expect(written(.epoch, by: Self.alice).count == 1)
        for index in trio.cores.indices {
            #expect(written(.wrap, by: index).count <= devices.count, "each helps each device once")
        }
    }
}
