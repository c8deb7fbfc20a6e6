import Blobs
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@Suite("Fetching blobs")
struct BlobTransferTests {
    /// Of 40 chunks, the last of them shorter.
    private static let blob = Pressed(length: 40 * BlobAddress.chunk - 5, seed: 1)

    /// Host 0 has all of it, the others want it, everybody knows everybody.
    private func swarm(_ manners: [Swarm.Manner], seed: UInt64 = 1) -> Swarm {
        let swarm = Swarm(Self.blob, manners, seed: seed)
        swarm.give(swarm.ids[0])
        for id in swarm.ids.dropFirst() { swarm.want(id) }
        swarm.heal()
        return swarm
    }

    @Test func `ends with all of it, and asks for every chunk once`() {
        let swarm = swarm([.honest, .honest])
        swarm.run(10_000) { swarm.isWhole(swarm.ids[1]) }
        #expect(swarm.isWhole(swarm.ids[1]))
        #expect(swarm.sent == 40)
    }

    @Test func `is from several holders at once`() {
        let swarm = Swarm(Self.blob, Array(repeating: .honest, count: 5), seed: 2)
        for id in swarm.ids.dropLast() { swarm.give(id) }
        swarm.want(swarm.ids[4])
        swarm.heal()
        let alone = Swarm(Self.blob, [.honest, .honest], seed: 2)
        alone.give(alone.ids[0])
        alone.want(alone.ids[1])
        alone.heal()
        swarm.run(10_000) { swarm.isWhole(swarm.ids[4]) }
        alone.run(10_000) { alone.isWhole(alone.ids[1]) }
        #expect(swarm.sent == 40)
        #expect(swarm.milliseconds * 2 < alone.milliseconds)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `goes on with each other when the only sender is gone and all have a part`(seed: UInt64) {
        let swarm = swarm(Array(repeating: .honest, count: 4), seed: seed)
        let others = swarm.ids.dropFirst()
        swarm.run(10_000) { Set(others.flatMap { swarm.hosts[$0]?.chunks.keys.map { $0 } ?? [] }).count == 40 }
        swarm.kill(swarm.ids[0])
        swarm.run(60_000) { others.allSatisfy(swarm.isWhole) }
        #expect(others.allSatisfy(swarm.isWhole))
    }

    @Test func `finds a liar at its first chunk, and has the blob from the others`() {
        let swarm = swarm([.honest, .honest, .liar, .liar])
        let alice = swarm.ids.first { swarm.hosts[$0]?.manner == .honest && !swarm.isWhole($0) }
        guard let alice else { return }
        swarm.run(20_000) { swarm.isWhole(alice) }
        #expect(swarm.isWhole(alice))
        let liars = swarm.ids.filter { swarm.hosts[$0]?.manner == .liar }
        #expect(swarm.hosts[alice]?.banned.isSubset(of: Set(liars)) == true)
        #expect(swarm.hosts[alice]?.banned.isEmpty == false)
    }

    @Test func `asks others for what a holder keeps to himself`() {
        let swarm = swarm([.honest, .honest, .mute, .mute])
        let others = swarm.ids.filter { swarm.hosts[$0]?.manner == .honest }
        swarm.run(20_000) { others.allSatisfy(swarm.isWhole) }
        #expect(others.allSatisfy(swarm.isWhole))
    }

    @Test(arguments: 0..<40)
    func `can be cancelled after any chunk, and resumed`(count: Int) {
        let swarm = swarm([.honest, .honest], seed: UInt64(count))
        let alice = swarm.ids[1]
        swarm.run(10_000) { swarm.hosts[alice]?.chunks.count == count }
        swarm.cancel(alice)
        #expect(swarm.hosts[alice]?.transfers.state(of: Self.blob.address) == .halted(.cancelled))
        swarm.run(100)
        let kept = swarm.hosts[alice]?.chunks.count ?? 0
        // Nothing more is asked for; what was on its way is kept.
        #expect((count...count + BlobTransfers.window).contains(kept))
        swarm.run(60_000)
        #expect(swarm.hosts[alice]?.chunks.count == kept)
        swarm.resume(alice)
        swarm.run(10_000) { swarm.isWhole(alice) }
        #expect(swarm.isWhole(alice))
        #expect(swarm.sent == 40)
    }

    @Test(arguments: 0..<40)
    func `goes on after either side was started anew`(count: Int) {
        let swarm = swarm([.honest, .honest], seed: UInt64(count))
        let alice = swarm.ids[1]
        swarm.run(10_000) { swarm.hosts[alice]?.chunks.count == count }
        let victim = swarm.ids[count % 2]
        swarm.kill(victim)
        swarm.run(1_000)
        swarm.restart(victim)
        swarm.connect(swarm.ids[0], alice)
        swarm.run(10_000) { swarm.isWhole(alice) }
        #expect(swarm.isWhole(alice))
        #expect(swarm.hosts[alice]?.repetitions == 0)
    }

