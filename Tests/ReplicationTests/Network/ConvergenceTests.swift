import OperationLog
import OperationLogFixtures
import Replication
import Testing

@Suite("Replicas that can reach each other become equal")
struct ConvergenceTests {
    @Test(arguments: 1...60 as ClosedRange<UInt64>)
    func `whatever each of them held before`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var lab = try Lab(hosts: Int.random(in: 2...5, using: &random), seed: seed)
        for host in lab.hosts.indices { try lab.write(Int.random(in: 0...150, using: &random), at: host) }
        try lab.connectAll()
        try lab.run(for: .seconds(5))
        #expect(lab.isConverged, "seed \(seed)")
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `while connections come and go in the middle of an answer`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var lab = try Lab(hosts: 4, seed: seed)
        for host in lab.hosts.indices { try lab.write(Int.random(in: 0...300, using: &random), at: host) }
        for _ in 0..<30 {
            let first = Int.random(in: 0..<4, using: &random)
            let second = (first + Int.random(in: 1..<4, using: &random)) % 4
            if lab.connected.contains(Lab.Link(from: first, to: second)) {
                try lab.disconnect(first, second)
            } else {
                try lab.connect(first, second)
            }
            try lab.write(1, at: first)
            try lab.run(for: .milliseconds(Int64.random(in: 1...40, using: &random)))
        }
        for first in 0..<4 {
            for second in first + 1..<4 where !lab.connected.contains(Lab.Link(from: first, to: second)) {
                try lab.connect(first, second)
            }
        }
        try lab.run(for: .seconds(10))
        #expect(lab.isConverged, "seed \(seed)")
    }

    @Test
    func `over a third one when two cannot reach each other`() throws {
        var lab = try Lab(hosts: 3, seed: 7)
        try lab.connect(0, 1)
        try lab.connect(1, 2)
        try lab.run(for: .seconds(1))
        try lab.write(5, at: 0)
        try lab.write(5, at: 2)
        try lab.run(for: .seconds(5))
        #expect(lab.isConverged)
        #expect(lab.hosts[2].log.contentFrontier.sequenceNumber(of: lab.hosts[0].person.device) == 5)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `also when a device has told two of them different things`(seed: UInt64) throws {
        var lab = try Lab(hosts: 3, seed: seed)
        try lab.write(3, at: 1)
        try lab.fork(by: 0, to: 1, and: 2)
        try lab.connect(1, 2)
        try lab.run(for: .seconds(5))
        #expect(lab.hosts[1].log.contentFrontier == lab.hosts[2].log.contentFrontier, "seed \(seed)")
        #expect(lab.hosts[1].log.contentFrontier.hasForks)
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `also when the branches differ in length and both sides have written on`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var lab = try Lab(hosts: 4, seed: seed)
        try lab.connectAll()
        try lab.write(Int.random(in: 0...3, using: &random), at: 0)
        try lab.run(for: .seconds(2))
        for (first, second) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)] { try lab.disconnect(first, second) }
        let lengths = (Int.random(in: 0...5, using: &random), Int.random(in: 1...5, using: &random))
        try lab.fork(by: 0, to: 1, and: 2, lengths: lengths)
        try lab.write(Int.random(in: 0...3, using: &random), at: 1)
        try lab.write(Int.random(in: 0...3, using: &random), at: 2)
        try lab.run(for: .seconds(2))
        try lab.connect(1, 2)
        try lab.connect(3, 1)
        try lab.run(for: .seconds(15))
        let frontiers = Set(lab.hosts[1...3].map(\.log.contentFrontier))
        #expect(frontiers.count == 1, "seed \(seed), branches of \(lengths)")
    }

    @Test
    func `when the peer that answers falls silent and another one can`() throws {
        var lab = try Lab(hosts: 3, seed: 3)
        try lab.write(1_000, at: 0)
        try lab.connect(1, 0)
        try lab.run(for: .seconds(3))
        lab.hosts[0].isStuck = true
        try lab.connect(2, 0)
        try lab.connect(2, 1)
        try lab.run(for: .seconds(8))
        #expect(lab.hosts[2].log.contentFrontier == lab.hosts[1].log.contentFrontier)
    }
}

@Suite("Replication is frugal")
struct FrugalityTests {
    @Test(arguments: [3, 10])
    func `every operation is sent once to each member`(hosts: Int) throws {
        var lab = try Lab(hosts: hosts, seed: 11)
        try lab.connectAll()
        try lab.run(for: .seconds(1))
        for round in 0..<20 {
            try lab.write(1, at: round % hosts)
            try lab.run(for: .milliseconds(200))
        }
        #expect(lab.isConverged)
        #expect(lab.copies == 20 * (hosts - 1))
    }

