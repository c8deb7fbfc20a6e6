import ArgumentParser

/// `moot people`
struct People: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List everybody the node has met, and make sure who they are, hear them no more, or forget them.",
        subcommands: [
            PeopleList.self, PeopleVerify.self, PeopleBlock.self, PeopleUnblock.self, PeopleAdd.self,
            PeoplePhoto.self, PeopleForget.self,
        ],
        defaultSubcommand: PeopleList.self)
}
