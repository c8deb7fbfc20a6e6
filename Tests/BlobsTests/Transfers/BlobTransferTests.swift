import Blobs
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@Suite("Fetching blobs")
struct BlobTransferTests {
    /// Of 40 chunks, the last of them shorter.
    private static let blob = EncodedBlob(length: 40 * BlobAddress.chunkByteCount - 5, seed: 1)

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
        // Long compared with what is asked of one holder at a time.
        let blob = EncodedBlob(length: 8 * BlobTransfers.window * BlobAddress.chunkByteCount, seed: 1)
        let swarm = Swarm(blob, Array(repeating: .honest, count: 5), seed: 2)
        for id in swarm.ids.dropLast() { swarm.give(id) }
        swarm.want(swarm.ids[4])
        swarm.heal()
        let alone = Swarm(blob, [.honest, .honest], seed: 2)
        alone.give(alone.ids[0])
        alone.want(alone.ids[1])
        alone.heal()
        swarm.run(10_000) { swarm.isWhole(swarm.ids[4]) }
        alone.run(10_000) { alone.isWhole(alone.ids[1]) }
        #expect(swarm.sent == blob.chunks.count)
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

    @Test func `asks others for what a holder keeps to themselves`() {
        let swarm = swarm([.honest, .honest, .mute, .mute])
        let others = swarm.ids.filter { swarm.hosts[$0]?.manner == .honest }
        swarm.run(20_000) { others.allSatisfy(swarm.isWhole) }
        #expect(others.allSatisfy(swarm.isWhole))
    }