    @Test
    func `a late replica gets every operation once although four could send it`() throws {
        var lab = try Lab(hosts: 5, seed: 12)
        for first in 0..<4 { for second in first + 1..<4 { try lab.connect(first, second) } }
        try lab.run(for: .seconds(1))
        try lab.write(2_000, at: 0)
        try lab.run(for: .seconds(2))
        let before = lab.copies
        for other in 0..<4 { try lab.connect(4, other) }
        try lab.run(for: .seconds(5))
        #expect(lab.isConverged)
        #expect(lab.copies - before == 2_000)
    }

    @Test
    func `equal replicas need two small messages a lane`() throws {
        var lab = try Lab(hosts: 2, seed: 13)
        try lab.connect(0, 1)
        try lab.run(for: .seconds(1))
        try lab.write(50, at: 0)
        try lab.run(for: .seconds(1))
        try lab.disconnect(0, 1)
        let bytes = lab.sentBytes
        let messages = lab.sentMessages
        try lab.connect(0, 1)
        try lab.run(for: .milliseconds(900))
        // A hello, the tags and one status for each of two lanes, from both sides.
        #expect(lab.sentMessages - messages == 8)
        #expect(lab.sentBytes - bytes <= 2 * (21 + 10 + 2 * 19))
    }
}

@Suite("Replication distrusts its peers")
struct DistrustTests {
    @Test(arguments: [[], [4, 1], [5, 0, 0, 2], [10, 0, 7]] as [[UInt8]])
    func `who sends what is no message is refused for a while`(bytes: [UInt8]) throws {
        var lab = try Lab(hosts: 3, seed: 21)
        try lab.connectAll()
        try lab.run(for: .seconds(1))
        try lab.deliver(bytes, from: 1, to: 0)
        #expect(lab.bans.map(\.device) == [lab.hosts[1].person.device])
        #expect(!lab.connected.contains(Lab.Link(from: 0, to: 1)))
        try lab.write(1, at: 2)
        try lab.run(for: .seconds(2))
        #expect(lab.hosts[0].log.contentFrontier == lab.hosts[2].log.contentFrontier)
    }

    @Test(arguments: [[0], [99], Array(repeating: 255, count: 40), [2, 0x81, 0x20], [14, 65]] as [[UInt8]])
    func `who sends a message of a later version, or one that is too long, is not refused`(bytes: [UInt8]) throws {
        var lab = try Lab(hosts: 2, seed: 21)
        try lab.connectAll()
        try lab.run(for: .seconds(1))
        try lab.deliver(bytes, from: 1, to: 0)
        try lab.write(1, at: 1)
        try lab.run(for: .seconds(2))
        #expect(lab.bans.isEmpty && lab.disconnections == 0)
        #expect(lab.isConverged)
    }

    @Test(arguments: [(0, 1), (1, 0)])
    func `who says that he belongs is given nothing until it is known that he does`(dialler: Int, dialled: Int) throws {
        var lab = try Lab(hosts: 2, seed: 24)
        try lab.know([0], at: 0)
        try lab.write(3, at: 0)
        try lab.write(2, at: 1)
        try lab.connect(dialler, dialled)
        try lab.run(for: .seconds(5))
        #expect(lab.hosts[0].log.contentFrontier.devices == [lab.hosts[0].person.device])
        #expect(lab.hosts[1].log.contentFrontier.devices == [lab.hosts[1].person.device])
        let messages = lab.sentMessages
        try lab.run(for: .seconds(5))
        #expect(lab.sentMessages - messages < 50, "they do not ask each other again and again")

        try lab.know([0, 1], at: 0)
        try lab.run(for: .seconds(2))
        #expect(lab.hosts[0].log.contentFrontier == lab.hosts[1].log.contentFrontier)
        #expect(lab.hosts[0].log.contentFrontier.devices.count == 2)
    }

    @Test
    func `a peer that answers nothing is given up after three seconds and no sooner`() throws {
        var lab = try Lab(hosts: 2, seed: 22)
        try lab.connect(0, 1)
        try lab.run(for: .seconds(1))
        lab.hosts[1].isStuck = true
        try lab.run(for: .milliseconds(2_800))
        #expect(lab.disconnections == 0)
        try lab.run(for: .milliseconds(1_500))
        #expect(lab.disconnections == 1)
    }

    @Test
    func `a quiet peer that answers pings is kept`() throws {
        var lab = try Lab(hosts: 2, seed: 23)
        try lab.connect(0, 1)
        try lab.run(for: .seconds(60))
        #expect(lab.disconnections == 0)
    }
}
