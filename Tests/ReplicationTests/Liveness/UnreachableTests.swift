import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import Replication

@Suite("A word that somebody is gone")
struct UnreachableTests {
    private static let (alice, mallory) = (0, 1)

    private func crowd(_ count: Int = 10) throws -> ReplicatorFixture {
        var fixture = try ReplicatorFixture(hosts: count, seed: 71)
        try fixture.connectAll()
        try fixture.run(for: .seconds(40))
        return fixture
    }

    private func unreachable(_ host: Int, in fixture: ReplicatorFixture) -> [UInt8] {
        PeerMessage.presence(.unreachable(fixture.hosts[host].person.author.device.id)).encoded
    }

    private func liveness(of host: Int, in fixture: ReplicatorFixture) -> PeerLiveness? {
        fixture.hosts[Self.alice].replicator.peers[ReplicatorFixture.handle(of: host)]?.liveness
    }

    /// Somebody from whom Alice has heard nothing for seconds, because others watch them.
    private func quietHost(in fixture: ReplicatorFixture) throws -> Int {
        try #require(
            fixture.hosts.indices.first {
                guard $0 != Self.mallory, let state = liveness(of: $0, in: fixture) else { return false }
                return !state.isWatched && fixture.now - state.heard > .seconds(2)
            })
    }

    private func pings(of fixture: ReplicatorFixture) -> Int { fixture.sentKinds[PingMessage.kind] ?? 0 }

    @Test
    func `makes a node ask for itself, and keep who answers`() throws {
        var fixture = try crowd()
        let bob = try quietHost(in: fixture)
        let before = pings(of: fixture)
        try fixture.deliver(unreachable(bob, in: fixture), from: Self.mallory, to: Self.alice)
        #expect(pings(of: fixture) == before + 1)
        try fixture.run(for: .milliseconds(50))
        #expect(fixture.now - (try #require(liveness(of: bob, in: fixture)).heard) < .milliseconds(50))
        try fixture.run(for: .seconds(5))
        #expect(fixture.disconnections == 0)
    }

    @Test
    func `ends a connection in a second and a half where nothing answers`() throws {
        var fixture = try crowd()
        let bob = try quietHost(in: fixture)
        fixture.hosts[bob].isStuck = true
        try fixture.deliver(unreachable(bob, in: fixture), from: Self.mallory, to: Self.alice)
        try fixture.run(for: .milliseconds(1_400))
        #expect(liveness(of: bob, in: fixture) != nil)
        try fixture.run(for: .milliseconds(200))
        #expect(liveness(of: bob, in: fixture) == nil)
    }

    @Test
    func `is not believed of somebody who was heard just now`() throws {
        var fixture = try crowd()
        let bob = try quietHost(in: fixture)
        try fixture.deliver(PeerMessage.presence(.ping(1)).encoded, from: bob, to: Self.alice)
        let before = pings(of: fixture)
        try fixture.deliver(unreachable(bob, in: fixture), from: Self.mallory, to: Self.alice)
        #expect(pings(of: fixture) == before)
    }

    @Test
    func `is not passed on`() throws {
        var fixture = try crowd()
        let bob = try quietHost(in: fixture)
        try fixture.deliver(unreachable(bob, in: fixture), from: Self.mallory, to: Self.alice)
        try fixture.run(for: .seconds(10))
        #expect(fixture.sentKinds[UnreachableMessage.kind] == nil)
    }

    @Test
    func `repeated for a minute about all takes nobody offline and costs a ping for each in half a minute`() throws {
        var fixture = try crowd()
        var asked = 0
        for _ in 0..<59 {
            let before = pings(of: fixture)
            for host in fixture.hosts.indices {
                try fixture.deliver(unreachable(host, in: fixture), from: Self.mallory, to: Self.alice)
            }
            asked += pings(of: fixture) - before
            try fixture.run(for: .seconds(1))
        }
        #expect(fixture.disconnections == 0)
        let accused = fixture.hosts.count - 2
        #expect(asked > 0 && asked <= accused * 2)
        #expect(liveness(of: Self.mallory, in: fixture) != nil)
    }

    @Test
    func `by two about two makes a node ask all, once in half a minute`() throws {
        var fixture = try crowd(16)
        let others = fixture.hosts.indices.filter { $0 > 2 }
        let before = pings(of: fixture)
        for round in 0..<8 {
            for host in others {
                let accuser = (host + round) % 2 + 1
                try fixture.deliver(unreachable(host, in: fixture), from: accuser, to: Self.alice)
            }
        }
        #expect(pings(of: fixture) - before <= fixture.hosts.count - 1)
        try fixture.run(for: .seconds(10))
        #expect(fixture.disconnections == 0)
    }

    @Test
    func `is nothing coming from a stranger, or about nobody`() throws {
        var fixture = try crowd()
        let bob = try quietHost(in: fixture)
        try fixture.know(fixture.hosts.indices.filter { $0 != Self.mallory }, at: Self.alice)
        let before = pings(of: fixture)
        try fixture.deliver(unreachable(bob, in: fixture), from: Self.mallory, to: Self.alice)
        try fixture.deliver(unreachable(Self.alice, in: fixture), from: bob, to: Self.alice)
        try fixture.deliver(
            PeerMessage.presence(.unreachable(DeviceID(digest: .hash("moot/1/test", [1])))).encoded, from: bob,
            to: Self.alice)
        #expect(pings(of: fixture) == before)
    }

    @Test
    func `is told only to those who share a conversation with the one who is gone`() throws {
        var fixture = try crowd(6)
        // Alice takes the last two for strangers: they must not learn whom Alice shares a conversation with.
        try fixture.know([0, 1, 2, 3], at: Self.alice)
        try fixture.run(for: .seconds(2))
        let gone = ReplicatorFixture.handle(of: 1)
        var replicator = fixture.hosts[Self.alice].replicator
        var told: Set<PeerHandle> = []
        for step in 0..<100 {
            for effect in replicator.handle(.tick, at: fixture.now + .milliseconds(50 * step)) {
                guard case .send(let peer, let bytes, _) = effect, bytes.first == UnreachableMessage.kind else {
                    continue
                }
                told.insert(peer)
            }
            for host in [2, 3] {
                _ = replicator.handle(
                    .received(
                        ReplicatorFixture.handle(of: host),
                        ReceivedMessage(decoding: PeerMessage.presence(.pong(0)).encoded)),
                    at: fixture.now + .milliseconds(50 * step))
            }
        }
        #expect(replicator.peers[gone]?.liveness.isGivenUp == true)
        #expect(told == Set([2, 3].map(ReplicatorFixture.handle)))
    }
}
