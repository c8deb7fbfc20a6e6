import Foundation
import Testing

/// What the documents say about the code, compared with the code.
@Suite("Documents")
struct DocumentTests {
    /// What a pattern captures first, wherever it is found below `Sources`.
    private static func inSources(_ pattern: Regex<(Substring, Substring)>) throws -> Set<Substring> {
        var found: Set<Substring> = []
        for path in try Repository.paths(below: "Sources", endingIn: ".swift") {
            found.formUnion(try Repository.text(path).matches(of: pattern).map(\.output.1))
        }
        return found
    }

    @Test
    func `the README stays a page`() throws {
        #expect(try Repository.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 111)
    }

    @Test
    func `troubleshooting explains every code that a node or a command can give, and no other`() throws {
        // What the server and the command refuse by themselves.
        var codes = try Self.inSources(/[( ]code: "([a-z_]+)"/)
        let enumerations = [
            "ErrorCodes/ErrorCode", "Conversations/Encryption/Unreadable", "Membership/Rules/Rule",
            "Membership/Content/CutOffRule",
        ]
        for path in enumerations {
            let raw = try Repository.text("Sources/\(path).swift").matches(of: /case \w+ = "([a-z_]+)"/).map(\.output.1)
            try #require(!raw.isEmpty, "\(path) has no codes: does this test look in the right place?")
            codes.formUnion(raw)
        }
        let rows = try Repository.text("docs/troubleshooting.md").matches(of: /(?m)^\| `([a-z_]+)` \|/).map(\.output.1)
        #expect(codes.subtracting(rows).isEmpty, "explain these")
        #expect(Set(rows).subtracting(codes).isEmpty, "nothing gives these")
    }

    @Test
    func `operations explains every metric, and no other`() throws {
        let metrics = try Self.metrics()
        let explained = try Repository.text("docs/operations.md").matches(of: /`moot_([a-z_]+)`/).map(\.output.1)
        #expect(metrics == Set(explained))
    }

    /// What a node tells Prometheus, with what the parts of histograms are called.
    private static func metrics(withParts: Bool = false) throws -> Set<Substring> {
        let gauges = try inSources(/gauge\(\s*"([a-z_]+)"/)
        let histograms = try inSources(/histogram\(\s*"([a-z_]+)"/)
        try #require(!gauges.isEmpty && !histograms.isEmpty, "no metric found: does this test look in the right place?")
        guard withParts else { return gauges.union(histograms) }
        return gauges.union(histograms.flatMap { name in ["bucket", "sum", "count"].map { "\(name)_\($0)" } })
    }

    @Test(arguments: ["share/grafana/moot.json", "share/prometheus/moot.yml"])
    func `a dashboard and an alert ask for nothing but metrics that there are`(path: String) throws {
        let asked = try Repository.text(path).matches(of: /\bmoot_([a-z_]+)/).map(\.output.1)
        try #require(!asked.isEmpty)
        #expect(Set(asked).subtracting(try Self.metrics(withParts: true)).isEmpty)
    }

    @Test
    func `the dashboard shows every metric, each panel in a place of its own`() throws {
        let dashboard = try JSONSerialization.jsonObject(with: Data(Repository.text("share/grafana/moot.json").utf8))
        let panels = try #require((dashboard as? [String: Any])?["panels"] as? [[String: Any]])
        let queries = panels.flatMap { $0["targets"] as? [[String: Any]] ?? [] }.compactMap { $0["expr"] as? String }
        for metric in try Self.metrics() {
            #expect(queries.contains { $0.contains("moot_\(metric)") }, "show \(metric)")
        }
        let places = panels.compactMap { $0["gridPos"] as? [String: Int] }
        #expect(places.count == panels.count && Set(places).count == panels.count)
        #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
    }

    @Test
    func `the page about the API explains every type of event`() throws {
        let description = try Repository.text("Sources/COpenAPI/openapi.json")
        let event = try #require(description.firstMatch(of: /"Event": \{/))
        let list = try #require(description[event.range.upperBound...].firstMatch(of: /"enum": \[([^\]]*)\]/))
        let types = list.output.1.matches(of: /"([a-z_]+)"/).map(\.output.1)
        let page = try Repository.text("docs/api.md")
        for type in types { #expect(page.contains("`\(type)`"), "explain \(type)") }
    }

    @Test
    func `a link between documents leads somewhere`() throws {
        for path in try ["README.md"] + Repository.paths(below: "docs", endingIn: ".md") {
            let folder = path.split(separator: "/").dropLast().joined(separator: "/")
            for link in try Repository.text(path).matches(of: /\]\(([^)#:\s]*)(?:#([^)\s]+))?\)/) {
                let target = link.output.1.isEmpty ? path : "\(folder)/\(link.output.1)"
                guard FileManager.default.fileExists(atPath: Repository.root.appending(path: target).path) else {
                    Issue.record("\(path): there is no \(link.output.1)")
                    continue
                }
                guard let anchor = link.output.2 else { continue }
                #expect(try Self.anchors(in: target).contains(String(anchor)), "\(path): \(link.output.1)#\(anchor)")
            }
        }
    }

    /// What the headings of a document can be linked by, as GitHub makes it.
    private static func anchors(in path: String) throws -> Set<String> {
        let headings = try Repository.text(path).matches(of: /(?m)^#+ (.*)$/)
        return Set(
            headings.map { heading in
                heading.output.1.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                    .replacing(" ", with: "-")
            })
    }
}
