import ArgumentParser
import Simulation

/// What a simulation is like, besides its seed.
struct PlanOptions: ParsableArguments {
    @Option(help: "How many nodes.")
    var nodes = 8

    @Option(help: "About how many operations people write.")
    var operations = 400

    @Option(
        help:
            "What goes wrong: \(Profile.allCases.map(\.rawValue).joined(separator: ", ")). Without it each seed has the next one that is not crowd."
    )
    var profile: Profile?

    @Option(help: "How liars attack sizes, counts and timeouts, where the seed is not to choose.")
    var siege: Step.Kind?

    @Option(
        help: "How many of the nodes become further devices of others' users, at most, where the seed is not to choose."
    )
    var devices: Int?

    func validate() throws {
        guard (2...Plan.maximumNodes).contains(nodes) else {
            throw ValidationError("--nodes is 2 to \(Plan.maximumNodes)")
        }
        guard devices.map((0...nodes).contains) != false else { throw ValidationError("--devices is 0 to --nodes") }
        guard siege?.isSiege != false else { throw ValidationError("--siege is none of those") }
        guard (1...100_000).contains(operations) else { throw ValidationError("--operations is 1 to 100000") }
    }

    /// The plan of a seed.
    func plan(of seed: UInt64) -> Plan {
        let profiles = Profile.taken
        let profile = profile ?? profiles[Int(seed % UInt64(profiles.count))]
        return Plan(seed: seed, profile: profile, nodes: nodes, operations: operations, siege: siege, devices: devices)
    }
}

extension Profile: ExpressibleByArgument {}

extension Step.Kind: ExpressibleByArgument {
    /// The kinds that attack sizes, counts and timeouts.
    public static var allValueStrings: [String] { allCases.filter(\.isSiege).map(\.rawValue) }
}
