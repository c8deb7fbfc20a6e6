import OperationLog
import OperationLogFixtures
import Replication
import Testing

@Suite("Replicas that can reach each other become equal")
struct ConvergenceTests {
    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `whatever each of them held before`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var fixture = try ReplicatorFixture(hosts: Int.random(in: 2...5, using: &random), seed: seed)
        for host in fixture.hosts.indices { try fixture.write(Int.random(in: 0...150, using: &random), at: host) }
        try fixture.connectAll()
        try fixture.run(for: .seconds(5))
        #expect(fixture.isConverged, "seed \(seed)")
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `while connections come and go in the middle of an answer`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var fixture = try ReplicatorFixture(hosts: 4, seed: seed)
        for host in fixture.hosts.indices { try fixture.write(Int.random(in: 0...300, using: &random), at: host) }
        for _ in 0..<30 {
            let first = Int.random(in: 0..<4, using: &random)
            let second = (first + Int.random(in: 1..<4, using: &random)) % 4
            if fixture.connected.contains(ReplicatorFixture.Link(from: first, to: second)) {
                try fixture.disconnect(first, second)
            } else {
                try fixture.connect(first, second)
            }
            try fixture.write(1, at: first)
            try fixture.run(for: .milliseconds(Int64.random(in: 1...40, using: &random)))
        }
        for first in 0..<4 {
            for second in first + 1..<4
            where !fixture.connected.contains(ReplicatorFixture.Link(from: first, to: second)) {
                try fixture.connect(first, second)
            }
        }
        try fixture.run(for: .seconds(10))
        #expect(fixture.isConverged, "seed \(seed)")
    }

    @Test
    func `over a third one when two cannot reach each other`() throws {
        var fixture = try ReplicatorFixture(hosts: 3, seed: 7)
        try fixture.connect(0, 1)
        try fixture.connect(1, 2)
        try fixture.run(for: .seconds(1))
        try fixture.write(5, at: 0)
        try fixture.write(5, at: 2)
        try fixture.run(for: .seconds(5))
        #expect(fixture.isConverged)
        #expect(fixture.hosts[2].log.contentFrontier.sequenceNumber(of: fixture.hosts[0].person.device) == 5)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `also when a device has told two of them different things`(seed: UInt64) throws {
        var fixture = try ReplicatorFixture(hosts: 3, seed: seed)
        try fixture.write(3, at: 1)
        try fixture.fork(by: 0, to: 1, and: 2)
        try fixture.connect(1, 2)
        try fixture.run(for: .seconds(5))
        #expect(fixture.hosts[1].log.contentFrontier == fixture.hosts[2].log.contentFrontier, "seed \(seed)")
        #expect(fixture.hosts[1].log.contentFrontier.hasForks)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `also when the branches differ in length and both sides have written on`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var fixture = try ReplicatorFixture(hosts: 4, seed: seed)
        try fixture.connectAll()
        try fixture.write(Int.random(in: 0...3, using: &random), at: 0)
        try fixture.run(for: .seconds(2))
        for (first, second) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)] { try fixture.disconnect(first, second) }
        let lengths = (Int.random(in: 0...5, using: &random), Int.random(in: 1...5, using: &random))
        try fixture.fork(by: 0, to: 1, and: 2, lengths: lengths)
        try fixture.write(Int.random(in: 0...3, using: &random), at: 1)
        try fixture.write(Int.random(in: 0...3, using: &random), at: 2)
        try fixture.run(for: .seconds(2))
        try fixture.connect(1, 2)
        try fixture.connect(3, 1)
        try fixture.run(for: .seconds(15))
        let frontiers = Set(fixture.hosts[1...3].map(\.log.contentFrontier))
        #expect(frontiers.count == 1, "seed \(seed), branches of \(lengths)")
    }

    @Test
    func `when the peer that answers falls silent and another one can`() throws {
        var fixture = try ReplicatorFixture(hosts: 3, seed: 3)
        try fixture.write(1_000, at: 0)
        try fixture.connect(1, 0)
        try fixture.run(for: .seconds(3))
        fixture.hosts[0].isStuck = true
        try fixture.connect(2, 0)
        try fixture.connect(2, 1)
        try fixture.run(for: .seconds(8))
        #expect(fixture.hosts[2].log.contentFrontier == fixture.hosts[1].log.contentFrontier)
    }
}

@Suite("Replication is frugal")
struct FrugalityTests {
    @Test(arguments: [3, 10])
    func `every operation is sent once to each member`(hosts: Int) throws {
        var fixture = try ReplicatorFixture(hosts: hosts, seed: 11)
        try fixture.connectAll()
        try fixture.run(for: .seconds(1))
        for round in 0..<20 {
            try fixture.write(1, at: round % hosts)
            try fixture.run(for: .milliseconds(200))
        }
        #expect(fixture.isConverged)
        #expect(fixture.copies == 20 * (hosts - 1))
    }

