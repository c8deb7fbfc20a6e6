import OperationLogFixtures
import Testing

@testable import Replication

@Suite("The table of peers")
struct PeerTableTests {
    /// A peer as a replicator knows it.
    private func peer() throws -> Replicator.Peer {
        var fixture = try ReplicatorFixture(hosts: 2, seed: 1)
        try fixture.connect(0, 1)
        return try #require(fixture.hosts[0].replicator.peers.map(\.value).first)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `holds what a dictionary would, in the order of connections`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let peer = try peer()
        var table = PeerTable()
        var plain: [PeerHandle: Int] = [:]
        for step in 0..<300 {
            let handle = PeerHandle(rawValue: UInt64.random(in: 0..<12, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                var peer = peer
                peer.answers.unapplied = step
                table[handle] = peer
                plain[handle] = step
            case 1:
                table[handle]?.answers.unapplied += 1
                plain[handle]? += 1
            case 2:
                #expect(table.removeValue(forKey: handle)?.answers.unapplied == plain.removeValue(forKey: handle))
            default:
                table[handle] = nil
                plain[handle] = nil
            }
            #expect(table.handles == plain.keys.sorted())
            #expect(table.count == plain.count)
            #expect(table.isEmpty == plain.isEmpty)
            for number in 0..<12 as Range<UInt64> {
                let handle = PeerHandle(rawValue: number)
                #expect(table[handle]?.answers.unapplied == plain[handle])
            }
            #expect(table.map(\.value.answers.unapplied) == plain.sorted { $0.key < $1.key }.map(\.value))
        }
    }

    @Test func `a copy keeps what it was`() throws {
        let handle = PeerHandle(rawValue: 1)
        var table = PeerTable()
        table[handle] = try peer()
        let before = table
        table[handle]?.answers.unapplied = 7
        #expect(before[handle]?.answers.unapplied == 0)
        #expect(table[handle]?.answers.unapplied == 7)
        table[handle] = nil
        #expect(before[handle] != nil)
    }
}
