import Cryptography
import OperationLog
import Testing

@testable import Replication

@Suite("Receipts between replicas")
struct ReceiptExchangeTests {
    @Test
    func `a receipt goes at once to everybody who is connected`() throws {
        var fixture = try ReplicatorFixture(hosts: 3, seed: 1)
        try fixture.connectAll()
        try fixture.run(for: .seconds(1))
        try fixture.say(1, at: 0)
        try fixture.run(for: .milliseconds(10))
        #expect(fixture.hosts.allSatisfy { $0.receipts == [0: 1] })
    }

    @Test
    func `receipts reach those who never meet their author`() throws {
        var fixture = try ReplicatorFixture(hosts: 3, seed: 2)
        try fixture.connect(0, 1)
        try fixture.connect(1, 2)
        try fixture.run(for: .seconds(1))
        for host in 0..<3 { try fixture.say(UInt8(host + 1), at: host) }
        try fixture.run(for: .seconds(5))
        #expect(fixture.hosts.allSatisfy { $0.receipts == [0: 1, 1: 2, 2: 3] })
    }

    @Test
    func `who comes back learns what was said meanwhile, and the others what they said`() throws {
        var fixture = try ReplicatorFixture(hosts: 3, seed: 3)
        for host in 0..<3 { try fixture.say(1, at: host) }
        try fixture.connect(0, 1)
        try fixture.run(for: .seconds(1))
        #expect(fixture.hosts[0].receipts == [0: 1, 1: 1] && fixture.hosts[2].receipts == [2: 1])
        try fixture.say(2, at: 1)
        try fixture.run(for: .seconds(1))
        try fixture.disconnect(0, 1)
        try fixture.connect(2, 0)
        try fixture.run(for: .milliseconds(100))
        #expect(fixture.hosts[2].receipts == [0: 1, 1: 2, 2: 1])
        #expect(fixture.hosts[0].receipts == [0: 1, 1: 2, 2: 1])
    }

    @Test
    func `equal receipts cost one message of eleven bytes from each side`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 4)
        for host in 0..<2 { try fixture.say(1, at: host) }
        try fixture.connect(0, 1)
        try fixture.run(for: .seconds(5))
        try fixture.disconnect(0, 1)
        let (bytes, messages) = (fixture.sentBytes, fixture.sentMessages)
        try fixture.connect(0, 1)
        try fixture.run(for: .milliseconds(900))
        // Besides a hello, the tags and a status for each of two lanes.
        #expect(fixture.sentMessages - messages == 2 * (4 + 1))
        #expect(fixture.sentBytes - bytes <= 2 * (21 + 10 + 2 * 19 + 11))
    }

    @Test
    func `while people read, digests are told every ten seconds and no more often, and nobody asks`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 7)
        try fixture.connect(0, 1)
        try fixture.run(for: .seconds(1))
        for number in 1...28 as ClosedRange<UInt8> {
            for host in 0..<2 { try fixture.say(number, at: host) }
            try fixture.run(for: .seconds(1))
        }
        let (digest, versions) = (17, 18) as (UInt8, UInt8)
        #expect(fixture.sentKinds[digest] == 2 * 3)
        try fixture.run(for: .seconds(11))
        #expect(fixture.hosts.allSatisfy { $0.receipts == [0: 28, 1: 28] })
        #expect(fixture.sentKinds[digest] == 2 * 4)
        #expect(fixture.sentKinds[versions] == nil, "nobody asks for what is on its way to them")
    }

    @Test
    func `who is no member is neither told nor heard`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 5)
        try fixture.connect(0, 1)
        try fixture.run(for: .seconds(1))
        try fixture.know([0], at: 0)
        try fixture.say(1, at: 0)
        try fixture.say(1, at: 1)
        try fixture.run(for: .seconds(10))
        #expect(fixture.hosts[0].receipts == [0: 1])
        #expect(fixture.hosts[1].receipts == [1: 1])
        try fixture.know([0, 1], at: 0)
        try fixture.say(2, at: 0)
        try fixture.run(for: .seconds(10))
        #expect(fixture.hosts.allSatisfy { $0.receipts == [0: 2, 1: 1] })
    }

    @Test
    func `a difference that stays is asked about ever more rarely`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 6)
        try fixture.connect(0, 1)
        try fixture.run(for: .seconds(1))
        try fixture.say(1, at: 0)
        try fixture.run(for: .seconds(1))
        let messages = fixture.sentMessages
        // What nobody holds.
        let digest = ReceiptDigest(of: .hash("moot/1/test", [9]), transcript: [])
        try fixture.deliver(
            PeerMessage.receiptDigest(.init(slot: 0, lane: .content), digest).encoded, from: 1, to: 0)
        try fixture.run(for: .seconds(120))
        let pings = 2 * 2 * 121
        #expect(fixture.sentMessages - messages <= pings + 8)
    }
}
