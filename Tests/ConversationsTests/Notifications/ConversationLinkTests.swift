import Conversations
import Cryptography
import OperationLog
import Testing

@Suite("The address of a conversation")
struct ConversationLinkTests {
    private static let ship = ConversationID(digest: .hash("moot/1/test", [1]))
    private static let message = OperationID(digest: .hash("moot/1/test", [2]))

    @Test func `is read as it was written`() {
        for link in [ConversationLink(to: Self.ship), ConversationLink(to: Self.ship, at: Self.message)] {
            #expect(ConversationLink(link.description) == link)
        }
        #expect(
            ConversationLink(to: Self.ship, at: Self.message).description
                == "moot://conversation/\(Self.ship)/\(Self.message)")
    }

    @Test(arguments: [
        "", "moot:", "moot://conversation/", "moot://conversation//", "https://conversation/\(ship)",
        "moot://conversation/\(ship)/", "moot://conversation/\(ship)//\(message)",
        "moot://conversation/\(ship)/\(message)/", "moot://conversation/\(ship)/\(message)/\(message)",
        "moot://conversation/\(ship)?x=1", "moot://conversation/\(ship)#x", "moot://conversation/\(ship)\0",
        "moot://conversation/\("\(ship)".uppercased())", "moot://conversation/Ship", "moot://conversation/..",
        "MOOT://conversation/\(ship)", " moot://conversation/\(ship)", "moot://conversation/\(ship)\n",
        "moot://conversation/--json", "moot://conversation/\(ship)/$(touch x)",
        "moot://conversation/\(String(repeating: "é", count: 32))",
    ])
    func `is refused in every other form`(text: String) {
        #expect(ConversationLink(text) == nil)
    }
}
