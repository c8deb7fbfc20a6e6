import OperationLog

/// Finds whom a text names: every `@` that is followed by the name of one member.
public struct Mentions {
    /// The people of each name, in lower case.
    private let people: [String: [UserID]]
    /// How many characters the names have, the longest first.
    private let lengths: [Int]

    /// Knows the names that may be mentioned.
    public init(among members: [(user: UserID, name: String)]) {
        people = Dictionary(grouping: members) { $0.name.lowercased() }.mapValues { $0.map(\.user) }
        lengths = Set(people.keys.lazy.map(\.count)).sorted(by: >).filter { $0 > 0 }
    }

    /// The people whom a text names, ascending; of more than ``MessageBody/maximumMentions`` the ones named first.
    ///
    /// The longest name that fits counts, in capital letters or small ones, and only if one member alone has it. The
    /// `@` begins a word and the name ends one: addresses of mail name nobody, and Bobby is not Bob.
    ///
    /// - Complexity: O(*n* × *m*) in the places of `@` and the different lengths of names.
    public func people(namedIn text: String) -> [UserID] {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return [] }
        let text = Array(text.lowercased())
        var named: Set<UserID> = []
        for place in text.indices where text[place] == "@" && named.count < MessageBody.maximumMentions {
            guard place == 0 || !text[place - 1].isPartOfWord else { continue }
            let rest = text[(place + 1)...]
            let length = lengths.first { length in
                guard rest.count >= length, people[String(rest.prefix(length))] != nil else { return false }
                return rest.dropFirst(length).first.map { !$0.isPartOfWord } ?? true
            }
            guard let length, let bearers = people[String(rest.prefix(length))], bearers.count == 1 else { continue }
            named.formUnion(bearers)
        }
        return named.sorted()
    }
}

extension Character {
    fileprivate var isPartOfWord: Bool { isLetter || isNumber || self == "_" }
}