    @Test
    func `a late replica gets every operation once although four could send it`() throws {
        var fixture = try ReplicatorFixture(hosts: 5, seed: 12)
        for first in 0..<4 { for second in first + 1..<4 { try fixture.connect(first, second) } }
        try fixture.run(for: .seconds(1))
        try fixture.write(2_000, at: 0)
        try fixture.run(for: .seconds(2))
        let before = fixture.copies
        for other in 0..<4 { try fixture.connect(4, other) }
        try fixture.run(for: .seconds(5))
        #expect(fixture.isConverged)
        #expect(fixture.copies - before == 2_000)
    }

    @Test
    func `equal replicas need one small message from each`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 13)
        try fixture.connect(0, 1)
        try fixture.run(for: .seconds(1))
        try fixture.write(50, at: 0)
        try fixture.run(for: .seconds(1))
        try fixture.disconnect(0, 1)
        let bytes = fixture.sentBytes
        let messages = fixture.sentMessages
        try fixture.connect(0, 1)
        try fixture.run(for: .milliseconds(900))
        // A hello, the tags and a status of both lanes, from both sides.
        #expect(fixture.sentMessages - messages == 6)
        #expect(fixture.sentBytes - bytes <= 2 * (21 + 10 + 19))
    }
}

@Suite("Replication distrusts its peers")
struct DistrustTests {
    @Test(arguments: [[], [4, 1], [5, 0, 0, 2], [10, 0, 7]] as [[UInt8]])
    func `who sends what is no message is refused for a while`(bytes: [UInt8]) throws {
        var fixture = try ReplicatorFixture(hosts: 3, seed: 21)
        try fixture.connectAll()
        try fixture.run(for: .seconds(1))
        try fixture.deliver(bytes, from: 1, to: 0)
        #expect(fixture.bans.map(\.device) == [fixture.hosts[1].person.device])
        #expect(!fixture.connected.contains(ReplicatorFixture.Link(from: 0, to: 1)))
        try fixture.write(1, at: 2)
        try fixture.run(for: .seconds(2))
        #expect(fixture.hosts[0].log.contentFrontier == fixture.hosts[2].log.contentFrontier)
    }

    @Test(arguments: [[0], [99], Array(repeating: 255, count: 40), [2, 0x81, 0x20], [14, 65]] as [[UInt8]])
    func `who sends a message of a later version, or one that is too long, is not refused`(bytes: [UInt8]) throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 21)
        try fixture.connectAll()
        try fixture.run(for: .seconds(1))
        try fixture.deliver(bytes, from: 1, to: 0)
        try fixture.write(1, at: 1)
        try fixture.run(for: .seconds(2))
        #expect(fixture.bans.isEmpty && fixture.disconnections == 0)
        #expect(fixture.isConverged)
    }

    @Test(arguments: [(0, 1), (1, 0)])
    func `who says that they belong is given nothing until it is known that they do`(dialer: Int, dialed: Int) throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 24)
        try fixture.know([0], at: 0)
        try fixture.write(3, at: 0)
        try fixture.write(2, at: 1)
        try fixture.connect(dialer, dialed)
        try fixture.run(for: .seconds(5))
        #expect(fixture.hosts[0].log.contentFrontier.devices == [fixture.hosts[0].person.device])
        #expect(fixture.hosts[1].log.contentFrontier.devices == [fixture.hosts[1].person.device])
        let messages = fixture.sentMessages
        try fixture.run(for: .seconds(5))
        #expect(fixture.sentMessages - messages < 50, "they do not ask each other again and again")

        try fixture.know([0, 1], at: 0)
        try fixture.run(for: .seconds(2))
        #expect(fixture.hosts[0].log.contentFrontier == fixture.hosts[1].log.contentFrontier)
        #expect(fixture.hosts[0].log.contentFrontier.devices.count == 2)
    }

    @Test
    func `a peer that answers nothing is given up a second and a half after it was asked and no sooner`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 22)
        try fixture.connect(0, 1)
        try fixture.run(for: .seconds(1))
        try fixture.deliver(PeerMessage.presence(.pong(0)).encoded, from: 1, to: 0)
        fixture.hosts[1].isStuck = true
        try fixture.run(for: .milliseconds(2_300))
        #expect(fixture.disconnections == 0)
        try fixture.run(for: .milliseconds(1_500))
        #expect(fixture.disconnections == 1)
    }

    @Test
    func `a quiet peer that answers pings is kept`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 23)
        try fixture.connect(0, 1)
        try fixture.run(for: .seconds(60))
        #expect(fixture.disconnections == 0)
    }
}
