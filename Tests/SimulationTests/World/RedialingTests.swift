import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// When Alice dials Bob again, of whose host Alice was told.
@Suite("Dialing again")
struct RedialingTests {
    private let bob: PeerIdentity
    private let disk = VirtualDisk(replicaEpoch: Array(repeating: 1, count: 16))
    private let keys: NodeCore.Keys

    init() throws {
        var random = SeededRandom(seed: 1)
        keys = Person(using: &random).nodeKeys(using: &random)
        let person = Person(using: &random)
        let record = IdentityRecord(
            root: person.root, serial: 1, devices: [.init(device: person.author.device, name: "")])
        bob = PeerIdentity(device: person.author.device, record: record)
    }

    /// How long Alice waits after each of eight connections that Bob ends.
    private func waits(whereBobSays hello: [UInt8]?, andStaysFor stay: Duration = .zero) throws -> [Duration] {
        func at(_ time: Duration) -> Moment {
            Moment(monotonic: Instant(sinceStart: time), wall: Timestamp(clamping: 1_800_000_000_000))
        }
        var core = try NodeCore(
            keys: keys, storage: disk, blobs: disk, names: ["Alice"], deviceName: "desk", staticPeers: ["192.0.2.2:1"],
            random: SeededRandom(seed: 2), at: at(.zero))
        var time = Duration.zero
        var ended: Duration?
        var waits: [Duration] = []
        while waits.count < 8, time < .seconds(600) {
            core.handle(.tick, at: at(time))
            for case .dial(let target) in core.takeEffects() {
                if let ended { waits.append(time - ended) }
                let place = Endpoint(host: "192.0.2.2", port: 1)
                let handle = core.begin(to: target, at: place, moment: at(time))
                core.handle(.established(bob, transcript: Array(repeating: 7, count: 64), on: handle), at: at(time))
                if let hello { core.handle(.received(ReceivedMessage(decoding: hello), on: handle), at: at(time)) }
                time += stay
                core.handle(.ended(handle, reason: "connection_lost"), at: at(time))
                ended = time
            }
            time += .milliseconds(10)
        }
        return waits
    }

    private let hello = PeerMessage.people(.hello(replicaEpoch: Array(repeating: 2, count: 16), port: 0, [])).encoded

    @Test(arguments: [true, false])
    func `who ends the connection at once is left alone ever longer`(saysHello: Bool) throws {
        let waits = try waits(whereBobSays: saysHello ? hello : nil)
        #expect(waits.count == 8)
        #expect(waits.first.map { $0 < .seconds(1) } == true)
        #expect(waits.last.map { $0 > .seconds(20) && $0 < .seconds(40) } == true)
    }

    @Test func `who said hello and stayed is dialed again at once`() throws {
        let waits = try waits(whereBobSays: hello, andStaysFor: .seconds(15))
        #expect(waits.count == 8)
        #expect(waits.allSatisfy { $0 < .milliseconds(400) })
    }
}
