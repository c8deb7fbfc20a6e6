import Cryptography
import FoundationEssentials
import LocalAPIModel
import Node
import NodeCore
import Synchronization

/// The lasting tokens of a node: made, listed, revoked, and looked for whenever somebody shows one.
final class TokenStore: Sendable {
    /// The most tokens at a time.
    static let maximumCount = 64

    private let file: PrivateFile<LastingToken>
    private let tokens: Mutex<[LastingToken]>

    /// Reads the tokens of a home.
    ///
    /// - Throws: `bad_configuration` if their file is damaged, `permission_denied`.
    init(home: String) throws(NodeError) {
        file = PrivateFile(home: home, name: "tokens.json", of: "tokens")
        tokens = Mutex(try file.read())
    }

    /// All of them, by name.
    var descriptions: [TokenDescription] {
        tokens.withLock { $0.map(\.description) }.sorted { $0.name < $1.name }
    }

    /// Makes a token. Only its hash is kept.
    ///
    /// - Throws: `name_invalid`, `disk_full`, `permission_denied`; ``RequestRefusal/tokenExists(_:)`` and
    ///   ``RequestRefusal/tooManyTokens(limit:)``.
    func create(named name: String, readOnly: Bool) throws -> NewTokenDescription {
        guard LastingToken.isAllowed(name: name) else {
            throw NodeError(
                .nameInvalid, "A token's name has 1 to 64 letters, digits, dots, dashes and underscores",
                hint: "Call it after the program that uses it.")
        }
        var random = SystemRandom()
        let time = Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        let (kept, text) = LastingToken.make(named: name, readOnly: readOnly, at: time, using: &random)
        try tokens.withLock { tokens in
            guard !tokens.contains(where: { $0.name == name }) else { throw RequestRefusal.tokenExists(name) }
            guard tokens.count < Self.maximumCount else {
                throw RequestRefusal.tooManyTokens(limit: Self.maximumCount)
            }
            try file.write(tokens + [kept])
            tokens.append(kept)
        }
        let made = kept.description
        return NewTokenDescription(token: text, name: made.name, readOnly: made.readOnly, createdAt: made.createdAt)
    }

    /// Ends a token: nobody who shows it is let in from now on.
    ///
    /// - Throws: ``RequestRefusal/noSuchToken(_:)``, `disk_full`, `permission_denied`. It is good until the file says
    ///   otherwise.
    func revoke(_ name: String) throws -> TokenDescription {
        try tokens.withLock { tokens in
            guard let token = tokens.first(where: { $0.name == name }) else { throw RequestRefusal.noSuchToken(name) }
            let rest = tokens.filter { $0 != token }
            try file.write(rest)
            tokens = rest
            return token.description
        }
    }

    /// What a token opens; nil if it is none. All are compared, so the time does not tell which of them is nearest.
    func admission(of text: some StringProtocol) -> Admission? {
        let hash = LastingToken.hash(of: text)
        var found: Admission?
        for token in tokens.withLock({ $0 }) where token.has(hash: hash) {
            found = token.readOnly ? .reading : .everything
        }
        return found
    }
}
