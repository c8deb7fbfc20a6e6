import Cryptography
import LocalAPIModel

/// A token that outlives the node's run, as the node knows it: by a hash, from which nobody makes the token.
///
/// A token is 256 random bits, so nobody guesses it, and neither salt nor a slow hash would add anything.
struct LastingToken: Hashable, Sendable, Codable {
    private static let byteCount = 32
    /// What a token begins with, so that people and programs which look for secrets in files recognize it.
    private static let prefix = "moot_"

    /// What the user calls it.
    let name: String
    /// Whether it can only look.
    let readOnly: Bool
    /// When it was made.
    let createdAt: String
    /// 64 hexadecimal digits of the hash.
    let hash: String

    /// Makes a token.
    ///
    /// - Returns: What is kept of it, and the token itself.
    static func make(
        named name: String, readOnly: Bool, at time: String, using random: inout some RandomNumberGenerator
    ) -> (kept: LastingToken, text: String) {
        let secret = (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let text = prefix + HexadecimalText.encode(secret)
        return (LastingToken(name: name, readOnly: readOnly, createdAt: time, hash: hash(of: text)), text)
    }

    /// Whether names may be so: what fits into a path, a file and a terminal as it is.
    static func isAllowed(name: String) -> Bool {
        name.wholeMatch(of: /[A-Za-z0-9._\-]{1,64}/) != nil
    }

    /// The hash by which a token is known.
    static func hash(of text: some StringProtocol) -> String {
        Digest.hash("moot/1/api-token", Array(text.utf8)).hexadecimal
    }

    /// Whether the hash is this one, found out in the same time wherever they differ.
    func has(hash other: String) -> Bool {
        let (ours, theirs) = (Array(hash.utf8), Array(other.utf8))
        guard ours.count == theirs.count else { return false }
        return zip(ours, theirs).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// What others are told of it.
    var description: TokenDescription { TokenDescription(name: name, readOnly: readOnly, createdAt: createdAt) }
}