    @Test(arguments: 0..<40)
    func `can be canceled after any chunk, and resumed`(count: Int) {
        let swarm = swarm([.honest, .honest], seed: UInt64(count))
        let alice = swarm.ids[1]
        swarm.run(10_000) { swarm.hosts[alice]?.chunks.count == count }
        swarm.cancel(alice)
        #expect(swarm.hosts[alice]?.transfers.state(of: Self.blob.address) == .halted(.canceled))
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

    @Test(arguments: [Swarm.Manner.repeating, .forgetful])
    func `does not wait for a holder who never sends the rest`(manner: Swarm.Manner) throws {
        for seed in 1...40 as ClosedRange<UInt64> {
            let swarm = Swarm(Self.blob, [.honest, .honest, manner], seed: seed)
            swarm.give(swarm.ids[0])
            swarm.want(swarm.ids[1])
            swarm.heal()
            // What they were asked for is asked of the other once, after a short timeout.
            swarm.run(5_000) { swarm.isWhole(swarm.ids[1]) }
            #expect(swarm.isWhole(swarm.ids[1]), "seed \(seed)")
        }
    }

    @Test func `waits while the disk is full without asking for anything, and goes on by itself`() {
        let swarm = swarm([.honest, .honest])
        let alice = swarm.ids[1]
        swarm.run(10_000) { swarm.hosts[alice]?.chunks.count == 10 }
        swarm.hosts[alice]?.isDiskFull = true
        swarm.run(1_000)
        let sent = swarm.sent
        swarm.run(20_000)
        #expect(swarm.hosts[alice]?.chunks.count == 10)
        #expect(swarm.sent == sent)
        swarm.hosts[alice]?.isDiskFull = false
        swarm.run(Int(BlobTransfers.diskBackoff.longest / .milliseconds(1))) { swarm.isWhole(alice) }
        #expect(swarm.isWhole(alice))
    }

    @Test func `rests longer with every time that nothing can be written, and no longer than is bearable`() throws {
        let address = Self.blob.address
        var transfers = BlobTransfers(seed: 1)
        transfers.want(address, holding: ChunkSet(of: address))
        var (now, rests) = (Duration.zero, [Duration]())
        for _ in 0..<9 {
            #expect(transfers.fail(address, at: now) == [])
            guard case .halted(.disk(let end))? = transfers.state(of: address) else { break }
            rests.append(end - now)
            now = end
            #expect(transfers.tick(at: now) == [])
            #expect(transfers.state(of: address) == .waiting)
        }
        #expect(rests.map { Int($0 / .seconds(1)) } == [5, 10, 20, 40, 60, 60, 60, 60, 60])
    }

    @Test func `stays canceled when the disk fails`() {
        let address = Self.blob.address
        var transfers = BlobTransfers(seed: 1)
        transfers.want(address, holding: ChunkSet(of: address))
        transfers.cancel(address)
        #expect(transfers.fail(address, at: .zero) == [])
        #expect(transfers.state(of: address) == .halted(.canceled))
        #expect(transfers.nextTick == nil)
    }

    @Test func `asks a peer about many blobs in turn`() throws {
        var transfers = BlobTransfers(seed: 1)
        let bob = DeviceID(digest: .hash("bob"))
        let blobs = try (0..<200).map { try #require(BlobAddress(top: .hash("top", [$0]), length: 1)) }
        var asked = 0
        for address in blobs {
            transfers.want(address, holding: ChunkSet(of: address))
            asked += transfers.meet(bob, of: bob.person, for: address, at: .zero).count
        }
        #expect(asked == BlobTransfers.asksPerSecond)
        var seen: Set<BlobAddress> = []
        for second in 1...3 {
            for case .ask(_, let address, _) in transfers.tick(at: .seconds(second)) { seen.insert(address) }
        }
        #expect(seen == Set(blobs.dropFirst(BlobTransfers.asksPerSecond)))
    }

    @Test func `asks another one for a chunk that a holder keeps back while they send others`() throws {
        let (small, large) = (EncodedBlob(length: 10, seed: 4), Self.blob)
        var transfers = BlobTransfers(seed: 1)
        let (mallory, carol) = (DeviceID(digest: .hash("mallory")), DeviceID(digest: .hash("carol")))
        for blob in [small, large] { transfers.want(blob.address, holding: ChunkSet(of: blob.address)) }
        var asked: [BlobTransfers.Effect] = []
        for blob in [small, large] {
            asked += transfers.meet(mallory, of: mallory.person, for: blob.address, at: .zero)
            asked += transfers.learn(.whole(blob.address), of: blob.address, from: mallory, at: .zero)
        }
        #expect(asked.contains(.request(mallory, small.address, [0])))
        _ = transfers.meet(carol, of: carol.person, for: small.address, at: .zero)
        #expect(transfers.learn(.whole(small.address), of: small.address, from: carol, at: .zero) == [])
        // They are never silent for long, and never send that one.
        var now = Duration.zero
        var isAskedOfCarol = false
        for chunk in large.chunks where !isAskedOfCarol {
            now += .milliseconds(1_900)
            let effects = transfers.take(chunk, from: mallory, isHeld: true, at: now) + transfers.tick(at: now)
            isAskedOfCarol = effects.contains(.request(carol, small.address, [0]))
        }
        #expect(isAskedOfCarol)
        #expect(now < BlobTransfers.chunkTimeout + .seconds(4))
    }

    /// When a blob is whole whose holders are silent, but for one who answers at once.
    ///
    /// - Parameter whatElse: what others do at a moment.
    private func wholeAfter(
        _ blob: EncodedBlob, from carol: DeviceID, beside others: [(device: DeviceID, user: UserID)],
        whatElse: (inout BlobTransfers, Duration) -> [BlobTransfers.Effect] = { _, _ in [] }
    ) -> (duration: Duration, asked: [Int]) {
        var transfers = BlobTransfers(seed: 1)
        transfers.want(blob.address, holding: ChunkSet(of: blob.address))
        var effects: [BlobTransfers.Effect] = []
        for (device, user) in others + [(carol, carol.person)] {
            _ = transfers.meet(device, of: user, for: blob.address, at: .zero)
            effects += transfers.learn(.whole(blob.address), of: blob.address, from: device, at: .zero)
        }
        var (now, asked) = (Duration.zero, [Int]())
        while now < .seconds(300) {
            now += .milliseconds(20)
            var next: [BlobTransfers.Effect] = []
            for case .request(carol, _, let indices) in effects {
                for index in indices where transfers.lacks(blob.chunks[index], from: carol) {
                    asked.append(index)
                    next += transfers.take(blob.chunks[index], from: carol, isHeld: true, at: now)
                }
            }
            if transfers.held(of: blob.address)?.isWhole == true { break }
            effects = next + whatElse(&transfers, now) + transfers.tick(at: now)
        }
        return (now, asked)
    }

    @Test func `eight silent people with eight devices each hold it up for no longer than two seconds`() {
        let photo = EncodedBlob(length: 16 * BlobAddress.chunkByteCount, seed: 7)
        let liars = (0..<64).map { number in
            (DeviceID(digest: .hash("liar", [UInt8(number)])), UserID(digest: .hash("person", [UInt8(number / 8)])))
        }
        // Whoever has it may be first or last among them.
        for number in 0..<6 as Range<UInt8> {
            let carol = DeviceID(digest: .hash("carol", [number]))
            let (duration, _) = wholeAfter(photo, from: carol, beside: liars)
            #expect(duration <= .seconds(2), "not after \(duration)")
        }
    }

    @Test func `somebody who sends one chunk after the other, slowly, holds it up for a few seconds`() {
        let photo = EncodedBlob(length: 16 * BlobAddress.chunkByteCount, seed: 7)
        let mallory = DeviceID(digest: .hash("mallory"))
        var last = Duration.zero
        let (duration, asked) = wholeAfter(
            photo, from: DeviceID(digest: .hash("carol")), beside: [(mallory, mallory.person)]
        ) { transfers, now in
            guard now - last >= .milliseconds(450),
                let chunk = photo.chunks.first(where: { transfers.lacks($0, from: mallory) })
            else { return [] }
            last = now
            return transfers.take(chunk, from: mallory, isHeld: true, at: now)
        }
        #expect(duration < .seconds(5), "not after \(duration)")
        #expect(Set(asked).count == asked.count, "nobody honest sends a chunk twice")
    }

    @Test func `takes a chunk only from whom it was asked, also late`() {
        let blob = Self.blob
        var transfers = BlobTransfers(seed: 0)
        let (bob, carol) = (DeviceID(digest: .hash("bob")), DeviceID(digest: .hash("carol")))
        transfers.want(blob.address, holding: ChunkSet(of: blob.address))
        _ = transfers.meet(bob, of: bob.person, for: blob.address, at: .zero)
        _ = transfers.meet(carol, of: carol.person, for: blob.address, at: .zero)
        _ = transfers.learn(.whole(blob.address), of: blob.address, from: bob, at: .zero)
        #expect(transfers.lacks(blob.chunks[0], from: bob))
        #expect(!transfers.lacks(blob.chunks[0], from: carol) && !transfers.isAsked(carol, for: blob.address))
        #expect(!transfers.lacks(blob.chunks[39], from: bob))
        _ = transfers.tick(at: .seconds(3))
        #expect(transfers.lacks(blob.chunks[0], from: bob))
        _ = transfers.take(blob.chunks[0], from: bob, isHeld: true, at: .seconds(3))
        #expect(!transfers.lacks(blob.chunks[0], from: bob))
    }

    @Test func `finds a new blob behind ever so many that nobody has`() throws {
        var transfers = BlobTransfers(seed: 1)
        let bob = DeviceID(digest: .hash("bob"))
        for number in 0..<5_000 {
            let address = try #require(
                BlobAddress(top: .hash("top", withUnsafeBytes(of: number) { Array($0) }), length: 1))
            transfers.want(address, holding: ChunkSet(of: address))
            _ = transfers.meet(bob, of: bob.person, for: address, at: .zero)
        }
        for second in 1...120 { _ = transfers.tick(at: .seconds(second)) }
        transfers.want(Self.blob.address, holding: ChunkSet(of: Self.blob.address))
        var effects = transfers.meet(bob, of: bob.person, for: Self.blob.address, at: .seconds(120))
        for second in 121...123 { effects += transfers.tick(at: .seconds(second)) }
        #expect(effects.contains(.ask(bob, Self.blob.address, attempt: 0)))
    }

    @Test func `goes over all blobs about once a second, however many nobody has`() throws {
        var transfers = BlobTransfers(seed: 1)
        let bob = DeviceID(digest: .hash("bob"))
        for number in 0..<1_000 {
            let address = try #require(
                BlobAddress(top: .hash("top", withUnsafeBytes(of: number) { Array($0) }), length: 1))
            let now = Duration.milliseconds(10 * number)
            transfers.want(address, holding: ChunkSet(of: address))
            _ = transfers.meet(bob, of: bob.person, for: address, at: now)
            if transfers.nextTick.map({ $0 <= now }) == true { _ = transfers.tick(at: now) }
        }
        var (ticks, asked) = (0, 0)
        while let moment = transfers.nextTick, moment < .seconds(70) {
            ticks += 1
            asked += transfers.tick(at: moment).count
        }
        #expect(ticks <= 70)
        #expect(asked >= 60 * BlobTransfers.asksPerSecond / 2)
    }

