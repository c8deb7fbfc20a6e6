import Conversations
import Cryptography
import OperationLog
import Testing

@Suite("Mentions")
struct MentionTests {
    private let alice = UserID(digest: .hash("test", [1]))
    private let bob = UserID(digest: .hash("test", [2]))
    private let bobby = UserID(digest: .hash("test", [3]))
    private let annaMaria = UserID(digest: .hash("test", [4]))
    private let anna = UserID(digest: .hash("test", [5]))

    private func named(in text: String, besides others: [(user: UserID, name: String)] = []) -> [UserID] {
        let members = [(alice, "Alice"), (bob, "Bob"), (bobby, "Bobby"), (annaMaria, "Anna Maria"), (anna, "Anna")]
        return Mentions(among: members.map { (user: $0.0, name: $0.1) } + others).people(namedIn: text)
    }

    @Test func `name members in large and small letters, wherever they stand`() {
        #expect(named(in: "@alice, come here") == [alice])
        #expect(named(in: "where is (@ALICE)?") == [alice])
        #expect(named(in: "@Alice @Bob @alice") == [alice, bob].sorted())
        #expect(named(in: "Alice and Bob") == [])
        #expect(named(in: "") == [])
        #expect(named(in: "@") == [])
    }

    @Test func `take the longest name that fits`() {
        #expect(named(in: "@Bobby!") == [bobby])
        #expect(named(in: "@Bob by the way") == [bob])
        #expect(named(in: "@Anna Maria is here") == [annaMaria])
        #expect(named(in: "@Anna Mari is here") == [anna])
    }

    @Test func `begin and end with a word`() {
        #expect(named(in: "mail bob@bob.example") == [])
        #expect(named(in: "@Bobbie") == [])
        #expect(named(in: "@Bob_2") == [])
        #expect(named(in: "@@Bob's") == [bob])
    }

    @Test func `leave out whom somebody else could be meant by`() {
        #expect(named(in: "@Bob @Alice", besides: [(user: UserID(digest: .hash("test", [9])), name: "bob")]) == [alice])
    }

    @Test func `are at most as many as a message may have`() {
        let crowd = (1...40).map { (user: UserID(digest: .hash("crowd", [UInt8($0)])), name: "Guest \($0)") }
        let text = crowd.map { "@\($0.name)" }.joined(separator: " ")
        let people = Mentions(among: crowd).people(namedIn: text)
        #expect(people == crowd.prefix(MessageBody.maximumMentions).map(\.user).sorted())
        #expect(MessageBody(text: text, mentions: people) != nil)
    }
}
