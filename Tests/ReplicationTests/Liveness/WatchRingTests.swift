import Cryptography
import OperationLog
import Testing

@testable import Replication

@Suite("The ring of those who watch each other")
struct WatchRingTests {
    private let devices = (0..<40).map { DeviceID(digest: .hash("moot/1/test", [UInt8($0)])) }

    private func handle(_ index: Int) -> PeerHandle { PeerHandle(rawValue: UInt64(index)) }

    /// Whom a device watches that is connected to some and shares conversations with them.
    private func watched(by own: Int, connected: [Int], circles: [[Int]]) -> Set<Int> {
        let ring = WatchRing(
            around: devices[own], of: Dictionary(uniqueKeysWithValues: connected.map { (handle($0), devices[$0]) }))
        return Set(ring.watched(in: circles.map { $0.map(handle) }).map { Int($0.rawValue) })
    }

    /// The same by the definition: the first three after one's own place, around the circle.
    private func plainSuccessors(of own: Int, among others: [Int]) -> Set<Int> {
        let all = (others + [own]).sorted { WatchRing.place(of: devices[$0]) < WatchRing.place(of: devices[$1]) }
        let start = all.firstIndex(of: own) ?? 0
        return Set((1...3).map { all[(start + $0) % all.count] }).subtracting([own])
    }

    @Test(arguments: [1, 2, 3, 4, 8, 39])
    func `a device watches the three after it`(count: Int) {
        for own in devices.indices {
            let others = Array(devices.indices.filter { $0 != own }.prefix(count))
            let watched = watched(by: own, connected: others, circles: [others])
            #expect(watched == plainSuccessors(of: own, among: others))
            #expect(watched.count == min(count, 3))
        }
    }

    @Test
    func `each of a crowd is watched by three`() {
        var watchers: [Int: Int] = [:]
        for own in devices.indices {
            let others = devices.indices.filter { $0 != own }
            for other in watched(by: own, connected: others, circles: [others]) { watchers[other, default: 0] += 1 }
        }
        #expect(devices.indices.allSatisfy { watchers[$0] == 3 })
    }

    @Test
    func `whoever is lost is replaced by the next`() {
        let others = Array(1..<40)
        let before = watched(by: 0, connected: others, circles: [others])
        let rest = others.filter { !before.contains($0) }
        let after = watched(by: 0, connected: rest, circles: [rest])
        #expect(after.count == 3 && after.isDisjoint(with: before))
    }

    @Test
    func `a conversation among members of a larger one adds nobody`() {
        let others = Array(1..<40)
        let large = watched(by: 0, connected: others, circles: [others])
        #expect(watched(by: 0, connected: others, circles: [[7], [8, 9], others, [1, 2, 3, 4, 5]]) == large)
    }

    @Test
    func `somebody of another conversation is watched there`() {
        let others = Array(1..<39)
        let watched = watched(by: 0, connected: others + [39], circles: [others, [39]])
        #expect(watched == plainSuccessors(of: 0, among: others).union([39]))
    }

    @Test
    func `strangers are not watched`() {
        #expect(watched(by: 0, connected: [1, 2, 3], circles: []).isEmpty)
        #expect(watched(by: 0, connected: [1, 2, 3], circles: [[2]]) == [2])
    }

    @Test
    func `two connections to one device take one place`() {
        let own = devices[0]
        let twice = handle(100)
        var connections = Dictionary(uniqueKeysWithValues: (1..<10).map { (handle($0), devices[$0]) })
        let once = WatchRing(around: own, of: connections).watched(in: [Array(connections.keys)])
        for peer in once {
            connections[twice] = connections[peer]
            let watched = WatchRing(around: own, of: connections).watched(in: [Array(connections.keys)])
            #expect(watched == once.union([twice]))
        }
    }
}