    @Test func `finds what one person names in its turn, however much another names all the time`() throws {
        var transfers = BlobTransfers(seed: 1)
        let bob = DeviceID(digest: .hash("bob"))
        let (alice, mallory) = (DeviceID(digest: .hash("alice")).person, DeviceID(digest: .hash("mallory")).person)
        var (named, asks) = (0, [Duration]())
        for tenth in 0..<600 {
            let now = Duration.milliseconds(100 * tenth)
            var effects: [BlobTransfers.Effect] = []
            // More than a peer is asked about in that time, also just before it may be asked about more.
            for _ in 0..<20 {
                named += 1
                let address = try #require(
                    BlobAddress(top: .hash("top", withUnsafeBytes(of: named) { Array($0) }), length: 1))
                transfers.want(address, holding: ChunkSet(of: address))
                transfers.note(namers: [mallory], of: address, at: now)
                effects += transfers.meet(bob, of: bob.person, for: address, at: now)
            }
            if tenth == 105 {
                transfers.want(Self.blob.address, holding: ChunkSet(of: Self.blob.address))
                // Mallory names hers, too, to have it in their own turn.
                transfers.note(namers: [alice, mallory], of: Self.blob.address, at: now)
                effects += transfers.meet(bob, of: bob.person, for: Self.blob.address, at: now)
            }
            if transfers.nextTick.map({ $0 <= now }) == true { effects += transfers.tick(at: now) }
            for case .ask(_, Self.blob.address, _) in effects { asks.append(now) }
        }
        // At once or with the next second, and after waits of 4, 8, 16 s.
        try #require(asks.count >= 4)
        #expect(asks[0] <= .milliseconds(10_500) + .seconds(1))
        for (attempt, (one, next)) in zip(asks, asks.dropFirst()).enumerated() {
            #expect(next - one <= BlobTransfers.timeout * (2 << attempt) + .milliseconds(1_200))
        }
    }

    @Test func `is asked for however many a peer has nothing more to give of`() throws {
        var transfers = BlobTransfers(seed: 1)
        let bob = DeviceID(digest: .hash("bob"))
        for number in 0..<1_200 {
            let address = try #require(
                BlobAddress(
                    top: .hash("top", withUnsafeBytes(of: number) { Array($0) }), length: BlobAddress.chunkByteCount + 1
                ))
            var last = ChunkSet(of: address)
            last.insert(1)
            transfers.want(address, holding: last)
            _ = transfers.meet(bob, of: bob.person, for: address, at: .zero)
            #expect(transfers.learn(last, of: address, from: bob, at: .zero).isEmpty)
        }
        transfers.want(Self.blob.address, holding: ChunkSet(of: Self.blob.address))
        var effects = transfers.meet(bob, of: bob.person, for: Self.blob.address, at: .zero)
        for second in 1...30 { effects += transfers.tick(at: .seconds(second)) }
        #expect(effects.contains(.ask(bob, Self.blob.address, attempt: 0)))
    }

    @Test func `what one person named does not wait until all of another's is here`() throws {
        let (small, large) = (EncodedBlob(length: 10, seed: 4), Self.blob)
        var transfers = BlobTransfers(seed: 1)
        let bob = DeviceID(digest: .hash("bob"))
        let (alice, mallory) = (DeviceID(digest: .hash("alice")).person, DeviceID(digest: .hash("mallory")).person)
        for (blob, namer) in [(large, mallory), (small, alice)] {
            transfers.want(blob.address, holding: ChunkSet(of: blob.address))
            transfers.note(namers: [namer], of: blob.address, at: .zero)
            _ = transfers.meet(bob, of: bob.person, for: blob.address, at: .zero)
        }
        var requests = transfers.learn(.whole(large.address), of: large.address, from: bob, at: .zero)
        requests += transfers.learn(.whole(small.address), of: small.address, from: bob, at: .zero)
        // Those of the first window were asked for before anybody said that they have the other.
        for chunk in large.chunks.prefix(Int(BlobTransfers.firstWindow)) {
            requests += transfers.take(chunk, from: bob, isHeld: true, at: .zero)
        }
        #expect(requests.contains(.request(bob, small.address, [0])))
    }

    @Test func `fetches what fits while what does not fit waits`() throws {
        let (large, small) = (Self.blob.address, EncodedBlob(length: 10, seed: 4).address)
        var transfers = BlobTransfers(seed: 1)
        let bob = DeviceID(digest: .hash("bob"))
        for address in [large, small] { transfers.want(address, holding: ChunkSet(of: address)) }
        _ = transfers.meet(bob, of: bob.person, for: large, at: .zero)
        _ = transfers.learn(.whole(large), of: large, from: bob, at: .zero)
        _ = transfers.meet(bob, of: bob.person, for: small, at: .zero)
        #expect(transfers.learn(.whole(small), of: small, from: bob, at: .zero) == [])
        #expect(transfers.fail(large, at: .zero) == [.request(bob, small, [0])])
    }

    @Test func `asks nobody for what was canceled, until the user wants it`() {
        let address = Self.blob.address
        var transfers = BlobTransfers(seed: 1)
        let bob = DeviceID(digest: .hash("bob"))
        transfers.want(address, holding: ChunkSet(of: address), halted: .canceled)
        #expect(transfers.meet(bob, of: bob.person, for: address, at: .zero) == [])
        #expect(transfers.tick(at: .seconds(100)) == [])
        #expect(transfers.resume([address], at: .seconds(101)) == [.ask(bob, address, attempt: 0)])
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
        #expect(transfers.meet(bob, of: bob.person, for: address, at: .zero) == [.ask(bob, address, attempt: 0)])
        #expect(transfers.learn(ChunkSet(of: address), of: address, from: bob, at: .zero) == [])
        #expect(transfers.state(of: address) == .waiting)
        // The operation may have come to them late.
        let next = try #require(transfers.nextTick)
        #expect(transfers.tick(at: next) == [.ask(bob, address, attempt: 1)])
        let asked = transfers.learn(.whole(address), of: address, from: bob, at: next)
        #expect(asked.count == 1)
        #expect(transfers.state(of: address) == .fetching)
    }
}

