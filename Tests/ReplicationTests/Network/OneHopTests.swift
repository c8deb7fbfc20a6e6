import Cryptography
import OperationLog
import Testing
import Time

@testable import Replication

@Suite("What is written goes over one hop")
struct OneHopTests {
    private static let status: UInt8 = 4
    private static let frontier: UInt8 = 5
    private static let ping: UInt8 = 12
    private static let pong: UInt8 = 13

    /// Messages of each kind that something costs, without signs of life.
    private func cost(of action: (inout ReplicatorFixture) throws -> Void, in fixture: inout ReplicatorFixture) rethrows
        -> [UInt8: Int]
    {
        let before = fixture.sentKinds
        try action(&fixture)
        return fixture.sentKinds.merging(before) { $0 - $1 }
            .filter { $0.value > 0 && $0.key != Self.ping && $0.key != Self.pong }
    }

    @Test(arguments: [4, 8, 32])
    func `a message costs a push for each receiver, and nobody says a word about it for half a second`(hosts: Int)
        throws
    {
        var fixture = try ReplicatorFixture.inSync(hosts: hosts)
        let cost = try cost(
            of: { fixture in
                try fixture.write(1, at: 0)
                try fixture.run(for: .milliseconds(450))
            }, in: &fixture)
        #expect(fixture.isConverged)
        #expect(cost == [PeerMessage.batchKind: hosts - 1])
    }

    @Test(arguments: [8, 32])
    func `messages that all write at once cost hardly more than their pushes, and nothing comes twice`(hosts: Int)
        throws
    {
        var fixture = try ReplicatorFixture.inSync(hosts: hosts)
        let rounds = 100
        let copies = fixture.copies
        let cost = try cost(
            of: { fixture in
                for round in 0..<rounds {
                    try fixture.write(1, at: round * 7 % hosts)
                    try fixture.run(for: .milliseconds(50))
                }
                try fixture.run(for: .seconds(2))
            }, in: &fixture)
        let pushes = rounds * (hosts - 1)
        #expect(fixture.isConverged)
        #expect(Double(cost.values.reduce(0, +)) <= 1.6 * Double(pushes), "\(cost)")
        #expect(fixture.copies - copies == pushes)
    }

    @Test
    func `whoever an author does not reach hears of it from one of the others`() throws {
        var fixture = try ReplicatorFixture.inSync(hosts: 6, without: [(0, 5)])
        try fixture.write(1, at: 0)
        try fixture.run(for: .milliseconds(800))
        #expect(fixture.isConverged)
    }

    @Test
    func `somebody who knows one member only hears of everything through that one`() throws {
        var fixture = try ReplicatorFixture.inSync(hosts: 4, without: [(0, 3), (1, 3)])
        for author in [0, 1, 2, 0] {
            try fixture.write(1, at: author)
            try fixture.run(for: .seconds(1))
            #expect(fixture.isConverged)
        }
        try fixture.write(1, at: 3)
        try fixture.run(for: .seconds(1))
        #expect(fixture.isConverged)
    }

    @Test
    func `whoever has no room for a push at its author hears of it from the others`() throws {
        var fixture = try ReplicatorFixture.inSync(hosts: 3)
        try fixture.congest(.live, to: 1, at: 0)
        try fixture.write(1, at: 0)
        try fixture.run(for: .milliseconds(800))
        #expect(fixture.isConverged)
    }

    @Test(arguments: 1...8)
    func `what only some got before its author was gone is with all soon`(seed: UInt64) throws {
        var fixture = try ReplicatorFixture.inSync(hosts: 8, seed: seed)
        try fixture.write(3, at: 0)
        try fixture.run(for: .microseconds(2_000))
        for other in 1..<8 { try fixture.disconnect(0, other) }
        let got = (1..<8).filter { !(fixture.hosts[$0].held[.content] ?? []).isEmpty }
        try #require(!got.isEmpty)
        try fixture.run(for: .milliseconds(900))
        let lengths = (1..<8).map { (fixture.hosts[$0].held[.content] ?? []).count }
        #expect(Set(lengths).count == 1, "\(lengths)")
    }

