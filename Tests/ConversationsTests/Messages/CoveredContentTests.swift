import Conversations
import OperationLog
import OperationLogFixtures
import Testing

/// What is covered of a device, with the operations that are here.
private final class Coverage {
    var headers: [OperationID: OperationHeader]
    /// How many operations were looked up.
    private(set) var asked = 0
    private var covered: CoveredContent

    init(of device: DeviceID, in operations: [Operation]) {
        covered = CoveredContent(of: device)
        headers = Dictionary(uniqueKeysWithValues: operations.map { ($0.id, $0.header) })
    }

    private func find(_ id: OperationID) -> OperationHeader? {
        asked += 1
        return headers[id]
    }

    func name(_ operations: [Operation]) -> Bool { covered.name(Set(operations.map(\.id)), find: find) }

    func come(_ operation: Operation) {
        headers[operation.id] = operation.header
        _ = covered.arrive(operation)
    }

    func contains(_ operation: Operation, isForked: Bool = false) -> Bool {
        covered.contains(operation, isForked: isForked, find: find)
    }

    func takeNews(isForked: Bool = false) -> [OperationID] { covered.takeNews(isForked: isForked, find: find) }
}

/// Carol writes, and her devices' revocations name some of it.
@Suite("What is named of a revoked device")
struct CoveredContentTests {
    private var circle: Circle
    private var written: [Operation] = []

    init() throws {
        circle = try Circle("Alice", "Bob", "Carol")
        for body in 0..<40 as Range<UInt8> { written += try Self.write(body, in: &circle) }
    }

    private static func write(_ body: UInt8, in circle: inout Circle) throws -> [Operation] {
        try circle.write(content: [.init(type: .message, body: [body])], by: "Carol")
    }

    @Test func `counts with what it follows, and is news once`() throws {
        let covered = Coverage(of: written[0].author.id, in: written)
        for end in 1..<40 {
            #expect(covered.name(Array(written[1...end])))
            #expect(covered.takeNews().reversed() == (end == 1 ? written[...1] : written[end...end]).map(\.id))
            for (place, operation) in written.enumerated() {
                #expect(covered.contains(operation) == (place <= end))
            }
        }
        #expect(covered.asked < 4 * written.count, "each is looked up a few times, however often it is named")
        #expect(covered.takeNews().isEmpty)
        #expect(!covered.name([written[1]]), "an earlier name is missing")
    }

    @Test mutating func `counts once it has come`() throws {
        let last = try Self.write(99, in: &circle)[0]
        let covered = Coverage(of: last.author.id, in: written)
        #expect(covered.name([last]))
        #expect(!covered.contains(written[3]) && covered.takeNews().isEmpty)
        covered.come(last)
        #expect(covered.contains(written[3]))
        #expect(covered.takeNews().count == written.count + 1)
    }

    @Test mutating func `is its branch, and no other one below it`() throws {
        var twin = circle
        var own: [Operation] = []
        for body in 100..<103 as Range<UInt8> { own += try Self.write(body, in: &circle) }
        let fork = try Self.write(200, in: &twin)[0]
        let covered = Coverage(of: fork.author.id, in: written + own + [fork])
        #expect(covered.name([own[2]]))
        #expect(!covered.contains(fork, isForked: true))
        for operation in written + own { #expect(covered.contains(operation, isForked: true)) }
        #expect(covered.takeNews(isForked: true).count == written.count + own.count)
        #expect(covered.name([own[2], fork]))
        #expect(covered.takeNews(isForked: true) == [fork.id])
        #expect(covered.contains(fork, isForked: true))
    }

    @Test mutating func `is nothing that another device wrote, and no decision`() throws {
        let bobs = try #require(try circle.write(content: [.init(type: .message, body: [1])], by: "Bob").first)
        let decision = try #require(circle.log.membership.operations.first)
        for (named, device) in [(bobs, written[0].author.id), (decision, decision.author.id)] {
            let covered = Coverage(of: device, in: written + [named])
            #expect(covered.name([named]))
            #expect(covered.takeNews().isEmpty && !covered.contains(written[0]))
        }
    }
}
