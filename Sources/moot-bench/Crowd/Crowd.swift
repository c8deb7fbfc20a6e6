import Foundation

/// What crowds of several sizes cost and how fast they are, each next to the smallest of the same run.
struct Crowd: Codable {
    /// One crowd.
    struct Size: Codable {
        var nodes: Int
        var figures: [Figure]
        /// Messages a second that reach all others over an IRC server, which stores nothing, by as many writers; nil
        /// without one.
        var onIRC: Double?
        /// The same over an XMPP server whose room is archived; nil without one.
        var onXMPP: Double?
    }

    /// One measured value.
    struct Figure: Codable {
        var what: CrowdMetric
        /// Nil where it did not come to an end in time, or cannot be measured here.
        var value: Double?
        /// How many times that of 3 nodes in the same run it is; nil where those were not measured.
        var timesThatOfThree: Double?
        /// The most that it should be, of a rate the least.
        var goal: Double?
    }

    /// Whether each node had a host of its own, with a cable that can be pulled; else all were on loopback.
    var hasHosts: Bool
    var sizes: [Size] = []
    /// What went wrong, so that figures are missing.
    var problems: [String] = []

    /// Measures crowds of several sizes.
    ///
    /// - Parameters:
    ///   - program: The `moot` to run.
    ///   - usesLoopback: Whether all nodes run on loopback although there could be namespaces.
    static func measure(
        _ sizes: [Int], program: String, usesLoopback: Bool, in folder: URL, cleanup: Cleanup, note: (String) -> Void
    ) async -> Crowd {
        var crowd = Crowd(hasHosts: !usesLoopback && CrowdNetwork.canBePrivate)
        var base: [CrowdMetric: Double] = [:]
        for nodes in sizes.sorted() {
            do {
                let place = folder.appendingPathComponent("\(nodes)")
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
                let network =
                    crowd.hasHosts
                    ? try await CrowdNetwork(hosts: nodes, in: place, cleanup: cleanup) : CrowdNetwork.loopback
                let measure = CrowdMeasure(
                    nodes: nodes, program: program, network: network, folder: place, cleanup: cleanup)
                await measure.run { note("\(nodes) nodes: \($0)") }
                let values = measure.values
                crowd.problems += measure.problems
                if nodes == 3 { base = values }
                let figures = CrowdMetric.allCases.map { what in
                    Figure(
                        what: what, value: values[what],
                        timesThatOfThree: values[what].flatMap { value in
                            base[what].flatMap { $0 > 0 ? value / $0 : nil }
                        }, goal: what.goal(nodes: nodes))
                }
                crowd.sizes.append(Size(nodes: nodes, figures: figures))
                func rate(of server: (some ChatServer).Type) throws -> Double? {
                    note("\(nodes) clients of \(server.program)")
                    return try server.measure(
                        clients: nodes, messages: 5 * CrowdMeasure.burst, in: place.appendingPathComponent("\(server)"),
                        cleanup: cleanup)
                }
                crowd.sizes[crowd.sizes.count - 1].onIRC = try rate(of: IRCServer.self)
                crowd.sizes[crowd.sizes.count - 1].onXMPP = try rate(of: XMPPServer.self)
                try FileManager.default.removeItem(at: place)
            } catch {
                // The other sizes are still worth something.
                crowd.problems.append("\(nodes) nodes: \(error)")
            }
        }
        return crowd
    }

    /// Waits until something holds. It does not look more often than needed, since looking costs those who are
    /// measured.
    ///
    /// - Throws: ``CrowdTimeout``, and what the question throws.
    static func wait(
        _ what: String, every pause: Duration = .milliseconds(50), seconds: Double = 60,
        until condition: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + .seconds(seconds)
        while try await !condition() {
            guard ContinuousClock.now < end else { throw CrowdTimeout(what: what, seconds: seconds) }
            try await Task.sleep(for: pause)
        }
    }

    /// A table for people, in Markdown: a column for each size.
    var table: String {
        let place = hasHosts ? "hosts of their own" : "loopback"
        let head = ["crowd of nodes on \(place)"] + sizes.map { String($0.nodes) }
        var rows = CrowdMetric.allCases.enumerated().map { index, what in
            [what.title] + sizes.map { text($0.figures[index]) }
        }
        rows.append(
            ["the same on an IRC server, which stores nothing: messages/s"]
                + sizes.map { $0.onIRC.map(Self.text) ?? "ngIRCd is not installed" })
        rows.append(
            ["the same on an XMPP server that archives the room: messages/s"]
                + sizes.map { $0.onXMPP.map(Self.text) ?? "Prosody is not installed" })
        let rule = head.map { _ in "---" }
        let lines = ([head, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
        return (lines + (problems.isEmpty ? [] : [""] + problems)).joined(separator: "\n")
    }

    private func text(_ figure: Figure) -> String {
        var notes: [String] = []
        if let times = figure.timesThatOfThree { notes.append("\(Self.text(times)) ×") }
        if let goal = figure.goal { notes.append("goal \(figure.what.isRate ? "≥" : "≤") \(Self.text(goal))") }
        let value = figure.value.map(Self.text) ?? "not measured"
        return notes.isEmpty ? value : "\(value) (\(notes.joined(separator: "; ")))"
    }

    /// A number as a table shows it.
    static func text(_ value: Double) -> String {
        String(format: value < 1 ? "%.3f" : value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value)
    }
}

/// Something did not happen in time.
struct CrowdTimeout: Error, CustomStringConvertible {
    let what: String
    let seconds: Double
    var description: String { "\(what): not within \(seconds) s" }
}
