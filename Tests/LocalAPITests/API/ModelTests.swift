import LocalAPIModel
import Node
import NodeCore
import Testing

@Suite("The model of the local API")
struct ModelTests {
    @Test func `reads a word that a newer node says as unknown, and goes on reading`() throws {
        let event = try WireFormat.decode(
            NodeEvent.self, from: Array(#"{"id":7,"type":"from_the_future","text":"hello"}"#.utf8))
        #expect(event.type == .unknown)
        #expect(event.text == "hello")
    }

    @Test(arguments: [
        (NodeEvent.Kind.messageChanged, "message_changed"), (.notificationCleared, "notification_cleared"),
        (.notificationOpened, "notification_opened"), (.resync, "resync"),
    ])
    func `says a word as it is in the JSON`(kind: NodeEvent.Kind, word: String) throws {
        let json = try WireFormat.encode([kind])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(word)\"]")
        #expect("\(kind)" == word)
        #expect(try WireFormat.decode([NodeEvent.Kind].self, from: json) == [kind])
    }

    @Test func `has the limits of the node`() {
        #expect(APILimits.maximumFilesPerMessage == Node.maximumFilesPerMessage)
        #expect(APILimits.maximumFileBytes == Node.maximumFileBytes)
        #expect(APILimits.maximumSearchLength == Node.maximumSearchLength)
        #expect(APILimits.retentionDays == NodeCore.retentionRange)
    }
}
