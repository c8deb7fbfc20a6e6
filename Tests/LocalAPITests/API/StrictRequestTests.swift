import LocalAPIModel
import Node
import Testing

@testable import LocalAPIClient
@testable import LocalAPIServer

@Suite("Requests that say nothing where something belongs")
struct StrictRequestTests {
    private func answer(
        _ method: LocalRequest.Method, _ target: String, _ body: String = "", by alice: Alice
    ) async throws -> (status: Int, error: ErrorDescription.Detail) {
        var request = LocalRequest(method)
        request.target = target
        request.body = Array(body.utf8)
        let answer = try await alice.client.exchange(request)
        return (answer.status, try WireFormat.decode(ErrorDescription.self, from: answer.body).error)
    }

    @Test(arguments: [
        (LocalRequest.Method.patch, "/profile", #"{"name":null}"#, "name"),
        (.patch, "/profile", #"{"name":"Alice","receipts":null}"#, "receipts"),
        (.post, "/conversations/x/leave", #"{"successor":null}"#, "successor"),
        (.post, "/conversations/x/messages", #"{"text":"a","reply_to":null}"#, "reply_to"),
        (.post, "/conversations", #"{"kind":"direct","members":["Bob"],"name":null}"#, "name"),
        (.patch, "/conversations/x", #"{"settings":null}"#, "settings"),
        (.post, "/conversations/x/codes", #"{"expires_in":null}"#, "expires_in"),
    ])
    func `null is refused where it means nothing`(
        method: LocalRequest.Method, target: String, body: String, field: String
    ) async throws {
        try await Alice.tells(knowing: []) { alice in
            let (status, error) = try await answer(method, target, body, by: alice)
            #expect(status == 400)
            #expect(error.code == "invalid_request")
            #expect(error.message == "The field \"\(field)\" is null; leave it away instead")
        }
    }

    @Test func `only what can be cleared is null in a body of the API`() {
        let nullable = Route.all.compactMap(\.body).filter { !$0.nullable.isEmpty }
        #expect(nullable.map { "\($0)" }.sorted() == ["ChangePrivate", "ChangeRetention"])
        for body in nullable { #expect(body.nullable.isSubset(of: names(of: body))) }
    }

    private func names<Body: RequestFields>(of body: Body.Type) -> Set<String> {
        Set(Body.CodingKeys.allCases.map(\.stringValue))
    }

    @Test(arguments: [
        "/conversations?requests=", "/conversations?archived", "/conversations?query=", "/people?query=",
        "/conversations/x/messages?unread=", "/conversations/x/messages?limit=", "/conversations/x/messages?before=",
        "/search?q=", "/events?since=", "/conversations/x/membership?void=", "/conversations/x/files?kind=",
    ])
    func `a query parameter without a value is refused`(target: String) async throws {
        try await Alice.tells(knowing: []) { alice in
            let (status, error) = try await answer(.get, target, by: alice)
            #expect(status == 400)
            #expect(error.message.hasSuffix("is empty: give it a value, or leave it away"))
        }
    }

    @Test func `what was made says where it is, and is there`() async throws {
        try await Alice.tells(web: LocalServer.Web(port: 0)) { alice in
            let session = try await BrowserSession(of: alice)
            let made = try await session.ask(
                "/api/v1/conversations", method: "POST",
                body: #"{"kind":"group","name":"Ship","members":["Bob","Carol"]}"#)
            let group = try await follow(made, session)
            let id = try WireFormat.decode(ConversationDescription.self, from: Array(group.utf8)).id
            let sent = try await session.ask(
                "/api/v1/conversations/\(id)/messages", method: "POST", body: #"{"text":"Ahoy"}"#)
            #expect(try await follow(sent, session).contains("Ahoy"))
            let file = try await session.ask("/api/v1/blobs?name=a.txt", method: "POST", body: "Some bytes")
            #expect(try await follow(file, session) == "Some bytes")
        }
    }

    /// What is where an answer says that something was made.
    private func follow(_ answer: Browser.Answer, _ session: BrowserSession) async throws -> String {
        #expect(answer.status == 201)
        let place = try #require(answer.fields["location"])
        let found = try await session.ask(place)
        #expect(found.status == 200)
        return found.body
    }

    @Test func `a message was received when its answer says, also later`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            for number in 1...5 {
                let sent = try await alice.client.send("\(number)", to: group.id)
                let later = try await alice.client.message(sent.id)
                #expect(later.receivedAt == sent.receivedAt)
            }
        }
    }
}
