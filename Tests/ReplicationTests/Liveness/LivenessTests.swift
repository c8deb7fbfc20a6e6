import OperationLog
import Testing
import Time

@testable import Replication

@Suite("Who is gone is noticed")
struct LivenessTests {
    /// A crowd in which everybody is connected and everything is said.
    private func crowd(_ count: Int, seed: UInt64 = 61) throws -> ReplicatorFixture {
        var fixture = try ReplicatorFixture(hosts: count, seed: seed)
        try fixture.connectAll()
        try fixture.run(for: .seconds(40))
        return fixture
    }

    /// The hosts to which a host is connected.
    private func peers(of host: Int, in fixture: ReplicatorFixture) -> Set<Int> {
        Set(fixture.connected.filter { $0.from == host }.map(\.to))
    }

    private func watched(by host: Int, in fixture: ReplicatorFixture) -> [Int] {
        fixture.hosts[host].replicator.peers.filter(\.value.liveness.isWatched).map { Int($0.key.rawValue) - 1 }
            .sorted()
    }

    @Test(arguments: [2, 4, 8, 32])
    func `a node of a crowd that is idle says no more than one of four`(count: Int) throws {
        var fixture = try crowd(count)
        let before = fixture.sentMessages
        try fixture.run(for: .seconds(60))
        let each = Double(fixture.sentMessages - before) / Double(count * 60)
        // A ping and an answer for each of three in a second and a half; for every other pair the same in half a
        // minute.
        #expect(each <= 4 + Double(count - 1) / 29, "\(each) messages a second")
        #expect(fixture.disconnections == 0)
    }

    @Test(arguments: [2, 3, 4, 10, 30], [true, false])
    func `a host that falls silent is noticed by all within five seconds, and nobody else is`(
        count: Int, hasJustWritten: Bool
    ) throws {
        var fixture = try crowd(count)
        if hasJustWritten {
            // All have heard from it at the same moment, and each a little later than the next.
            try fixture.write(1, at: 1)
            try fixture.run(for: .milliseconds(4))
        }
        fixture.hosts[1].isStuck = true
        try fixture.run(for: .milliseconds(1_400))
        #expect(fixture.disconnections == 0, "whoever watches waits for a second and a half after they asked")
        try fixture.run(for: .milliseconds(3_400))
        #expect(peers(of: 1, in: fixture).isEmpty)
        #expect(fixture.disconnections == count - 1)
    }

    @Test(arguments: [2, 4, 10])
    func `whoever is watched is asked after a second and a half of silence, also where somebody else answered just now`(
        count: Int
    ) throws {
        var fixture = try crowd(count)
        let watchers = fixture.hosts.indices.filter { !watched(by: $0, in: fixture).isEmpty }
        var longest: Duration = .zero
        for _ in 0..<600 {
            try fixture.run(for: .milliseconds(50))
            for host in watchers {
                for (_, peer) in fixture.hosts[host].replicator.peers where peer.liveness.isWatched {
                    longest = max(longest, fixture.now - peer.liveness.heard)
                }
            }
        }
        // Who accepted a connection waits a quarter of a second longer; an answer takes a few milliseconds.
        #expect(longest > .milliseconds(1_400) && longest <= .milliseconds(1_760), "\(longest)")
    }

    @Test(arguments: [2, 4, 10])
    func `a process that has no time is not given up while its host acknowledges what it is sent`(count: Int) throws {
        var fixture = try crowd(count)
        let before = fixture.sentKinds[UnreachableMessage.kind] ?? 0
        for host in fixture.hosts.indices { fixture.hosts[host].acknowledges = true }
        fixture.hosts[1].isStuck = true
        try fixture.run(for: .seconds(12))
        #expect(peers(of: 1, in: fixture).count == count - 1)
        fixture.hosts[1].isStuck = false
        try fixture.handle(.tick, at: 1)
        try fixture.run(for: .seconds(40))
        #expect(fixture.disconnections == 0)
        #expect(fixture.sentKinds[UnreachableMessage.kind] ?? 0 == before, "and nobody was told that it is gone")
    }

