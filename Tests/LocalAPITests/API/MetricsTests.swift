import LocalAPIModel
import Node
import Testing

@testable import LocalAPIClient
@testable import LocalAPIServer

/// Reads the text format as its description says (https://prometheus.io/docs/instrumenting/exposition_formats/).
@Suite("Metrics")
struct MetricsTests {
    /// Samples by name, after every line was found to be what the format allows.
    private func samples(of exposition: String) throws -> [String: Double] {
        try #require(exposition.hasSuffix("\n"))
        let sample =
            /(?<name>[a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*",?)*\})? (?<value>[-+]?[0-9.]+(?:e[-+]?[0-9]+)?|NaN|[-+]?Inf)/
        var help: Set<String> = []
        var types: Set<String> = []
        var found: [String: Double] = [:]
        var histograms: Set<String> = []
        for line in exposition.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if let match = line.wholeMatch(of: /# HELP (\w+) (\S.*)/) {
                #expect(help.insert(String(match.1)).inserted, "one help for each metric")
            } else if let match = line.wholeMatch(of: /# TYPE (\w+) (gauge|counter|untyped|histogram)/) {
                #expect(types.insert(String(match.1)).inserted, "one type for each metric")
                #expect(found[String(match.1)] == nil, "the type comes before the sample")
                if match.2 == "histogram" { histograms.insert(String(match.1)) }
            } else {
                let match = try #require(line.wholeMatch(of: sample), "\(line)")
                found[String(match.name), default: 0] = try #require(Double(match.value))
                if let bound = line.firstMatch(of: /_bucket\{le="([^"]+)"\}/) {
                    found["\(match.name) \(bound.1)"] = Double(match.value)
                }
            }
        }
        try expect(histograms, in: found)
        let parts = histograms.flatMap { name in ["_bucket", "_sum", "_count"].map { name + $0 } }
        let names = Set(found.keys.filter { !$0.contains(" ") }).subtracting(parts).union(histograms)
        #expect(help == names && types == names)
        #expect(found.keys.allSatisfy { $0.hasPrefix("moot_") })
        return found
    }

    /// Expects that the buckets of histograms only grow, and that the last has all.
    private func expect(_ histograms: Set<String>, in samples: [String: Double]) throws {
        for name in histograms {
            let prefix = "\(name)_bucket "
            let buckets = samples.filter { $0.key.hasPrefix(prefix) }.map { sample in
                (bound: Double(sample.key.dropFirst(prefix.count).replacing("+Inf", with: "inf")), count: sample.value)
            }
            let sorted = try buckets.sorted { try #require($0.bound) < #require($1.bound) }
            #expect(sorted.count == 15 && sorted.last?.bound == .infinity)
            #expect(sorted.map(\.count) == sorted.map(\.count).sorted())
            #expect(sorted.last?.count == samples["\(name)_count"])
            #expect(try #require(samples["\(name)_sum"]) >= 0)
        }
    }

    @Test func `tell how a node does, in the format of Prometheus`() async throws {
        try await Alice.tells { alice in
            let group = try await alice.client.createGroup(name: "Ship", members: ["Bob", "Carol"])
            _ = try await alice.client.send(["one", "two"], to: group.id)
            let answer = try await alice.client.exchange(LocalRequest(.get, "metrics"))
            #expect(answer.status == 200)
            let samples = try samples(of: String(decoding: answer.body, as: UTF8.self))
            let status = try await alice.client.status()
            #expect(samples["moot_build_info"] == 1)
            #expect(samples["moot_peers"] == Double(status.peers.count))
            #expect(samples["moot_conversations"] == 1)
            #expect(samples["moot_operations"] == Double(status.conversations.map(\.operations).reduce(0, +)))
            #expect(samples["moot_unread_messages"] == 0)
            #expect(samples["moot_pending_operations"] == 0)
            #expect(samples["moot_event_streams"] == 0)
            #expect(samples["moot_wanted_bodies"] == 0)
            #expect(samples["moot_storage_writable"] == 1)
            #expect(try #require(samples["moot_database_bytes"]) > 0)
            #expect(try #require(samples["moot_disk_free_bytes"]) > 0)
            #expect(samples["moot_files_bytes"] == 0)
            #expect(samples["moot_files_quota_bytes"] == Double(NodeConfiguration.defaultFilesQuota))
            #expect(try #require(samples["moot_uptime_seconds"]) >= 0)
            #expect(try #require(samples["moot_commit_seconds_count"]) > 0)
            #expect(samples["moot_live_delay_seconds_count"] == 0, "nobody else wrote")
        }
    }

    @Test func `stay readable whatever a version is called`() async throws {
        let (status, timings) = try await Alice.tells(knowing: []) { alice in
            var status = try await alice.client.status()
            status.version = "1\"2\\3\n4"
            status.freeBytes = nil
            return (status, await alice.node.timings())
        }
        let exposition = Metrics.exposition(of: status, unread: 7, eventStreams: 1_000, timings: timings)
        let samples = try samples(of: exposition)
        #expect(samples["moot_unread_messages"] == 7)
        #expect(samples["moot_disk_free_bytes"] == nil)
        #expect(exposition.contains(#"version="1\"2\\3\n4""#))
    }
}
