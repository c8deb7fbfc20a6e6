import Cryptography
import OperationLog
import OperationLogFixtures
import Testing
import Time

@testable import Replication

/// Bytes by which two nodes that meet again compare what they hold of a conversation, without what they then send each
/// other.
///
/// The numbers depend on how many chains there are and how many of them differ, and not on how many operations are in
/// them.
@Suite("What comparing costs")
struct ComparisonCostTests {
    /// Alice, who dialed, and Bob hold frontiers that nobody has to have written.
    private struct Meeting {
        static let kinds: Set<UInt8> = [4, 5, 6, 7, 8, 10, 11]
        let conversation = ConversationID(digest: .hash("test", [1]))
        var replicators: [Replicator]
        var content: [Frontier]
        private var now = Instant(sinceStart: .seconds(1))
        private var wakes: [Instant?] = [nil, nil]
        private var underWay: ArraySlice<(to: Int, bytes: [UInt8])> = []
        /// What the two asked for and is not done yet.
        private var requests: ArraySlice<(host: Int, effect: Replicator.Effect)> = []
        /// The bytes of the messages that compare, and what they were.
        private(set) var bytes = 0
        private(set) var said: [UInt8] = []
        private(set) var batches = 0

        init(content: [Frontier]) {
            var random = SplitMix64(seed: 1)
            let people = [Person(using: &random), Person(using: &random)]
            self.content = content
            replicators = people.map { person in
                Replicator(device: person.author.device, replicaEpoch: Array(repeating: 1, count: 16), introduction: [])
            }
            let audience = Dictionary(uniqueKeysWithValues: people.map { ($0.user, MembershipStatus.member) })
            let transcript = random.bytes(64)
            for (one, other) in [(0, 1), (1, 0)] {
                let record = IdentityRecord(
                    root: people[other].root, serial: 1,
                    devices: [.init(device: people[other].author.device, name: "")])
                let identity = PeerIdentity(device: people[other].author.device, record: record)
                handle(
                    .opened(conversation, .group, membership: Self.frontier([7]), content: content[one]), at: one)
                handle(.audienceChanged(conversation, audience), at: one)
                handle(
                    .connected(Self.peer, identity, transcript: transcript, role: one == 0 ? .initiator : .responder),
                    at: one)
            }
            run(for: .seconds(3))
        }

        static let peer = PeerHandle(rawValue: 1)

        /// Chains of so many operations.
        static func frontier(_ lengths: [UInt64]) -> Frontier {
            Frontier(
                lengths.enumerated().map { chain, length in
                    let id = OperationID(digest: .hash("test/operation", [UInt8(chain)] + Array("\(length)".utf8)))
                    return (
                        DeviceID(digest: .hash("test/device", [UInt8(chain)])), ChainTip(sequenceNumber: length, id: id)
                    )
                })
        }

        private mutating func run(for length: Duration) {
            let end = now + length
            while true {
                if let request = requests.popFirst() {
                    perform(request.effect, at: request.host)
                    continue
                }
                if let message = underWay.popFirst() {
                    handle(.received(Self.peer, ReceivedMessage(decoding: message.bytes)), at: message.to)
                    continue
                }
                guard let next = wakes.compactMap({ $0 }).min(), next <= end else { break }
                now = max(now, next)
                for host in wakes.indices where wakes[host].map({ $0 <= now }) == true {
                    wakes[host] = nil
                    handle(.tick, at: host)
                }
            }
            now = end
        }

        private mutating func handle(_ event: Replicator.Event, at host: Int) {
            requests += replicators[host].handle(event, at: now).map { (host, $0) }
        }

        private mutating func perform(_ effect: Replicator.Effect, at host: Int) {
            switch effect {
            case .send(_, let bytes, _):
                if let kind = bytes.first, Self.kinds.contains(kind) {
                    self.bytes += bytes.count
                    said.append(kind)
                }
                underWay.append((1 - host, bytes))
            case .serve(_, _, let lane, let known, _):
                let hasMore = content[1 - host].joined(with: content[host]) != content[1 - host]
                let batch: [UInt8]? = known != nil && hasMore ? [lane.rawValue] : nil
                handle(.served(Self.peer, conversation, lane, batch: batch), at: host)
            case .admit(_, _, let lane, let bytes, _, _):
                // Whatever was asked for is what the other side has.
                batches += 1
                content[host] = content[1 - host].joined(with: content[host])
                handle(.committed(conversation, lane, content[host], .fetched), at: host)
                handle(
                    .admissionFinished(Self.peer, conversation, lane, bytes: bytes.count, outcome: .taken), at: host)
            case .wake(let moment):
                wakes[host] = min(wakes[host] ?? moment, moment)
            default: break
            }
        }
    }

    private static let lengths = Array(repeating: UInt64(10_000), count: 10)

    @Test func `two who hold the same say so with nineteen bytes each`() {
        let frontier = Meeting.frontier(Self.lengths)
        let meeting = Meeting(content: [frontier, frontier])
        #expect(meeting.said == [4, 4])
        #expect(meeting.bytes == 2 * 19)
        #expect(meeting.batches == 0)
    }

    /// Who dialed says how long each chain is. Where the other side lacks something, it answers with the lengths that
    /// it holds.
    @Test(arguments: [(lacking: 0, bound: 114), (lacking: 1, bound: 158)])
    func `ten operations in a hundred thousand, one in each chain, cost less than two hundred bytes to find`(
        lacking: Int, bound: Int
    ) {
        var content = Array(repeating: Meeting.frontier(Self.lengths), count: 2)
        content[lacking] = Meeting.frontier(Self.lengths.map { $0 - 1 })
        let meeting = Meeting(content: content)
        #expect(meeting.content[0] == meeting.content[1])
        #expect(meeting.batches == 1)
        #expect(meeting.bytes <= bound, "\(meeting.bytes) bytes: \(meeting.said)")
    }
}

extension Frontier {
    /// The longer of each chain.
    fileprivate func joined(with other: Frontier) -> Frontier {
        Frontier(
            Set(devices).union(other.devices).flatMap { device in
                [tips[device], other.tips[device]].compactMap { $0?.last }.max().map { [(device, $0)] } ?? []
            })
    }
}