    @Test(arguments: [2, 4, 10])
    func `a process that hangs is noticed by all within half a minute`(count: Int) throws {
        var fixture = try crowd(count)
        (fixture.hosts[1].isStuck, fixture.hosts[1].acknowledges) = (true, true)
        try fixture.run(for: .seconds(33))
        #expect(peers(of: 1, in: fixture).isEmpty)
        #expect(fixture.disconnections == count - 1)
    }

    @Test(arguments: [Duration.zero, .seconds(2), .seconds(5)])
    func `a device that answers elsewhere is given up where nothing comes, though something acknowledges`(
        silent: Duration
    ) throws {
        var fixture = try crowd(2)
        (fixture.hosts[1].isStuck, fixture.hosts[1].acknowledges) = (true, true)
        try fixture.run(for: silent)
        let peer = try #require(fixture.hosts[0].replicator.peers.handles.first)
        for _ in 0..<3 {
            #expect(peers(of: 0, in: fixture) == [1])
            try fixture.handle(.answeredElsewhere(peer), at: 0)
            try fixture.run(for: .milliseconds(1_900))
        }
        try fixture.run(for: .milliseconds(400))
        #expect(peers(of: 0, in: fixture).isEmpty)
    }

    /// Something in between that sees the frames could let one through now and then.
    @Test
    func `a device that answers elsewhere is given up where something comes and not the answer`() throws {
        var fixture = try crowd(2)
        (fixture.hosts[1].isStuck, fixture.hosts[1].acknowledges) = (true, true)
        let peer = try #require(fixture.hosts[0].replicator.peers.handles.first)
        try fixture.handle(.answeredElsewhere(peer), at: 0)
        for _ in 0..<11 {
            #expect(peers(of: 0, in: fixture) == [1])
            try fixture.run(for: .milliseconds(500))
            try fixture.deliver(PeerMessage.people(.addresses([])).encoded, from: 1, to: 0)
        }
        try fixture.run(for: .milliseconds(600))
        #expect(peers(of: 0, in: fixture).isEmpty)
    }

    /// Whatever comes meanwhile, and however often: what is said last waits behind it.
    @Test(arguments: [Duration.milliseconds(500), .milliseconds(1_400), .seconds(4), .seconds(12)])
    func `a device from which things come and no answer is given up`(pause: Duration) throws {
        var fixture = try crowd(2)
        (fixture.hosts[1].isStuck, fixture.hosts[1].acknowledges) = (true, true)
        let start = fixture.now
        while fixture.now - start < .seconds(32), peers(of: 0, in: fixture) == [1] {
            try fixture.run(for: pause)
            guard peers(of: 0, in: fixture) == [1] else { break }
            try fixture.deliver(PeerMessage.people(.addresses([])).encoded, from: 1, to: 0)
        }
        #expect(peers(of: 0, in: fixture).isEmpty)
        #expect(fixture.now - start > .seconds(14))
    }

    /// On a slow link the answer waits behind what was sent before.
    @Test
    func `a device whose answer comes late behind other things stays`() throws {
        var fixture = try crowd(2)
        (fixture.hosts[1].isStuck, fixture.hosts[1].acknowledges) = (true, true)
        for _ in 0..<12 {
            try fixture.run(for: .seconds(1))
            try fixture.deliver(PeerMessage.people(.addresses([])).encoded, from: 1, to: 0)
        }
        #expect(peers(of: 0, in: fixture) == [1])
        fixture.hosts[1].isStuck = false
        try fixture.run(for: .seconds(40))
        #expect(peers(of: 0, in: fixture) == [1] && fixture.disconnections == 0)
    }

