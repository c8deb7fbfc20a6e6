import ArgumentParser

/// `moot decline`
struct Decline: AnswerCommand {
    static let configuration = CommandConfiguration(
        abstract: "Decline the invite to a group, or leave one that others added you to before you accept it.",
        discussion: "`moot list --requests` shows the groups that wait for your answer.")
    static let accepts = false

    @Argument(help: "The group.", completion: .conversation)
    var conversation: String

    @OptionGroup var common: CommonOptions

    static func sentence(about title: String) -> String { "You declined to be in \(title)." }
}