    @Test func `waits while the disk is full, and goes on by itself`() {
        let swarm = swarm([.honest, .honest])
        let alice = swarm.ids[1]
        swarm.run(10_000) { swarm.hosts[alice]?.chunks.count == 10 }
        swarm.hosts[alice]?.isDiskFull = true
        swarm.run(20_000)
        #expect(swarm.hosts[alice]?.chunks.count == 10)
        swarm.hosts[alice]?.isDiskFull = false
        swarm.run(10_000) { swarm.isWhole(alice) }
        #expect(swarm.isWhole(alice))
    }

    @Test(arguments: 1...300 as ClosedRange<UInt64>)
    func `ends with all of it whatever happens on the way`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let manners: [Swarm.Manner] =
            [.honest, .honest, .honest]
            + (0..<2).map { _ in Swarm.Manner.allCases.randomElement(using: &random) ?? .mute }
        let swarm = Swarm(Self.blob, manners, seed: seed)
        let honest = swarm.ids.filter { swarm.hosts[$0]?.manner == .honest }
        swarm.give(honest[0])
        for id in swarm.ids where id != honest[0] { swarm.want(id) }
        for one in swarm.ids { for other in swarm.ids { swarm.connect(one, other) } }
        for _ in 0..<30 {
            swarm.run(Int.random(in: 0...200, using: &random))
            swarm.misfortune()
        }
        swarm.heal()
        swarm.run(180_000) { honest.allSatisfy(swarm.isWhole) }
        for id in honest {
            #expect(swarm.isWhole(id), "seed \(seed)")
            #expect(swarm.hosts[id]?.repetitions == 0)
            #expect(swarm.hosts[id]?.chunks.values.allSatisfy(Self.blob.chunks.contains) == true)
            // Nobody honest was taken for a liar.
            #expect(swarm.hosts[id]?.banned.isDisjoint(with: honest) == true)
        }
    }

    @Test func `tells who has nothing of it from who is silent`() throws {
        let address = Self.blob.address
        var transfers = BlobTransfers(seed: 1)
        let bob = DeviceID(digest: .hash("bob"))
        transfers.want(address, holding: ChunkSet(of: address))
        #expect(transfers.state(of: address) == .waiting)
        #expect(transfers.meet(bob, for: address, at: .zero) == [.ask(bob, address)])
        #expect(transfers.learn(ChunkSet(of: address), of: address, from: bob, at: .zero) == [])
        #expect(transfers.state(of: address) == .waiting)
        // The operation may have come to him late.
        let next = try #require(transfers.nextTick)
        #expect(transfers.tick(at: next) == [.ask(bob, address)])
        let asked = transfers.learn(.whole(address), of: address, from: bob, at: next)
        #expect(asked.count == 1)
        #expect(transfers.state(of: address) == .fetching)
    }
}

@Suite("Serving blobs")
struct BlobServiceTests {
    private let address = Pressed(length: 20 * BlobAddress.chunk, seed: 2).address
    private let bob = DeviceID(digest: .hash("bob"))

    @Test func `is for those who were let in`() {
        var service = BlobService()
        #expect(service.address(address.root, for: bob) == nil)
        #expect(service.admit(bob, to: address, told: 0) == true)
        #expect(service.address(address.root, for: bob) == address)
        service.lose(bob)
        #expect(service.address(address.root, for: bob) == nil)
    }

    @Test func `bounds what a peer may wait for`() {
        var service = BlobService()
        #expect(service.admit(bob, to: address, told: 20) == true)
        let many = Array(repeating: 3, count: BlobService.queueLimit)
        #expect(service.enqueue(many, of: address, for: bob) == true)
        #expect(service.enqueue([1], of: address, for: bob) == false)
        #expect(service.next(for: bob)?.index == 3)
        #expect(service.enqueue([1], of: address, for: bob) == true)
    }

    @Test func `waits while the connection is full`() {
        var service = BlobService()
        #expect(service.admit(bob, to: address, told: 20) == true)
        #expect(service.enqueue([7], of: address, for: bob) == true)
        service.note(isCongested: true, of: bob)
        #expect(service.next(for: bob) == nil)
        service.note(isCongested: false, of: bob)
        #expect(service.next(for: bob)?.index == 7)
        #expect(service.next(for: bob) == nil)
    }

    @Test func `tells of a megabyte more, and of the end`() {
        var service = BlobService()
        #expect(service.admit(bob, to: address, told: 0) == true)
        var chunks = ChunkSet(of: address)
        var told: [Int] = []
        for index in 0..<20 {
            chunks.insert(index)
            if service.listeners(to: address, now: chunks) == [bob] { told.append(chunks.count) }
        }
        #expect(told == [16, 20])
    }
}
