import Foundation
import HTTPTypes
import Node
import PhotoFixtures
import Testing
import Waiting

@testable import LocalAPIClient
@testable import LocalAPIModel
@testable import LocalAPIServer

@Suite("The description of the local API")
struct OpenAPITests {
    /// An operation of the document.
    struct Operation: Hashable, Comparable, CustomStringConvertible {
        let method: String
        let path: String
        var description: String { "\(method) \(path)" }

        static func < (one: Operation, other: Operation) -> Bool { one.description < other.description }
    }

    private let document: [String: Any]
    private let schema: Schema

    init() throws {
        let bytes = Data(APIDescription.bytes)
        #expect(DuplicateKey.find(in: Array(bytes)) == nil)
        let json = try JSONSerialization.jsonObject(with: bytes)
        document = try #require(json as? [String: Any])
        schema = Schema(document: document)
    }

    private func operations() throws -> [Operation: [String: Any]] {
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        return paths.reduce(into: [:]) { found, path in
            for (method, operation) in path.value {
                found[Operation(method: method.uppercased(), path: path.key)] = operation
            }
        }
    }

    /// The names of an operation's parameters of one kind.
    private func parameters(of operation: [String: Any], in kind: String) throws -> Set<String> {
        let found = try (operation["parameters"] as? [[String: Any]] ?? []).map { parameter in
            guard let reference = parameter["$ref"] as? String else { return parameter }
            let resolved = try schema.resolve(reference)
            return try #require(resolved as? [String: Any])
        }
        return Set(found.filter { $0["in"] as? String == kind }.compactMap { $0["name"] as? String })
    }

    @Test func `is of this version`() throws {
        #expect(document["openapi"] as? String == "3.1.0")
        #expect((document["info"] as? [String: Any])?["version"] as? String == Node.version)
        #expect((document["servers"] as? [[String: Any]])?.first?["url"] as? String == APIPath.prefix)
    }

    @Test func `has every method of every path, and no other`() throws {
        let described = try operations().keys.sorted()
        let offered = Route.all.map { Operation(method: $0.method.rawValue, path: $0.path) }.sorted()
        #expect(described == offered)
    }

    @Test func `has every query parameter and every segment of a path, and no others`() throws {
        let operations = try operations()
        for route in Route.all {
            let place = Operation(method: route.method.rawValue, path: route.path)
            let operation = try #require(operations[place])
            #expect(try parameters(of: operation, in: "query") == Set(route.parameters), "\(place)")
            let segments = route.path.matches(of: /\{(\w+)\}/).map { String($0.1) }
            #expect(try parameters(of: operation, in: "path") == Set(segments), "\(place)")
        }
    }

    @Test func `has every field of every body, and no others`() throws {
        let operations = try operations()
        for route in Route.all {
            let place = Operation(method: route.method.rawValue, path: route.path)
            let operation = try #require(operations[place])
            if route.takesBytes {
                let described = try #require(operation["requestBody"] as? [String: Any], "\(place)")
                #expect(content(of: described, "application/octet-stream") != nil, "\(place)")
                continue
            }
            guard let body = route.body else {
                #expect(operation["requestBody"] == nil, "\(place)")
                continue
            }
            let described = try #require(operation["requestBody"] as? [String: Any], "\(place)")
            let reference = try #require(content(of: described, "application/json")?["$ref"] as? String)
            #expect(reference == "#/components/schemas/\(body)", "\(place)")
            let resolved = try schema.resolve(reference)
            let fields = try #require(resolved as? [String: Any])
            #expect(Set((fields["properties"] as? [String: Any] ?? [:]).keys) == Set(names(of: body)), "\(place)")
            #expect(fields["additionalProperties"] as? Bool == false)
        }
    }

    private func names<Body: RequestFields>(of body: Body.Type) -> [String] {
        Body.CodingKeys.allCases.map(\.stringValue)
    }

    private func content(of part: [String: Any], _ type: String) -> [String: Any]? {
        (part["content"] as? [String: [String: Any]])?[type]?["schema"] as? [String: Any]
    }

    @Test func `has no reference that leads nowhere, and no schema that nobody refers to`() throws {
        let text = String(decoding: APIDescription.bytes, as: UTF8.self)
        let references = Set(text.matches(of: /"\$ref": "([^"]+)"/).map { String($0.1) })
        for reference in references { _ = try schema.resolve(reference) }
        let components = try #require(document["components"] as? [String: [String: Any]])
        for kind in ["schemas", "parameters", "responses", "headers", "examples"] {
            let names = try #require(components[kind]).keys.map { "#/components/\(kind)/\($0)" }
            #expect(Set(names).subtracting(references).isEmpty)
        }
    }

