import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot people list`, which is what `moot people` does.
struct PeopleList: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List everybody the node has met, or those of a name.",
        discussion: """
            `moot people anna mu` lists those whose names have words that begin so: Anna Müller. Of one person it lists the \
            devices, too. \
            `moot people verify PERSON` makes sure who somebody is; `moot people add CODE` finds a person whom discovery does \
            not reach; `moot people photo PERSON --save DIR` saves somebody's photo.
            """)

    @Argument(help: "What words of the name begin with; case and accents make no difference.")
    var name: [String] = []

    @OptionGroup var common: CommonOptions

    func run(asking node: LocalClient, printing output: Output) async throws {
        let people = try await node.people(matching: name.isEmpty ? nil : name.joined(separator: " "))
        try output.answer(people) {
            var table = Table("NAME", "PRESENCE", "VERIFIED", "PHOTO", "ID")
            for person in people {
                table.add(
                    person.isMe ? "\(person.name) (you)" : person.blocked ? "\(person.name) (blocked)" : person.name,
                    Presence.words(person.presence, lastSeen: person.lastSeen),
                    person.isMe ? "-" : person.verified ? "yes" : "no", person.photo?.state.rawValue ?? "-",
                    String(person.user.prefix(16)))
            }
            return table.lines(output)
        }
        if people.count == 1, !name.isEmpty, !output.isJSON, let person = people.first {
            let devices = try await node.devices(of: person.user)
            for line in [""] + DeviceTable.lines(devices, output) { output.say(line) }
        }
        if people.isEmpty { output.say("Nobody found. 'moot people --help' lists what else can be done with people.") }
        for line in NamesakeWarning.lines(about: try await node.status().namesakes) { output.warn(line) }
    }
}
