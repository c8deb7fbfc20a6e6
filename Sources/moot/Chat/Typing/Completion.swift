/// What Tab makes of a word that was begun.
struct Completion: Equatable, Sendable {
    /// How many characters before the cursor are replaced.
    let count: Int
    /// What they are replaced by; nil where nothing is certain.
    let text: String?
    /// What there is to choose from; none where one alone fits.
    let choices: [String]

    /// Completes what was begun as far as all fit that begin so, whatever the case; nil where none does.
    ///
    /// - Parameters:
    ///   - beginning: What was typed.
    ///   - ending: What comes behind the one that fits, such as a space.
    init?(_ beginning: String, among names: [String], ending: String = " ") {
        let fitting = names.filter { $0.lowercased().hasPrefix(beginning.lowercased()) }
        guard let first = fitting.first else { return nil }
        count = beginning.count
        guard fitting.count > 1 else {
            text = first + ending
            choices = []
            return
        }
        let common = fitting.dropFirst().reduce(first) { common, name in
            String(zip(common, name).prefix { $0.lowercased() == $1.lowercased() }.map(\.0))
        }
        text = common.count > beginning.count ? common : nil
        choices = fitting
    }
}
