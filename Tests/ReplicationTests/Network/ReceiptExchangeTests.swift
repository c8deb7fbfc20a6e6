import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

@testable import Replication

@Suite("Receipts between replicas")
struct ReceiptExchangeTests {
    @Test
    func `a receipt comes with the devices that it is also for, and what its sender holds`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 1)
        try fixture.connectAll()
        try fixture.run(for: .seconds(1))
        try fixture.say(1, at: 0)
        try fixture.run(for: .milliseconds(10))
        let heard = fixture.hosts[1]
        #expect(heard.receipts == [0: 1])
        #expect(heard.absent == [heard.person.device])
        #expect(heard.digests[0]?.isOf(.hash("moot/1/test", [1])) == true)
        #expect(heard.digests[0]?.isOf(.hash("moot/1/test", [2])) == false)
        #expect(heard.versions[0]?.map(\.version) == [1])
    }

    /// The first of two hosts tells the other what it holds.
    private func tell(_ digest: Digest, in fixture: inout ReplicatorFixture) throws {
        let said = ReceiptDigest(of: digest, transcript: fixture.transcript(of: 1, at: 0))
        let peer = ReplicatorFixture.handle(of: 1)
        try fixture.handle(.saying(.receipts(.digest(said)), of: fixture.conversation, to: [peer]), at: 0)
    }

    @Test
    func `a digest costs eleven bytes, and is another one on every connection`() throws {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 4)
        try fixture.connect(0, 1)
        try fixture.run(for: .milliseconds(100))
        let bytes = fixture.sentBytes
        let digest = Digest.hash("moot/1/test", [1])
        try tell(digest, in: &fixture)
        try fixture.run(for: .milliseconds(100))
        #expect(fixture.sentBytes - bytes == 11)
        let first = try #require(fixture.hosts[1].digests[0])
        try fixture.disconnect(0, 1)
        try fixture.connect(0, 1)
        try fixture.run(for: .milliseconds(100))
        try tell(digest, in: &fixture)
        try fixture.run(for: .milliseconds(100))
        let second = try #require(fixture.hosts[1].digests[0])
        #expect(first != second)
        #expect(first.isOf(digest) && second.isOf(digest))
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
        #expect(fixture.hosts[0].receipts == [0: 1] && fixture.hosts[0].versions.isEmpty)
        #expect(fixture.hosts[1].receipts == [1: 1] && fixture.hosts[1].digests.isEmpty)
        try fixture.know([0, 1], at: 0)
        try fixture.say(2, at: 0)
        try fixture.run(for: .seconds(10))
        #expect(fixture.hosts[1].receipts == [0: 2, 1: 1])
    }
}
