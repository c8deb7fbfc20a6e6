import ArgumentParser

/// `moot home`
struct HomeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "home", abstract: "Look after the folder of the node.", subcommands: [CheckHome.self])
}
