import Conversations
import Cryptography
import CryptographyFixtures
import OperationLog
import Testing

@Suite("The code two people compare")
struct SafetyNumberTests {
    private struct Vectors: Decodable {
        struct Comparison: Decodable {
            let users: [Hexadecimal]
            let code: String
        }

        let comparisons: [Comparison]
    }

    private func user(_ text: String) -> UserID {
        UserID(digest: .hash("user", Array(text.utf8)))
    }

    @Test
    func `is what an independent implementation makes of the page`() throws {
        let comparisons = try Fixture.load("people-vectors.json", as: Vectors.self).comparisons
        #expect(comparisons.count == 4)
        for comparison in comparisons {
            let users = comparison.users.compactMap { Digest(bytes: $0.bytes).map(UserID.init(digest:)) }
            #expect(try SafetyNumber(users[0], users[1]).description == comparison.code)
        }
    }

    @Test
    func `is the same for both, and another for everybody else`() throws {
        let ours = try SafetyNumber(user("Alice"), user("Bob"))
        #expect(try SafetyNumber(user("Bob"), user("Alice")) == ours)
        #expect(try SafetyNumber(user("Alice"), user("Mallory")) != ours)
        #expect(try SafetyNumber(user("Mallory"), user("Bob")) != ours)
    }

    @Test
    func `has six groups of five digits`() throws {
        let code = try SafetyNumber(user("Alice"), user("Bob"))
        #expect(code.digits.count == 2 * SafetyNumber.halfDigits)
        let groups = code.description.split(separator: " ")
        #expect(groups.map(\.count) == [5, 5, 5, 5, 5, 5])
        #expect(groups.joined() == code.digits)
        #expect(code.digits.utf8.allSatisfy { (48...57).contains($0) })
    }

    @Test
    func `shows each of two people somebody in the middle by a half that changes`() throws {
        let bob = try SafetyNumber(user("Alice"), user("Bob")).digits
        let mallory = try SafetyNumber(user("Alice"), user("Mallory")).digits
        let halves = { (digits: String) in Set([digits.prefix(15), digits.suffix(15)]) }
        #expect(halves(bob).intersection(halves(mallory)).count == 1, "Alice's own half stays")
    }
}