    /// Somebody in between can let a dial through every second.
    @Test
    func `a device that answers elsewhere again and again and is slow stays`() throws {
        var fixture = try crowd(2)
        let peer = try #require(fixture.hosts[0].replicator.peers.handles.first)
        let start = fixture.now
        while fixture.now - start < .seconds(20) {
            (fixture.hosts[1].isStuck, fixture.hosts[1].acknowledges) = (true, true)
            for _ in 0..<4 {
                try fixture.handle(.answeredElsewhere(peer), at: 0)
                try fixture.run(for: .milliseconds(1_000))
            }
            fixture.hosts[1].isStuck = false
            // What it was asked last it answers now.
            let number = fixture.hosts[0].replicator.watch.pingNumber
            try fixture.deliver(PeerMessage.presence(.pong(number)).encoded, from: 1, to: 0)
        }
        #expect(peers(of: 0, in: fixture) == [1] && fixture.disconnections == 0)
    }

    @Test
    func `a round trip longer than the time for an answer is measured`() throws {
        var fixture = try crowd(2)
        let peer = try #require(fixture.hosts[0].replicator.peers.handles.first)
        (fixture.hosts[1].isStuck, fixture.hosts[1].acknowledges) = (true, true)
        let before = fixture.hosts[0].replicator.watch.pingNumber
        while fixture.hosts[0].replicator.watch.pingNumber < before + 2 { try fixture.run(for: .milliseconds(100)) }
        for number in [before + 1, before + 2] {
            try fixture.run(for: .milliseconds(600))
            try fixture.deliver(PeerMessage.presence(.pong(number)).encoded, from: 1, to: 0)
        }
        #expect(try #require(fixture.hosts[0].replicator.roundTrip(of: peer)) > .milliseconds(100))
    }

    @Test
    func `a device that answers elsewhere and is only slow stays`() throws {
        var fixture = try crowd(2)
        let peer = try #require(fixture.hosts[0].replicator.peers.handles.first)
        (fixture.hosts[1].isStuck, fixture.hosts[1].acknowledges) = (true, true)
        try fixture.handle(.answeredElsewhere(peer), at: 0)
        // What comes to a stuck host here is lost. The next ping is answered.
        try fixture.run(for: .milliseconds(4_000))
        fixture.hosts[1].isStuck = false
        try fixture.run(for: .seconds(40))
        #expect(peers(of: 0, in: fixture) == [1] && fixture.disconnections == 0)
    }

    @Test
    func `a host that goes while its process had no time is noticed by all within five seconds`() throws {
        var fixture = try crowd(10)
        (fixture.hosts[1].isStuck, fixture.hosts[1].acknowledges) = (true, true)
        try fixture.run(for: .seconds(6))
        #expect(peers(of: 1, in: fixture).count == 9)
        fixture.hosts[1].acknowledges = false
        try fixture.run(for: .seconds(5))
        #expect(peers(of: 1, in: fixture).isEmpty)
    }

    @Test(arguments: [4, 10, 30])
    func `half of all are noticed by the other half within five seconds`(count: Int) throws {
        var fixture = try crowd(count)
        let lost = Set(0..<count / 2)
        for host in lost { fixture.hosts[host].isStuck = true }
        try fixture.run(for: .seconds(5))
        for host in count / 2..<count {
            #expect(peers(of: host, in: fixture) == Set(count / 2..<count).subtracting([host]))
        }
    }

    @Test
    func `a host that is cut off notices it of all within five seconds`() throws {
        var fixture = try crowd(20)
        for host in 1..<20 { fixture.hosts[host].isStuck = true }
        try fixture.run(for: .seconds(5))
        #expect(peers(of: 0, in: fixture).isEmpty)
    }