    // MARK: - Answers

    /// Asks a node and checks what it answers against the document; keeps count of what was asked.
    private final class ConformanceChecker {
        let alice: Alice
        let tests: OpenAPITests
        var asked: Set<Operation> = []

        init(_ alice: Alice, _ tests: OpenAPITests) {
            self.alice = alice
            self.tests = tests
        }

        /// Asks for a path, whose varying segments are given, and returns the answer's JSON.
        @discardableResult
        func ask(
            _ method: LocalRequest.Method, _ path: String, _ segments: [String: String] = [:], query: String = "",
            body: String = "", status expected: Int = 200
        ) async throws -> Any {
            let operation = Operation(method: method.rawValue, path: path)
            var request = LocalRequest(method)
            request.target = segments.reduce(path) { target, segment in
                target.replacing("{\(segment.key)}", with: PercentEncoding.encode(segment.value))
            }
            if !query.isEmpty { request.target += "?" + query }
            request.body = Array(body.utf8)
            let answer = try await alice.client.exchange(request)
            let text = String(decoding: answer.body, as: UTF8.self)
            try #require(answer.status == expected, "\(operation): \(text)")
            let operations = try tests.operations()
            let described = try #require(operations[operation], "\(operation)")
            let responses = try #require(described["responses"] as? [String: [String: Any]])
            var response = try #require(responses["\(answer.status)"] ?? responses["default"], "\(operation)")
            if let reference = response["$ref"] as? String {
                let resolved = try tests.schema.resolve(reference)
                response = try #require(resolved as? [String: Any])
            }
            // What really happens has an entry of its own, for whoever makes a client of the document.
            #expect(responses["\(answer.status)"] != nil, "\(operation) answers \(answer.status): describe it")
            if answer.status < 300 { asked.insert(operation) }
            guard let wanted = tests.content(of: response, "application/json") else { return text }
            let value = try JSONSerialization.jsonObject(with: Data(answer.body), options: .fragmentsAllowed)
            try tests.schema.check(value, against: wanted, at: "\(operation)")
            if let given = tests.content(of: described["requestBody"] as? [String: Any] ?? [:], "application/json"),
                answer.status < 300
            {
                let sent = try JSONSerialization.jsonObject(with: Data((body.isEmpty ? "{}" : body).utf8))
                try tests.schema.check(sent, against: given, at: "the body of \(operation)")
            }
            return value
        }
    }

