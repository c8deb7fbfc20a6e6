import ArgumentParser

/// `moot accept`
struct Accept: AnswerCommand {
    static let configuration = CommandConfiguration(
        abstract: "Accept the invite to a group, or one that others added you to.",
        discussion: "`moot list --requests` shows the groups that wait for your answer.")
    static let accepts = true

    @Argument(help: "The group.", completion: .conversation)
    var conversation: String

    @OptionGroup var common: CommonOptions

    static func sentence(about title: String) -> String { "You are a member of \(title)." }
}
