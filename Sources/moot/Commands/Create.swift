import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot create`
struct Create: NodeCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a group and print its id.")

    @Argument(help: "The group's name, 1 to 50 characters; \"\" for none.")
    var name: String

    @Argument(help: "At least two others.", completion: .person)
    var people: [String] = []

    @Option(help: ArgumentHelp("A picture to make its photo of.", valueName: "file"), completion: .file())
    var photo: String?

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        var file: FileDescription?
        // Without anybody the node refuses it, as with one; a photo need not be read for that.
        if let photo, people.count > 1 {
            file = try await FileToSend(photo).put(into: node, printing: output, asPart: true)
        }
        let group = try await node.createGroup(name: name.isEmpty ? nil : name, members: people, photo: file?.id)
        try output.answer(group) { [group.id] }
        output.say(
            "You made \(TerminalText.line(group.title)), with \(TerminalText.count(group.memberCount, "member")).")
    }
}
