import ArgumentParser
import Node

/// The one program: it runs the node, and it talks to the one that runs.
@main
struct Moot: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "moot",
        abstract: "Group chat for a local network, without a server.",
        discussion: """
            Start your node with `moot up`; every other command talks to it. People and conversations are named by \
            id, unique beginning of an id, or unique name.
            """,
        version: Node.version,
        groupedSubcommands: [
            CommandGroup(
                name: "The node",
                subcommands: [
                    Up.self, Status.self, WhoAmI.self, Profile.self, People.self, Peers.self, Verify.self, Open.self,
                ]),
            CommandGroup(name: "Its keys", subcommands: [PassphraseCommand.self, Lock.self]),
            CommandGroup(
                name: "Conversations",
                subcommands: [
                    List.self, Info.self, Create.self, Direct.self, Rename.self, Describe.self, PhotoCommand.self,
                    SetSetting.self,
                    Keep.self,
                ]),
            CommandGroup(
                name: "Only for you", subcommands: [Private.self, Mute.self, Archive.self, Draft.self]),
            CommandGroup(
                name: "Members",
                subcommands: [
                    Add.self, Invite.self, Join.self, Accept.self, Decline.self, Remove.self, Leave.self, Promote.self,
                    Demote.self, MembershipCommand.self,
                ]),
            CommandGroup(
                name: "Messages",
                subcommands: [
                    Chat.self, Send.self, Read.self, Watch.self, Typing.self, MarkRead.self, Search.self, React.self,
                    Edit.self, Cancel.self, Delete.self, Pin.self, Unpin.self, Pins.self, Files.self, Receipts.self,
                ]),
        ])
}