    @Test
    func `whoever misses two asks everybody`() throws {
        var fixture = try crowd(16)
        let start = fixture.now
        for host in watched(by: 0, in: fixture).prefix(2) { fixture.hosts[host].isStuck = true }
        try fixture.run(for: .milliseconds(3_200))
        let rest = fixture.hosts[0].replicator.peers
        #expect(rest.count == 13)
        for (_, peer) in rest { #expect(peer.liveness.heard - start > .seconds(1)) }
    }

    @Test
    func `the loss of one makes nobody ask everybody`() throws {
        var fixture = try crowd(16)
        fixture.hosts[1].isStuck = true
        let pings = fixture.sentKinds[PingMessage.kind] ?? 0
        try fixture.run(for: .seconds(5))
        // Three of each for five seconds, one for each who is told, and a few who were due anyway.
        #expect((fixture.sentKinds[PingMessage.kind] ?? 0) - pings < 16 * 3 * 6 + 16 + 16 * 3)
    }

    @Test
    func `whoever lost a successor watches the next`() throws {
        var fixture = try crowd(16)
        let before = watched(by: 0, in: fixture)
        try fixture.disconnect(0, before[1])
        try fixture.run(for: .milliseconds(200))
        let after = watched(by: 0, in: fixture)
        #expect(after.count == 3 && !after.contains(before[1]))
        #expect(Set(after).isSuperset(of: [before[0], before[2]]))
    }

    @Test
    func `members of an audience are watched, and no longer when they are none`() throws {
        var fixture = try crowd(3)
        #expect(watched(by: 0, in: fixture) == [1, 2])
        try fixture.know([0, 2], at: 0)
        try fixture.run(for: .milliseconds(200))
        #expect(watched(by: 0, in: fixture) == [2])
        try fixture.know([1, 2], at: 0)
        try fixture.run(for: .milliseconds(200))
        #expect(watched(by: 0, in: fixture).isEmpty, "a conversation that the user left")
    }

    @Test
    func `strangers are asked twice a minute, and wake nobody in between`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 62)
        for host in fixture.hosts.indices { try fixture.know([host], at: host) }
        try fixture.connect(0, 1)
        // Until the time is over in which the first ping was to be answered.
        try fixture.run(for: .seconds(8))
        let wakes = fixture.hosts.compactMap(\.wake)
        #expect(wakes.count == 2 && wakes.allSatisfy { $0 - fixture.now > .seconds(20) })
        let before = fixture.sentMessages
        try fixture.run(for: .seconds(120))
        #expect(fixture.sentMessages - before <= 2 * 5)
        #expect(fixture.disconnections == 0)
        fixture.hosts[1].isStuck = true
        try fixture.run(for: .seconds(37))
        #expect(fixture.disconnections == 1)
    }

    @Test
    func `a node that was itself late gives nobody up`() throws {
        let fixture = try crowd(8)
        var asking = fixture.hosts[0].replicator
        let asked = asking.handle(.tick, at: fixture.now + .milliseconds(1_800))
        #expect(asked.contains { if case .send = $0 { true } else { false } })
        for late in [Duration.milliseconds(2_500), .seconds(10), .seconds(80)] {
            for asked in [true, false] {
                var replicator = asked ? asking : fixture.hosts[0].replicator
                let effects = replicator.handle(.tick, at: fixture.now + late)
                #expect(!effects.contains { if case .disconnect = $0 { true } else { false } })
            }
        }
    }

    @Test
    func `a node that was late gives up who does not answer then`() throws {
        var fixture = try crowd(2)
        fixture.hosts[1].isStuck = true
        try fixture.run(for: .milliseconds(1_400))
        #expect(fixture.disconnections == 0)
        var replicator = fixture.hosts[0].replicator
        var gone: Duration?
        var moment = fixture.now + .seconds(10)
        while gone == nil, moment - fixture.now < .seconds(20) {
            let effects = replicator.handle(.tick, at: moment)
            if effects.contains(where: { if case .disconnect = $0 { true } else { false } }) {
                gone = moment - fixture.now
            }
            moment = moment + .milliseconds(50)
        }
        let time = try #require(gone)
        #expect(time > .milliseconds(10_300) && time < .seconds(12))
    }
}