    @Test
    func `what an author kept from somebody, and says it did not, comes all the same`() throws {
        var fixture = try ReplicatorFixture.inSync(hosts: 8)
        let everybody: [UInt8] = [0xFF]
        let written = try fixture.draft(at: 0)
        for other in 1..<7 { try fixture.push(written, reached: everybody, from: 0, to: other) }
        try fixture.run(for: .seconds(3))
        let lengths = (1..<8).map { (fixture.hosts[$0].held[.content] ?? []).count }
        #expect(lengths == Array(repeating: 1, count: 7))
    }

    @Test
    func `a quiet crowd says nothing but signs of life, and now and then a word to two others`() throws {
        var fixture = try ReplicatorFixture.inSync(hosts: 8)
        try fixture.write(1, at: 0)
        try fixture.run(for: .seconds(30))
        let cost = try cost(of: { try $0.run(for: .seconds(60)) }, in: &fixture)
        #expect(cost.values.reduce(0, +) <= 8 * 2 * 5, "\(cost)")
    }

    @Test
    func `a fork is found although as many operations are held on both sides`() throws {
        var fixture = try ReplicatorFixture.inSync(hosts: 3)
        try fixture.fork(by: 0, to: 1, and: 2)
        try fixture.write(1, at: 0)
        try fixture.run(for: .seconds(5))
        #expect(fixture.isConverged)
    }
}

@Suite("Whom a node tells what it holds, whatever was pushed")
struct SamplingTests {
    private let conversation = ConversationID(createdBy: OperationID(digest: .hash("test", [1])))
    private let start = Instant(sinceStart: .seconds(100))
    private let peers = (0..<8 as Range<UInt8>).map { number in
        (peer: Int(number), device: DeviceID(digest: .hash("test", [number])))
    }

    @Test
    func `a steady stream of changes does not put it off`() throws {
        var sampling = Sampling(of: peers[0].device, seed: 1)
        var due: [Int] = []
        for step in 0..<50 {
            let now = start + .milliseconds(100) * step
            sampling.change(conversation, at: now)
            if !sampling.due(at: now).isEmpty { due.append(step) }
        }
        let gaps = zip(due, due.dropFirst()).map { $1 - $0 }
        #expect(due.first.map { $0 <= 10 } == true && gaps.allSatisfy { (5...11).contains($0) }, "\(due)")
    }

    @Test
    func `where nothing changes it comes less and less often, and never ends`() {
        var sampling = Sampling(of: peers[0].device, seed: 1)
        sampling.change(conversation, at: start)
        var moments: [Duration] = []
        for _ in 0..<8 {
            guard let next = sampling.next else { break }
            #expect(sampling.due(at: next) == [conversation])
            moments.append(next - start)
        }
        let gaps = zip(moments, moments.dropFirst()).map { $1 - $0 }
        #expect(gaps == [4, 16, 64, 256, 1_024, 1_024, 1_024].map { .seconds($0) })
    }

    @Test
    func `everybody has a turn, and one more comes by chance`() {
        var sampling = Sampling(of: peers[0].device, seed: 7)
        sampling.change(conversation, at: start)
        var first: Set<Int> = []
        var second: Set<Int> = []
        for round in 0..<8 {
            let chosen = sampling.choose(among: peers, of: conversation, at: start + .seconds(1) * round)
            #expect(chosen.count == 2 && chosen[0] != chosen[1])
            first.insert(chosen[0])
            second.insert(chosen[1])
        }
        #expect(first.count >= 4 && second.count >= 3)
        var told: Set<Int> = []
        for round in 8..<16 {
            told.formUnion(sampling.choose(among: peers, of: conversation, at: start + .seconds(1) * round))
        }
        #expect(told.count == 8)
    }

    @Test
    func `nobody is chosen where nobody is there, and one where one is`() {
        var sampling = Sampling(of: peers[0].device, seed: 7)
        sampling.change(conversation, at: start)
        #expect(sampling.choose(among: [(peer: Int, device: DeviceID)](), of: conversation, at: start).isEmpty)
        #expect(sampling.choose(among: [peers[3]], of: conversation, at: start) == [3])
    }
}
