import ArgumentParser

/// `moot membership`
struct MembershipCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "membership", abstract: "See how a group's membership came about, and why.",
        subcommands: [MembershipHistory.self, MembershipWhy.self, MembershipResolve.self])
}