    @Test func `describes what a node answers, whatever is asked`() async throws {
        let web = LocalServer.Web(port: 0)
        let all = Set(try operations().keys)
        try await Alice.tells(besides: ["Dan"], web: web) { alice in
            let checker = ConformanceChecker(alice, self)
            for path in [
                "/status", "/peers", "/reachability", "/people", "/profile", "/profile/contact", "/health", "/verify",
            ] {
                try await checker.ask(.get, path)
            }
            try await checker.ask(.post, "/diagnosis", body: #"{"with":"Bob"}"#)
            try await checker.ask(.post, "/diagnosis", body: #"{"with":"Nobody"}"#, status: 404)
            try await checker.ask(.get, "/settings")
            try await checker.ask(.post, "/settings/reload")
            for path in ["/openapi.json", "/metrics", "/web/token", "/emoji"] { try await checker.ask(.get, path) }
            try await checker.ask(.post, "/web/addresses", status: 201)
            try await tellOfTokens(checker)
            try await tellOfSessions(checker)
            try await checker.ask(
                .patch, "/profile", body: #"{"name":"Alice","receipts":true,"asks_when_added":false}"#)
            try await tellOfAPhoto(checker)
            try await checker.ask(.get, "/people", query: "query=bo&limit=1")
            try await checker.ask(.get, "/people", query: "after=0123", status: 404)
            try await checker.ask(.get, "/people/{user}", ["user": "Bob"])
            try await checker.ask(.get, "/people/{user}", ["user": "Nobody"], status: 404)
            try await checker.ask(.get, "/people/{user}/code", ["user": "Bob"])
            try await checker.ask(.put, "/people/{user}/verified", ["user": "Bob"], body: #"{"verified":true}"#)
            try await checker.ask(.put, "/people/{user}/blocked", ["user": "Bob"], body: #"{"blocked":true}"#)
            try await checker.ask(.get, "/conversations")
            try await checker.ask(.put, "/people/{user}/blocked", ["user": "Bob"], body: #"{"blocked":false}"#)
            try await checker.ask(.post, "/people/{user}/reachability", ["user": "Bob"])
            try await checker.ask(.post, "/people/{user}/reachability", ["user": "Nobody"], status: 404)
            let dan = try #require(alice.strangers.first)
            let code = try await dan.contact().code
            try await checker.ask(.post, "/people", body: #"{"code":"\#(code)"}"#)
            try await tellOfAGroup(checker)
            try await tellOfAnInvite(checker, by: dan)
            try await tellOfForgetting(dan, checker)
            let device = try #require(try await alice.client.devices().first)
            try await checker.ask(.patch, "/devices/{device}", ["device": device.id], body: #"{"name":"kitchen"}"#)
            // The device that answers is never taken out.
            try await checker.ask(.post, "/devices/{device}/retirement", ["device": "kitchen"], status: 422)
            try await checker.ask(.post, "/devices/{device}/revocation", ["device": "kitchen"], body: "{}", status: 422)
            try await checker.ask(.get, "/devices/{device}/revocation", ["device": "kitchen"], query: "seconds=0")
            try await checker.ask(.get, "/people/{user}/devices", ["user": "me"])
            // Nothing is written after it.
            try await checker.ask(.delete, "/profile")
            try await checker.ask(.patch, "/profile", body: #"{"name":"Alice"}"#, status: 409)

            // A stream does not end by itself, so its events are checked one by one.
            let place = Operation(method: "GET", path: "/events")
            let described = try operations()
            let operation = try #require(described[place])
            let responses = try #require(operation["responses"] as? [String: [String: Any]])
            let success = try #require(responses["200"])
            let event = try #require(content(of: success, "text/event-stream"))
            var types: Set<String> = []
            for bytes in try await events(of: alice) {
                let value = try JSONSerialization.jsonObject(with: Data(bytes))
                try schema.check(value, against: event, at: "an event")
                if let type = (value as? [String: Any])?["type"] as? String { types.insert(type) }
            }
            #expect(types.isSuperset(of: ["message", "message_changed", "conversation", "notification"]))
            try await checker.ask(.get, "/devices")
            // No passphrase guards this home.
            try await checker.ask(.post, "/database-copies")
            // No passphrase guards this home.
            try await checker.ask(.post, "/lock", status: 422)
            let untried = all.subtracting(checker.asked)
            // A file that is on its way is in a story.
            let transfers = ["DELETE", "POST"].map { Operation(method: $0, path: "/blobs/{id}/transfer") }
            // Hosts that become devices and cease to be are in a story.
            let links = [
                Operation(method: "POST", path: "/device-links"),
                Operation(method: "DELETE", path: "/device-links/{id}"),
                Operation(method: "POST", path: "/device-links/{id}/agreement"),
                Operation(method: "POST", path: "/devices/{device}/retirement"),
                Operation(method: "POST", path: "/devices/{device}/revocation"),
            ]
            // Nobody did anything here that could be taken back.
            let removal = Operation(method: "GET", path: "/conversations/{id}/members/{user}/removal")
            // Browsers alone have a key and tickets.
            let secrets = ["/web/key", "/web/tickets", "/lock"].map { Operation(method: "POST", path: $0) }
            #expect(untried == Set([place, removal] + secrets + transfers + links))
        }
        try check(
            DeviceLinkDescription.self,
            #"{"id":"00112233445566778899aabbccddeeff","digits":"012345","expires_in_seconds":600}"#, as: "DeviceLink")
        // A node that locks is gone; what it says last has this form.
        try check(LockDescription.self, #"{"locked":true,"pid":7}"#, as: "Lock")
    }

    @Test func `describes what a node tells of decisions overruled and notifications opened`() throws {
        let id = String(repeating: "0a", count: 32)
        try check(
            NodeEvent.self,
            #"{"id":1,"type":"overruled","conversation":"\#(id)","text":"Bob changed the name","#
                + #""overruled":{"operation":"\#(id)","field":"name","yours":"Ship","theirs":"Boat","by":"\#(id)"}}"#,
            as: "Event")
        try check(
            NodeEvent.self,
            #"{"id":2,"type":"notification_opened","conversation":"\#(id)","notification":{"type":"message","#
                + #""conversation":"\#(id)","is_group":false,"sender":"\#(id)","timestamp":"2026-11-23T09:00:00.000Z","badge":1,"#
                + #""sound":true,"message":"\#(id)","title":"Bob","body":"Hi","count":1,"link":"moot://conversation/\#(id)/\#(id)"}}"#,
            as: "Event")
    }

    @Test func `describes what a node tells of a new device of its user, which leads to the list of them`() throws {
        let id = String(repeating: "0a", count: 32)
        try check(
            NodeEvent.self,
            #"{"id":2,"type":"notification","conversation":"\#(id)","notification":{"type":"device","#
                + #""conversation":"\#(id)","is_group":false,"sender":"\#(id)","timestamp":"2026-11-23T09:00:00.000Z","badge":0,"#
                + #""sound":true,"title":"You have a new device","body":"device 2","count":0,"link":"moot://devices"}}"#,
            as: "Event")
    }

    @Test func `describes what a node tells of people who type`() throws {
        let id = String(repeating: "0a", count: 32)
        let bob =
            #"{"user":"\#(id)","name":"Bob","name_look":"bob","presence":"online","verified":false,"blocked":false,"#
            + #""deleted":false,"is_me":false,"devices":[]}"#
        let typing = #""conversation":"\#(id)","people":[\#(bob)],"text":"Bob is typing...""#
        try check(NodeEvent.self, #"{"id":1,"type":"typing",\#(typing)}"#, as: "Event")
        try check(NodeEvent.self, #"{"id":2,"type":"typing","conversation":"\#(id)","people":[]}"#, as: "Event")
        try check(TypingDescription.self, "{\(typing)}", as: "Typing")
        try check(TypingDescription.self, #"{"conversation":"\#(id)","people":[]}"#, as: "Typing")
    }

    @Test func `describes what a node tells of how others reach it`() throws {
        let id = String(repeating: "0a", count: 32)
        let answer =
            #"{"version":"0.1.0","clock_seconds_ahead":-7.5,"address":"10.77.0.1:47470","reached":false,"#
            + #""error":"timed_out","reason":"no answer came in time","discovery":true,"own_beacon_seconds":3.5,"#
            + #""beacon":{"address":"10.77.0.1:47470","seconds":2.5},"#
            + #""failed_dials":[{"address":"10.77.0.1:47470","error":"refused","reason":"nobody listens there"}]}"#
        try check(
            PersonReachabilityDescription.self,
            #"{"user":"\#(id)","name":"Bob","shares_conversation":true,"nodes":[{"device":"\#(id)","#
                + #""address":"10.77.0.2:47470","answer":\#(answer)}]}"#, as: "PersonReachability")
    }

    @Test func `describes what a node tells of a gap`() throws {
        let id = String(repeating: "0a", count: 32)
        let bob =
            #"{"user":"\#(id)","name":"Bob","device":"\#(id)","author":true,"reachable":false,"had_nothing":false}"#
        try check(
            GapDescription.self,
            #"{"kind":"text","operations":["\#(id)"],"sources":[\#(bob)],"text":"not here yet"}"#, as: "Gap")
    }

    @Test func `describes why a message does not count`() throws {
        let id = String(repeating: "0a", count: 32)
        try check(
            MessageDescription.Uncounted.self,
            #"{"rule":"addition_void","reason":"void","decided_by":"\#(id)","void_rule":"revoked"}"#, as: "Uncounted")
    }

    @Test func `describes what a removal would take back`() throws {
        let id = String(repeating: "0a", count: 32)
        let bob =
            #"{"user":"\#(id)","name":"Bob","name_look":"bob","presence":"online","verified":false,"blocked":false,"#
            + #""deleted":false,"is_me":false,"devices":[]}"#
        try check(
            RemovalLossesDescription.self,
            #"{"decisions":3,"messages":2,"kept":1,"leaving":[\#(bob)],"returning":[]}"#, as: "RemovalLosses")
    }

    /// Checks the form of an answer that no test can make a node give.
    private func check<Value: Codable>(_ type: Value.Type, _ json: String, as name: String) throws {
        let bytes = try WireFormat.encode(WireFormat.decode(type, from: Array(json.utf8)))
        #expect(bytes.count == json.utf8.count, "\(json) has fields that \(type) does not have")
        let value = try JSONSerialization.jsonObject(with: Data(bytes))
        try schema.check(value, against: ["$ref": "#/components/schemas/\(name)"])
    }

    /// Alice's photo is shown wherever people are listed.
    private func tellOfAPhoto(_ checker: ConformanceChecker) async throws {
        let picture = PNGFile(width: 8, height: 8) { _, _ in .red }.encoded
        let photo = try await checker.alice.client.upload(picture, named: "me.png", mediaType: "image/png")
        let changed = try await checker.ask(.patch, "/profile", body: #"{"photo":"\#(photo.id)"}"#)
        #expect((changed as? [String: Any])?["photo"] != nil)
        try await checker.ask(.patch, "/profile", body: #"{"photo":"0123"}"#, status: 404)
        for path in ["/people", "/profile"] { try await checker.ask(.get, path) }
    }

    private func tellOfSessions(_ checker: ConformanceChecker) async throws {
        let browser = try Browser(checker.alice.webAddress)
        let entered = try await browser.follow(checker.alice.webAddress)
        try await checker.ask(.get, "/web/sessions")
        try await checker.ask(.delete, "/web/sessions/{id}", ["id": "0123"], status: 404)
        // Only a browser has a session; what it is told has these forms.
        try await checker.ask(.post, "/web/key", body: #"{"claim":"\#(entered.claim)"}"#, status: 409)
        try await checker.ask(.post, "/web/tickets", status: 409)
        let nonce = String(repeating: "5e", count: 32)
        try await checker.ask(.post, "/web/proof", body: #"{"nonce":"\#(nonce)"}"#)
        try await checker.ask(.post, "/web/proof", body: #"{"nonce":"5e"}"#, status: 400)
        let told = try await browser.claim(entered.claim, ("Cookie", entered.cookie))
        #expect(told.status == 200)
        let value = try JSONSerialization.jsonObject(with: Data(told.body.utf8))
        try schema.check(value, against: ["$ref": "#/components/schemas/WebKey"])
        let secret = String(repeating: "0a", count: 32)
        try check(WebTicketDescription.self, #"{"ticket":"\#(secret)","expires_in_seconds":600}"#, as: "WebTicket")
        for session in try await checker.alice.client.webSessions() {
            try await checker.ask(.delete, "/web/sessions/{id}", ["id": session.id])
        }
    }

    private func tellOfTokens(_ checker: ConformanceChecker) async throws {
        let place = "/web/tokens"
        try await checker.ask(.post, place, body: #"{"name":"prometheus","read_only":true}"#, status: 201)
        try await checker.ask(.post, place, body: #"{"name":"prometheus"}"#, status: 409)
        try await checker.ask(.post, place, body: #"{"name":"a b"}"#, status: 422)
        try await checker.ask(.get, place)
        try await checker.ask(.delete, place + "/{name}", ["name": "prometheus"])
        try await checker.ask(.delete, place + "/{name}", ["name": "prometheus"], status: 404)
    }

    private func tellOfAGroup(_ checker: ConformanceChecker) async throws {
        let made = try await checker.ask(
            .post, "/conversations", body: #"{"kind":"group","name":"Ship","members":["Bob","Carol"]}"#, status: 201)
        let id = try #require((made as? [String: Any])?["id"] as? String)
        try await checker.ask(.post, "/conversations", body: #"{"kind":"direct","members":["Bob"]}"#)
        try await checker.ask(.get, "/conversations", query: "query=ship&members=false&limit=1")
        try await checker.ask(
            .patch, "/conversations/{id}", ["id": id], body: #"{"description":"Engines","settings":{}}"#)
        let messages = "/conversations/{id}/messages"
        let sent = try await checker.ask(
            .post, messages, ["id": id], body: #"{"text":"Hello","client_id":"1"}"#, status: 201)
        let answered = try #require((sent as? [String: Any])?["id"] as? String)
        try await checker.ask(
            .post, messages, ["id": id], body: #"{"texts":["a","b"],"reply_to":"\#(answered)","clear_draft":true}"#,
            status: 201)
        try await checker.ask(.get, messages, ["id": id], query: "limit=2")
        try await checker.ask(.get, messages, ["id": id], query: "limit=2&after=\(answered)")
        try await checker.ask(.get, messages, ["id": id], query: "limit=2&before=\(answered)")
        try await checker.ask(.get, messages, ["id": "Nowhere"], status: 404)
        try await checker.ask(.get, messages, ["id": id], query: "limit=0", status: 400)
        try await checker.ask(.post, "/conversations/{id}/read", ["id": id])
        try await checker.ask(.post, "/conversations/{id}/read", ["id": id], body: #"{"up_to":"\#(answered)"}"#)
        try await checker.ask(
            .post, "/conversations/{id}/read", ["id": id], body: #"{"up_to":"0123456789ab"}"#, status: 404)
        try await checker.ask(.post, "/conversations/{id}/typing", ["id": id])
        try await checker.ask(.post, "/conversations/{id}/typing", ["id": "Nowhere"], status: 404)
        let members = "/conversations/{id}/members"
        try await checker.ask(.post, members, ["id": id], body: #"{"members":["Dan"]}"#)
        try await checker.ask(.patch, members + "/{user}", ["id": id, "user": "Bob"], body: #"{"role":"admin"}"#)
        try await checker.ask(.delete, members + "/{user}", ["id": id, "user": "Dan"], query: "archive=false")
        try await checker.ask(.get, "/conversations/{id}", ["id": id])
        try await tellOfAMessage(answered, in: id, checker)
        try await tellOfWhatIsPrivate(id, checker)
        try await tellOfFiles(in: id, checker)
        try await checker.ask(.get, "/conversations/{id}/membership", ["id": id])
        try await checker.ask(.get, "/conversations/{id}/membership", ["id": id], query: "void=true&person=Bob")
        let scenario = #"{\"ops\":[{\"id\":\"g\",\"author\":\"A\",\"type\":\"create\",\"parents\":[]}]}"#
        try await checker.ask(.post, "/membership/resolve", body: #"{"scenario":"\#(scenario)"}"#)
        try await checker.ask(.post, "/membership/resolve", body: #"{"scenario":"{}"}"#, status: 400)
        try await checker.ask(.post, "/conversations/{id}/leave", ["id": id], body: #"{"force":true,"archive":true}"#)
        try await checker.ask(.get, "/conversations/{id}", ["id": id])
    }

    /// What becomes of a message that another one answers.
    private func tellOfAMessage(_ message: String, in conversation: String, _ checker: ConformanceChecker) async throws
    {
        let place = "/messages/{id}"
        try await checker.ask(.patch, place, ["id": message], body: #"{"text":"Hello @Bob"}"#)
        try await checker.ask(.patch, place, ["id": message], body: #"{"text":""}"#, status: 422)
        let reactions = place + "/reactions/{emoji}"
        for method in [LocalRequest.Method.put, .delete, .put] {
            try await checker.ask(method, reactions, ["id": message, "emoji": "👍🏽"])
            try await checker.ask(method, place + "/pin", ["id": message])
        }
        try await checker.ask(.put, reactions, ["id": message, "emoji": "no emoji"], status: 422)
        try await checker.ask(.get, "/conversations/{id}/pins", ["id": conversation])
        try await checker.ask(.get, place, ["id": message])
        try await checker.ask(.get, place, ["id": "0123456789ab"], status: 404)
        try await checker.ask(.get, place + "/receipts", ["id": message])
        try await checker.ask(.get, place + "/receipts", ["id": "0123456789ab"], status: 404)
        try await checker.ask(.get, "/search", query: "q=hello&limit=1&conversation=\(conversation)")
        let page = try await checker.ask(.get, "/search", query: "q=b&limit=1")
        #expect(((page as? [String: Any])?["hits"] as? [Any])?.count == 1)
        try await checker.ask(.get, "/search", query: "q=b&before=\(message)")
        try await checker.ask(.get, "/search", query: "q=", status: 400)
        try await checker.ask(.delete, place, ["id": message])
        // Of the answers to it, with quotes of what was deleted.
        try await checker.ask(.get, "/conversations/{id}/messages", ["id": conversation])
    }

    private func tellOfFiles(in conversation: String, _ checker: ConformanceChecker) async throws {
        let made = try await checker.ask(.post, "/blobs", query: "name=a.txt", body: "Ahoy", status: 201)
        let file = try #require((made as? [String: Any])?["id"] as? String)
        try await checker.ask(.post, "/blobs", body: "Ahoy", status: 400)
        let messages = "/conversations/{id}/messages"
        try await checker.ask(.post, messages, ["id": conversation], body: #"{"files":["\#(file)"]}"#, status: 201)
        try await checker.ask(
            .post, messages, ["id": conversation], body: #"{"text":"Look","files":["\#(file)"]}"#, status: 201)
        try await checker.ask(.post, messages, ["id": conversation], body: #"{"files":["0123"]}"#, status: 404)
        try await checker.ask(.post, messages, ["id": conversation], body: #"{"files":[]}"#, status: 400)
        try await checker.ask(.get, messages, ["id": conversation])
        try await checker.ask(.get, "/conversations/{id}/files", ["id": conversation])
        try await checker.ask(.get, "/conversations/{id}/files", ["id": conversation], query: "kind=photo")
        let files = try await checker.ask(.get, "/conversations/{id}/files", ["id": conversation], query: "limit=1")
        let earlier = try #require((files as? [String: Any])?["earlier"] as? String)
        try await checker.ask(.get, "/conversations/{id}/files", ["id": conversation], query: "before=\(earlier)")
        try await checker.ask(.get, "/conversations/{id}/files", ["id": conversation], query: "before=x", status: 404)
        try await checker.ask(.get, "/conversations/{id}/files", ["id": conversation], query: "kind=x", status: 400)
        try await checker.ask(
            .post, messages, ["id": conversation], body: #"{"text":"See https://example.org."}"#, status: 201)
        try await checker.ask(.get, "/conversations/{id}/links", ["id": conversation])
        try await checker.ask(.get, "/conversations/{id}/links", ["id": conversation], query: "limit=0", status: 400)
        let statistics = "/conversations/{id}/statistics"
        try await checker.ask(.get, statistics, ["id": conversation], query: "days=2&time_zone=Asia/Kathmandu")
        try await checker.ask(.get, statistics, ["id": conversation], query: "time_zone=Nowhere", status: 400)
        let text = try await checker.ask(.get, "/blobs/{id}", ["id": file])
        #expect(text as? String == "Ahoy")
        try await checker.ask(.get, "/blobs/{id}", ["id": "0123"], status: 404)
        let archive = "/conversations/{id}/archive"
        try await checker.ask(.get, archive, ["id": conversation], query: "files=\(file)")
        try await checker.ask(.get, archive, ["id": conversation], query: "files=0123", status: 404)
        try await checker.ask(.get, archive, ["id": conversation], status: 400)
        let sent = try await checker.ask(
            .post, messages, ["id": conversation], body: #"{"text":"Look","files":["\#(file)","\#(file)"]}"#,
            status: 201)
        let message = try #require((sent as? [String: Any])?["id"] as? String)
        let carried = "/messages/{id}/files/{file}"
        try await checker.ask(.delete, carried, ["id": message, "file": file])
        try await checker.ask(.delete, carried, ["id": message, "file": "0123"], status: 404)
        // It is here: there is nothing to cancel or to fetch.
        for method in [LocalRequest.Method.delete, .post] {
            try await checker.ask(method, "/blobs/{id}/transfer", ["id": file], status: 422)
        }
    }

    private func tellOfWhatIsPrivate(_ conversation: String, _ checker: ConformanceChecker) async throws {
        let place = "/conversations/{id}/private"
        let end = "2099-01-01T12:00:00.500Z"
        for body in [
            #"{"pinned":true,"muted_until":"forever","mentions_only":true,"tags":["sea"],"draft":"Ahoy"}"#,
            #"{"archived":true,"muted_until":"\#(end)","add_tags":["work"],"remove_tags":["sea"]}"#,
        ] {
            try await checker.ask(.put, place, ["id": conversation], body: body)
        }
        try await checker.ask(.get, "/conversations", query: "tag=work&archived=true")
        try await checker.ask(
            .put, place, ["id": conversation], body: #"{"pinned":null,"archived":null,"muted_until":null,"tags":null}"#)
        try await checker.ask(.put, place, ["id": conversation], body: #"{"tags":[""]}"#, status: 422)
        try await checker.ask(.put, place, ["id": "Nowhere"], body: "{}", status: 404)
        for method in [LocalRequest.Method.post, .delete] {
            try await checker.ask(method, "/conversations/{id}/open", ["id": conversation])
        }
        let retention = "/conversations/{id}/retention"
        for body in [#"{"days":30}"#, #"{"days":null}"#] {
            try await checker.ask(.put, retention, ["id": conversation], body: body)
        }
        try await checker.ask(.put, retention, ["id": conversation], body: #"{"days":0}"#, status: 400)
    }

    /// Alice invites Dan, and Dan Alice; then they write, and Alice is notified.
    private func tellOfAnInvite(_ checker: ConformanceChecker, by dan: Node) async throws {
        let made = try await checker.ask(
            .post, "/conversations", body: #"{"kind":"group","name":"Raft","members":["Bob","Carol"]}"#, status: 201)
        let raft = try #require((made as? [String: Any])?["id"] as? String)
        let invites = "/conversations/{id}/invites"
        try await checker.ask(.post, invites, ["id": raft], body: #"{"user":"Dan"}"#)
        try await checker.ask(.post, invites, ["id": raft], body: #"{"user":"Dan"}"#, status: 409)
        try await checker.ask(.delete, invites + "/{user}", ["id": raft, "user": "Dan"])
        try await checker.ask(.delete, invites + "/{user}", ["id": raft, "user": "Dan"], status: 404)
        let codes = "/conversations/{id}/codes"
        let code = try await checker.ask(.post, codes, ["id": raft], body: #"{"expires_in":60}"#)
        try await checker.ask(.post, codes, ["id": raft], body: #"{"expires_in":0}"#, status: 400)
        try await checker.ask(.get, codes, ["id": raft])
        let text = try #require((code as? [String: Any])?["code"] as? String)
        try await checker.ask(.post, "/join", body: #"{"code":"\#(text)"}"#)
        try await checker.ask(.post, "/join", body: #"{"code":"\#(text)A"}"#, status: 422)
        let page = try await checker.ask(.get, "/conversations/{id}/members", ["id": raft], query: "limit=2")
        let next = try #require((page as? [String: Any])?["next"] as? String)
        try await checker.ask(.get, "/conversations/{id}/members", ["id": raft], query: "after=\(next)")
        try await checker.ask(.get, "/conversations/{id}/members", ["id": raft], query: "after=Nobody", status: 404)
        let answer = "/conversations/{id}/answer"
        try await checker.ask(.post, answer, ["id": raft], body: #"{"accept":true}"#, status: 409)

        let boat = try await dan.createGroup(name: "Boat", members: ["Bob", "Carol"]).id
        _ = try await dan.invite("Alice", to: boat)
        let alice = checker.alice.client
        await eventually("it is so") { try await alice.conversations(.requests).map(\.id) == [boat] }
        try await checker.ask(.get, "/conversations", query: "requests=true")
        try await checker.ask(.get, "/conversations", query: "requests=true&archived=true", status: 400)
        try await checker.ask(.get, "/conversations/{id}", ["id": boat])
        try await checker.ask(.post, answer, ["id": boat], body: #"{"accept":true}"#)
        await eventually("it is so") {
            try await dan.conversation(boat).members.contains { $0.name == "Alice" && $0.canRead }
        }
        let events = await checker.alice.node.subscribe().events.map(\.event)
        _ = try await dan.send(["Welcome aboard"], to: boat)
        for await event in events where event.type == .notification && event.conversation == boat { break }
        try await checker.ask(.get, "/conversations/{id}/messages", ["id": boat])
    }

    /// Alice leaves the group that they share with Dan, who goes for good.
    private func tellOfForgetting(_ dan: Node, _ checker: ConformanceChecker) async throws {
        let place = "/people/{user}"
        try await checker.ask(.delete, place, ["user": "Dan"], status: 422)
        try await checker.ask(.delete, place, ["user": "Nobody"], status: 404)
        let alice = checker.alice.client
        try await checker.ask(.delete, "/conversations/{id}", ["id": "Boat"], status: 422)
        let boat = try await alice.leave("Boat")
        try await checker.ask(.delete, "/conversations/{id}", ["id": boat.id])
        try await checker.ask(.get, "/conversations/{id}", ["id": boat.id], status: 404)
        await dan.stop()
        await eventually("it is so") { try await alice.person("Dan").presence == .offline }
        try await checker.ask(.delete, place, ["user": "Dan"])
        try await checker.ask(.get, place, ["user": "Dan"], status: 404)
    }

    /// Everything that the node still remembers to have happened.
    private func events(of alice: Alice) async throws -> [[UInt8]] {
        let last = try await alice.client.status().lastEvent
        let connection = try RawConnection(to: alice.node.socketPath)
        let stream = await connection.exchange(
            ["GET /api/v1/events?since=\(alice.beginning) HTTP/1.1\r\nHost: x\r\n\r\n"], until: "\"id\":\(last),")
        // Whole lines: what was read last may end in the middle of one.
        let events = stream.matches(of: /(?m)^data: (.*)\n/).map { Array($0.1.utf8) }
        try #require(events.count >= 20)
        return events
    }
}
