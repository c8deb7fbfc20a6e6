import ArgumentParser
import LocalAPIClient
import LocalAPIModel

/// `moot info`
struct Info: NodeCommand {
    static let configuration = CommandConfiguration(abstract: "Show a conversation and its members.")

    @Argument(help: "The conversation.", completion: .conversation)
    var conversation: String

    @Option(help: "How many members to show.")
    var limit = APILimits.defaultMemberPageSize

    @Flag(help: "Show every member.")
    var all = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit needs a whole number above 0.") }
    }

    func run(asking node: LocalClient, printing output: Output) async throws {
        let conversation = try await node.conversation(self.conversation)
        try output.answer(conversation) {
            var lines = [
                output.bold(TerminalText.line(conversation.title)),
                "id       \(conversation.id)",
                "kind     \(conversation.kind), \(conversation.memberCount) members, \(conversation.sync)",
            ]
            if let description = conversation.description, !description.isEmpty {
                lines.append("about    \(TerminalText.block(description, indentation: "         "))")
            }
            if let photo = conversation.photo { lines.append("photo    \(photo.state)") }
            if let settings = conversation.settings { lines += Self.lines(about: settings) }
            if let role = conversation.me.role, conversation.me.isMember { lines.append("you are  \(role)") }
            if conversation.me.waits == true {
                lines.append("you      wait for room: the group is full")
            } else if !conversation.me.isMember {
                lines.append("you are  not a member")
            }
            if let days = conversation.keepDays { lines.append("kept     for \(TerminalText.count(days, "day"))") }
            let marks = PrivateMarks.short(of: conversation)
            if !marks.isEmpty { lines.append("marks    \(TerminalText.line(marks))") }
            if conversation.me.awaitsAnswer {
                lines.append("\(conversation.me.isMember ? "added  " : "invited")  use moot accept or moot decline")
            }
            if let waiting = conversation.waiting {
                let names = waiting.map { TerminalText.line($0.name) }
                lines.append("waiting  for room: \(names.joined(separator: ", "))")
            }
            if !conversation.invited.isEmpty {
                let names = conversation.invited.map { TerminalText.line($0.name) }
                lines.append("invited  \(names.joined(separator: ", ")), no answer yet")
            }
            let keyless = conversation.members.filter { !$0.canRead }.map { TerminalText.line($0.name) }
            if !keyless.isEmpty {
                lines.append("no key  of \(keyless.joined(separator: ", ")) yet: messages cannot be read there")
            }
            lines += [""] + members(of: conversation).lines(output)
            let hidden = all ? 0 : conversation.members.count - limit
            if hidden > 0 { lines.append("and \(hidden) more: moot info \(conversation.id.prefix(16)) --all") }
            return lines
        }
    }

    private static func lines(about settings: GroupSettingsDescription) -> [String] {
        let (everybody, few) = ("every member", "admins and moderators only")
        let writing: String? =
            switch settings.announcement {
            case .on: few
            case .off: everybody
            case .unknown: nil
            }
        let adding: String? =
            switch settings.membersAdd {
            case .everyone: everybody
            case .moderators: few
            case .unknown: nil
            }
        return (writing.map { ["writing  \($0) (announcement \(settings.announcement))"] } ?? [])
            + (adding.map { ["adding   \($0) (members-add \(settings.membersAdd))"] } ?? [])
    }

    private func members(of conversation: ConversationDescription) -> Table {
        var table = Table("NAME", "ROLE", "PRESENCE", "VERIFIED", "JOINED", "ID")
        for member in conversation.members.prefix(all ? .max : limit) {
            let role = member.user == conversation.actingAdmin ? "\(member.role) (acting admin)" : member.role.rawValue
            table.add(
                member.blocked ? "\(member.name) (blocked)" : member.name, role,
                Presence.words(member.presence, lastSeen: member.lastSeen), member.verified ? "yes" : "no",
                member.joinedAt.flatMap { LocalTime($0)?.day } ?? "-", String(member.user.prefix(16)))
        }
        return table
    }
}
