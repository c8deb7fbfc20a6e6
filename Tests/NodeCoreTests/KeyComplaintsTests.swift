import Conversations
import Cryptography
import OperationLog
import Testing

@testable import NodeCore
@testable import Replication
@testable import Simulation

/// Carol's device could not open Alice's key and says so; Alice and Bob, who hold it, help in turn.
@Suite("The machine for complaints about keys")
struct KeyComplaintsTests {
    private static let (alice, bob, carol) = (0, 1, 2)
    private var complaints = KeyComplaints()
    private var trio: Trio
    private let group: ConversationID
    private let epoch: OperationID

    init() throws {
        var trio = try Trio()
        group = try trio.found()
        let held = trio.disks[Self.alice].image.operations(of: group, lane: .content)
        epoch = try #require(held.first { $0.header.type == .epoch }?.id)
        let (conversation, about) = (group, epoch)
        try trio.cores[Self.carol].write(in: group) { log, author, time throws(MalformedBytes) in
            try log.write(
                content: [ConversationLog.Draft(type: .complaint, epoch: about, body: [])], by: author, at: time)
        }
        let said = trio.disks[Self.carol].image.operations(of: group, lane: .content)
            .filter { $0.header.type == .complaint }
        for index in [Self.alice, Self.bob] {
            // Nobody is connected, so nobody answers before they are asked here.
            for operation in said {
                trio.cores[index].replicas[conversation]?.epochs.insert(complaintOf: operation.author.id, about: about)
            }
        }
        self.trio = trio
    }

    private mutating func due(at index: Int, after duration: Duration) -> [KeyComplaints.Complaint] {
        trio.cores[index].moment = Trio.after(duration)
        return complaints.dueAnswers(in: group, &trio.cores[index].context)
    }

    @Test mutating func `the author of a key helps at once`() {
        let answers = due(at: Self.alice, after: .zero)
        #expect(answers.map(\.complainer.device) == [trio.carol.device.id])
        #expect(answers.map(\.epoch.id) == [epoch])
        #expect(complaints.conversationsToAnswerIn == [group])
    }

    @Test mutating func `another holder waits three seconds while the author is connected`() {
        _ = trio.connect(Self.bob, to: Self.alice)
        #expect(due(at: Self.bob, after: .zero).isEmpty)
        #expect(due(at: Self.bob, after: .milliseconds(2_999)).isEmpty)
        #expect(due(at: Self.bob, after: .seconds(3)).map(\.complainer.device) == [trio.carol.device.id])
    }

    @Test mutating func `another holder helps at once where the author is away`() {
        #expect(due(at: Self.bob, after: .zero).count == 1)
    }

    @Test func `seven silent people with eight devices each cost no more than three waits`() {
        let (author, own) = (DeviceID(digest: .hash("author")), DeviceID(digest: .hash("own")))
        let user = { (number: UInt8) in UserID(digest: .hash("user", [number])) }
        var holders = [(device: own, user: user(0)), (device: author, user: user(1))]
        for number in 0..<55 as Range<UInt8> {
            holders.append((device: DeviceID(digest: .hash("device", [number])), user: user(1 + number % 7)))
        }
        for number in 0..<20 as Range<UInt8> {
            let epoch = OperationID(digest: .hash("epoch", [number]))
            let waits = KeyComplaints.waits(of: own, among: holders, of: epoch, by: author)
            #expect((1...3).contains(waits), "the author comes first, and not \(waits) waits")
            #expect(KeyComplaints.waits(of: author, among: holders, of: epoch, by: author) == 0)
        }
    }

    @Test mutating func `nobody who is out is helped`() throws {
        try trio.cores[Self.alice].remove(trio.carol.me, from: group, archive: true, at: Trio.moment)
        #expect(due(at: Self.alice, after: .seconds(60)).isEmpty)
    }

    @Test mutating func `a device does not complain of keys that opened`() {
        #expect(complaints.due(in: group, trio.bob.context).isEmpty)
        #expect(complaints.conversationsToComplainIn.isEmpty)
    }
}
