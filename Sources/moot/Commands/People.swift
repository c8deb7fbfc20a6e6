import ArgumentParser

/// `moot people`
struct People: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List everybody the node has met, and make sure who they are.",
        subcommands: [PeopleList.self, PeopleVerify.self, PeopleAdd.self], defaultSubcommand: PeopleList.self)
}
