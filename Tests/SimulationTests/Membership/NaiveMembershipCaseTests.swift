import Testing

@testable import Simulation

@Suite("The naive judge of membership")
struct NaiveMembershipCaseTests {
    @Test func `has all published cases to judge`() {
        #expect(PublishedCase.all.count == 55 + 14 + 35 + 10 + 17)
    }

    @Test(arguments: PublishedCase.all)
    func `gives the published result`(published: PublishedCase) throws {
        let judged = try NaiveMembership(
            judging: try published.operations(), capacity: published.capacity ?? 256, tieBreaker: \.bytes)
        #expect(try published.spelled(judged) == published.expect)
    }

    @Test func `says what order it cannot judge`() throws {
        let creation = NaiveOperation<Name, Name>(id: Name("g"), author: Name("A"), parents: [], action: .create)
        let merge = NaiveOperation<Name, Name>(id: Name("m"), author: Name("A"), parents: [Name("g")], action: .merge)
        #expect(throws: NaiveDisorder.notRooted(Name("m"))) { try judge([merge, creation]) }
        #expect(throws: NaiveDisorder.notRooted(Name("x"))) {
            try judge([creation, NaiveOperation(id: Name("x"), author: Name("A"), parents: [], action: .create)])
        }
        #expect(throws: NaiveDisorder.duplicate(Name("m"))) { try judge([creation, merge, merge]) }
        #expect(throws: NaiveDisorder.missingParent(of: Name("x"))) {
            try judge([
                creation, NaiveOperation(id: Name("x"), author: Name("A"), parents: [Name("m")], action: .merge), merge,
            ])
        }
    }

    private func judge(_ operations: [NaiveOperation<Name, Name>]) throws {
        _ = try NaiveMembership(judging: operations, tieBreaker: \.bytes)
    }
}
