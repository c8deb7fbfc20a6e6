import Foundation
import HTTPTypes
import Testing

@testable import LocalAPIModel
@testable import LocalAPIServer

/// What somebody needs who makes a client of the description: names, groups, errors and examples.
@Suite("The description of the local API, for makers of clients")
struct OpenAPIClientTests {
    private let document: [String: Any]
    private let schema: Schema

    init() throws {
        let json = try JSONSerialization.jsonObject(with: Data(APIDescription.bytes))
        document = try #require(json as? [String: Any])
        schema = Schema(document: document)
    }

    /// How a route is described.
    private func operation(of route: Route) throws -> [String: Any] {
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        return try #require(paths[route.path]?[route.method.rawValue.lowercased()], "\(route.path)")
    }

    @Test func `every operation has a name of its own and is in a group`() throws {
        let groups = try #require(document["tags"] as? [[String: Any]]).compactMap { $0["name"] as? String }
        var names: Set<String> = []
        var used: Set<String> = []
        for route in Route.all {
            let operation = try operation(of: route)
            let name = try #require(operation["operationId"] as? String, "\(route.method) \(route.path)")
            #expect(name.wholeMatch(of: /[a-z]+([A-Z][a-z]+)+/) != nil, "\(name)")
            #expect(names.insert(name).inserted, "\(name) is there twice")
            let tags = try #require(operation["tags"] as? [String], "\(route.method) \(route.path)")
            #expect(tags.count == 1)
            used.formUnion(tags)
        }
        #expect(used == Set(groups))
        #expect(groups.count == used.count)
    }

    /// The errors that a route has by what it takes, whatever it does.
    private func errors(of route: Route) -> Set<String> {
        var errors: Set = ["400", "403", "default"]
        // Everybody may ask how the node is, and a page whether it is the node.
        if !["/health", "/web/proof"].contains(route.path) { errors.insert("401") }
        if route.path.contains("{") { errors.insert("404") }
        if route.body != nil || route.takesBytes { errors.insert("413") }
        if route.takesBytes { errors.insert("415") }
        return errors
    }

    @Test func `every operation names the errors that it answers`() throws {
        for route in Route.all {
            let place = "\(route.method) \(route.path)"
            let responses = try #require(try operation(of: route)["responses"] as? [String: Any])
            #expect(errors(of: route).subtracting(responses.keys).isEmpty, "\(place)")
            for (status, response) in responses {
                guard !status.hasPrefix("2"), !status.hasPrefix("3") else { continue }
                // The question of health is answered with the state, also where that is bad.
                if route.path == "/health", status == "503" { continue }
                let reference = try #require((response as? [String: Any])?["$ref"] as? String, "\(place): \(status)")
                #expect(reference.hasPrefix("#/components/responses/"))
                let media = try media(of: try schema.resolved(response))
                #expect((media["schema"] as? [String: Any])?["$ref"] as? String == "#/components/schemas/Error")
            }
        }
    }

    private func media(of part: [String: Any]) throws -> [String: Any] {
        try #require((part["content"] as? [String: [String: Any]])?["application/json"])
    }

    @Test func `one status has one description, and every error of it an example with a code that exists`() throws {
        let responses = try #require((document["components"] as? [String: [String: Any]])?["responses"])
        for (name, response) in responses where name != "Error" {
            let example = try #require(try media(of: try schema.resolved(response))["example"], "\(name)")
            let bytes = try JSONSerialization.data(withJSONObject: example)
            let code = try WireFormat.decode(ErrorDescription.self, from: Array(bytes)).error.code
            let own = ["not_admitted", "body_too_large", "unsupported_media_type", "range_not_satisfiable"]
            #expect(ErrorCode(rawValue: code) != nil || own.contains(code), "\(code)")
        }
    }

    @Test func `every body that is asked for has an example, and every example is right`() throws {
        var count = 0
        for route in Route.all {
            let place = "\(route.method) \(route.path)"
            let operation = try operation(of: route)
            var parts = try #require(operation["responses"] as? [String: Any]).values.map { try schema.resolved($0) }
            if route.body != nil {
                let body = try schema.resolved(try #require(operation["requestBody"]))
                #expect(try media(of: body)["example"] != nil, "\(place) has no example")
                parts.append(body)
            }
            for part in parts {
                for media in (part["content"] as? [String: [String: Any]] ?? [:]).values {
                    var examples = [media["example"]].compactMap(\.self)
                    for example in (media["examples"] as? [String: Any] ?? [:]).values {
                        examples.append(try #require(try schema.resolved(example)["value"]))
                    }
                    for example in examples {
                        try schema.check(example, against: media["schema"], at: place)
                        count += 1
                    }
                }
            }
        }
        #expect(count > 100, "\(count) examples: does this test look in the right place?")
    }

    @Test func `everything that is made says where it is`() throws {
        for route in Route.all {
            let responses = try #require(try operation(of: route)["responses"] as? [String: Any])
            guard let made = responses["201"] else { continue }
            let headers = try #require(try schema.resolved(made)["headers"] as? [String: Any], "\(route.path)")
            #expect(headers["Location"] != nil)
        }
    }
}