@Suite("Serving blobs")
struct BlobServiceTests {
    private let address = EncodedBlob(length: 20 * BlobAddress.chunkByteCount, seed: 2).address
    private let bob = DeviceID(digest: .hash("bob"))

    @Test func `is for those who were let in`() {
        var service = BlobService()
        #expect(service.address(address.root, for: bob) == nil)
        service.admit(bob, to: address, told: 0)
        #expect(service.address(address.root, for: bob) == address)
        service.lose(bob)
        #expect(service.address(address.root, for: bob) == nil)
    }

    @Test func `bounds what a peer may wait for`() {
        var service = BlobService()
        service.admit(bob, to: address, told: 20)
        let many = Array(repeating: 3, count: BlobService.maximumQueued)
        service.enqueue(many, of: address, for: bob)
        service.enqueue([1], of: address, for: bob)
        var read: [Int] = []
        while let next = service.next(for: bob) {
            read.append(next.index)
            service.read(for: bob)
        }
        #expect(read == many)
    }

    @Test func `reads few chunks for a peer at a time`() {
        var service = BlobService()
        service.admit(bob, to: address, told: 20)
        service.enqueue(Array(0..<20), of: address, for: bob)
        for index in 0..<BlobService.maximumReads { #expect(service.next(for: bob)?.index == index) }
        #expect(service.next(for: bob) == nil)
        service.read(for: bob)
        #expect(service.next(for: bob)?.index == BlobService.maximumReads)
        #expect(service.next(for: bob) == nil)
    }

    @Test func `forgets the oldest of too many blobs`() throws {
        var service = BlobService()
        let blobs = try (0...BlobService.maximumListeners).map { number in
            try #require(BlobAddress(top: .hash("top", withUnsafeBytes(of: number) { Array($0) }), length: 1))
        }
        for blob in blobs { service.admit(bob, to: blob, told: 0) }
        let forgotten = BlobService.maximumListeners / 4
        for blob in blobs.prefix(forgotten) { #expect(service.address(blob.root, for: bob) == nil) }
        for blob in blobs.dropFirst(forgotten) { #expect(service.address(blob.root, for: bob) == blob) }
    }

    @Test func `tells whoever counts on it that less is here`() {
        var service = BlobService()
        let carol = DeviceID(digest: .hash("carol"))
        service.admit(bob, to: address, told: 20)
        service.note(isCongested: false, of: carol)
        #expect(service.listeners(to: address) == [bob])
    }

    @Test func `waits while the connection is full`() {
        var service = BlobService()
        service.admit(bob, to: address, told: 20)
        service.enqueue([7], of: address, for: bob)
        service.note(isCongested: true, of: bob)
        #expect(service.next(for: bob) == nil)
        service.note(isCongested: false, of: bob)
        #expect(service.next(for: bob)?.index == 7)
        #expect(service.next(for: bob) == nil)
    }

    @Test func `tells of a megabyte more, and of the end`() {
        var service = BlobService()
        service.admit(bob, to: address, told: 0)
        var chunks = ChunkSet(of: address)
        var told: [Int] = []
        for index in 0..<20 {
            chunks.insert(index)
            if service.listeners(to: address, now: chunks) == [bob] { told.append(chunks.count) }
        }
        #expect(told == [16, 20])
    }
}
