import Cryptography
import OperationLog
import OperationLogFixtures
import Storage
import Testing

@testable import Conversations

@Suite("The writes of a register")
struct RegisterWritesTests {
    private static let count = 200

    private let positions = (0..<Self.count).map { number in
        MessagePosition(hybridTime: Int64(number / 3), id: OperationID(digest: .hash("write", [UInt8(number)])))
    }.sorted()

    /// Which of two writes decides, in no order that has to do with their places.
    private func outwrites(_ one: OperationID, _ other: OperationID) -> Bool { one < other }

    private func outcomes(_ writes: RegisterWrites) -> [RegisterWrites.Outcome?] {
        positions.map(writes.outcome(at:))
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `become the same whether they come and go at once or one after the other`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (atOnce, oneByOne) = (RegisterWrites(initial: ""), RegisterWrites(initial: ""))
        for _ in 0..<6 {
            let some = positions.shuffled(using: &random).prefix(Int.random(in: 1...80, using: &random))
            let changes = some.map { position in
                let value = ["", "Ship", "Boat", nil].randomElement(using: &random) ?? nil
                return RegisterWrites.Change(position: position, value: value)
            }
            _ = atOnce.update(changes, outwrites: outwrites)
            for change in changes { _ = oneByOne.update([change], outwrites: outwrites) }
            #expect(outcomes(atOnce) == outcomes(oneByOne))
        }
    }

    /// A decision can make thousands void, and the next one effective again.
    @Test func `are judged once, however many come or go`() {
        var (writes, questions) = (RegisterWrites(initial: ""), 0)
        let count = { (one: OperationID, other: OperationID) in
            questions += 1
            return one < other
        }
        for value in ["Ship", nil, "Boat"] {
            _ = writes.update(positions.map { .init(position: $0, value: value) }, outwrites: count)
        }
        #expect(questions <= 2 * Self.count && outcomes(writes).contains(.changed))
    }
}
