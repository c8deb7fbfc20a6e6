import LocalAPIModel
import Testing

@testable import moot

@Suite("A node that finds nobody")
struct LonelyNodeTests {
    private func status(discovery: Bool = true, peers: [PeerDescription] = []) -> StatusDescription {
        StatusDescription(
            version: "1", protocolVersion: 1, schemaVersion: 1, user: "", name: "Alice", device: "", home: "/",
            socket: "/", pid: 1, uptimeSeconds: 30, listening: [], discovery: discovery, peers: peers,
            conversations: [], unread: 0, databaseBytes: 0, filesBytes: 0, filesQuota: 0, residentBytes: 0,
            storage: "writable", notifies: false, namesakes: [], clocks: [], forks: [], lastEvent: 0)
    }

    private func reachability(_ beacons: [ReachabilityDescription.Beacon] = []) -> ReachabilityDescription {
        ReachabilityDescription(places: [], beacons: beacons, bans: [], missingKeys: [])
    }

    @Test
    func `points to the doctor, unless somebody is there or nobody was looked for`() {
        #expect(LonelyNode.hint(status(), reachability()) == "No other node was found. Run: moot doctor")
        #expect(LonelyNode.hint(status(discovery: false), reachability()) == nil)
        let bob = PeerDescription(
            device: "", user: "", name: "Bob", address: "10.77.0.2:47470", direction: .incoming, connectedAt: "")
        #expect(LonelyNode.hint(status(peers: [bob]), reachability()) == nil)
        // Nodes that have nothing in common part.
        let beacon = ReachabilityDescription.Beacon(device: "", address: "10.77.0.2:47470", seconds: 3)
        #expect(LonelyNode.hint(status(), reachability([beacon])) == nil)
    }
}
