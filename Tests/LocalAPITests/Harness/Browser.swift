import Foundation
import LocalAPIModel
import Testing

/// Asks on loopback as a browser or any other program of the machine would: with the header fields that the test names.
struct Browser {
    /// What came back.
    struct Answer {
        let status: Int
        /// By lowercase name.
        let fields: [String: String]
        let body: String

        /// The stable code of a refusal.
        var code: String? {
            try? WireFormat.decode(ErrorDescription.self, from: Array(body.utf8)).error.code
        }
    }

    let port: Int
    /// What a browser asks for: the name of the page in this run, with the port.
    let host: String

    /// A browser that was given a single-use address.
    init(_ address: WebAddressDescription?) throws {
        let announced = try #require(address)
        let url = try #require(URL(string: announced.address))
        port = try #require(url.port)
        host = "\(try #require(url.host)):\(port)"
    }

    /// Asks, and reads until the server hangs up.
    ///
    /// - Parameter fields: Further fields; without a `Host` the server is asked for by the name of the page.
    func ask(_ method: String = "GET", _ target: String, _ fields: [(String, String)] = [], body: String = "")
        async throws -> Answer
    {
        var lines = ["\(method) \(target) HTTP/1.1", "Connection: close"]
        if !fields.contains(where: { $0.0 == "Host" }) { lines.append("Host: \(host)") }
        lines += fields.map { "\($0.0): \($0.1)" }
        if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
        let connection = try RawConnection(toPort: port)
        let text = await connection.exchange([lines.joined(separator: "\r\n") + "\r\n\r\n" + body], until: "\0")
        let parts = try #require(text.firstRange(of: "\r\n\r\n"))
        let head = text[..<parts.lowerBound].split(separator: "\r\n")
        var found: [String: String] = [:]
        for line in head.dropFirst() {
            let colon = try #require(line.firstIndex(of: ":"))
            found[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        let status = try #require(head.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        return Answer(status: status, fields: found, body: String(text[parts.upperBound...]))
    }

    /// Follows a single-use address, and returns the cookie as it is sent back, and by what the page claims its key.
    func follow(_ address: WebAddressDescription?) async throws -> (cookie: String, claim: String) {
        let answer = try await ask("GET", try path(of: address))
        #expect(answer.status == 303)
        let cookie = try #require(answer.fields["set-cookie"])
        let place = try #require(answer.fields["location"])
        #expect(place.hasPrefix("/?claim="))
        return (String(cookie.prefix { $0 != ";" }), String(place.dropFirst(8)))
    }

    /// Follows a single-use address as the page does: the fields with both secrets.
    func enter(_ address: WebAddressDescription?) async throws -> [(String, String)] {
        let entered = try await follow(address)
        let cookie = ("Cookie", entered.cookie)
        let told = try await claim(entered.claim, cookie)
        #expect(told.status == 200)
        return [cookie, ("Moot-Key", try WireFormat.decode(WebKeyDescription.self, from: Array(told.body.utf8)).key)]
    }

    /// Asks for the key.
    func claim(_ claim: String, _ fields: (String, String)...) async throws -> Answer {
        try await ask("POST", "/api/v1/web/key", fields, body: #"{"claim":"\#(claim)"}"#)
    }

    /// What is asked for to follow a single-use address.
    func path(of address: WebAddressDescription?) throws -> String {
        let announced = try #require(address)
        return try #require(URL(string: announced.address)).path
    }
}
