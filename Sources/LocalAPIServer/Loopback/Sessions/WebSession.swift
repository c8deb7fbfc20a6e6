import Cryptography

/// A browser that was let in, as the node knows it: by hashes of its two secrets, from which nobody makes them.
///
/// The first secret is a cookie, which the browser also shows to servers on other ports of this host: cookies know no
/// ports. The second is the key, which only the page of the node's own origin can read. Each is 256 random bits, so
/// neither salt nor a slow hash would add anything.
struct WebSession: Hashable, Sendable {
    /// What it is called where sessions are listed; it opens nothing.
    let id: String
    /// When the browser was let in, in milliseconds since 1970.
    let createdAt: Int64
    /// 64 hexadecimal digits of the hash of the cookie.
    let cookieHash: String
    /// The same of the key; nil until the page has claimed it. Until then nothing opens.
    var keyHash: String?

    /// The hash by which a cookie is known.
    static func hash(ofCookie text: some StringProtocol) -> String { hash("moot/1/web-cookie", text) }

    /// The hash by which a key is known.
    static func hash(ofKey text: some StringProtocol) -> String { hash("moot/1/web-key", text) }

    /// The hash by which is known what claims a key.
    static func hash(ofClaim text: some StringProtocol) -> String { hash("moot/1/web-claim", text) }

    private static func hash(_ domain: StaticString, _ text: some StringProtocol) -> String {
        Digest.hash(domain, Array(text.utf8)).hexadecimal
    }

    /// Whether two hashes are the same, found out in the same time wherever they differ.
    static func isSame(_ one: String, _ other: String) -> Bool {
        let (ours, theirs) = (Array(one.utf8), Array(other.utf8))
        guard ours.count == theirs.count else { return false }
        return zip(ours, theirs).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
