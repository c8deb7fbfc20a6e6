import Foundation
import Membership
import MembershipScenarios
import OperationLogFixtures
import Testing

@Suite("Published membership cases")
struct PublicCaseTests {
    @Test func `are all there`() {
        #expect(PublicCases.all.count == 55 + 14 + 35 + 10 + 17)
    }

    @Test(arguments: PublicCases.all)
    func `have the published result`(published: PublicCases.Case) throws {
        #expect(try answer(published.line) == published.expected)
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `do not depend on the order of the operations`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for published in PublicCases.all {
            let line = try shuffled(published.line, using: &random)
            #expect(try answer(line) == published.expected, "\(published.label), seed \(seed)")
        }
    }

    @Test(arguments: PublicCases.all)
    func `are judged at once as they are one by one`(published: PublicCases.Case) throws {
        let scenario = try Scenario(line: published.line)
        let whole = MembershipResolver<Name, Name, Name>(evaluating: scenario.operations, capacity: scenario.capacity) {
            TieBreaker($0.text.utf8)
        }
        #expect(whole.void == scenario.outcome().void.map(\.id))
        #expect(whole.state.members.map(\.person).sorted() == scenario.outcome().members.map(\.person))
    }

    /// The same scenario with its operations in another order.
    private func shuffled(_ line: [UInt8], using random: inout SplitMix64) throws -> [UInt8] {
        let json = try JSONSerialization.jsonObject(with: Data(line))
        var scenario = try #require(json as? [String: Any])
        let operations = try #require(scenario["ops"] as? [Any])
        scenario["ops"] = operations.shuffled(using: &random)
        return Array(try JSONSerialization.data(withJSONObject: scenario))
    }
}
