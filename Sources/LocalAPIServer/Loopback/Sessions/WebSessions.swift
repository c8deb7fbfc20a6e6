import Cryptography
import FoundationEssentials
import LocalAPIModel

/// The browsers that are let in: a value that reads no clock and touches no disk.
///
/// A browser shows its cookie with everything it asks, and shows it to servers on other ports of this host, too. So the
/// cookie alone opens nothing. The page claims a key, once, by what stands in the address that let it in, and sends the
/// key in a header; where a browser sends none, a ticket stands for it for some minutes.
struct WebSessions: Sendable {
    /// The most browsers at a time; a further one takes the place of the one that asked least lately.
    static let maximumCount = 32
    /// The most tickets of a session at a time; a further one takes the place of the oldest.
    static let maximumTickets = 16
    /// How long a ticket is good.
    static let ticketLifetime = Duration.seconds(600)

    /// How long the page may take to claim its key.
    static let claimLifetime = Duration.seconds(600)

    private static let secretBytes = 32

    /// What a browser gets that is let in.
    struct Entrance: Sendable {
        /// What it shows with everything.
        let cookie: String
        /// By what its page claims the key. It must reach nobody else, and never stands in a cookie.
        let claim: String
    }

    /// A moment by both clocks: the one by which tickets end, and the one that sessions are told by.
    struct Moment: Sendable {
        let monotonic: ContinuousClock.Instant
        /// Milliseconds since 1970.
        let wall: Int64
    }

    /// What somebody shows.
    struct Proof: Sendable {
        /// The values of the cookie of this node; a browser shows one.
        let cookies: [String]
        /// The key, from the header.
        let key: String?
        /// The ticket, where one is taken.
        let ticket: String?
    }

    private struct Entry: Sendable {
        var kept: WebSession
        /// When it last asked for something.
        var lastUsed: Int64
        var tickets: [(hash: String, ends: ContinuousClock.Instant)] = []
        /// By what the page claims the key; nil once it has.
        var claim: (hash: String, ends: ContinuousClock.Instant)?
    }

    private var entries: [Entry] = []

    /// Begins to let a browser in: it is when its page has claimed the key.
    mutating func begin(at now: Moment, using random: inout some RandomNumberGenerator) -> Entrance {
        removeOver(at: now)
        if entries.count >= Self.maximumCount,
            let idle = entries.indices.min(by: { entries[$0].lastUsed < entries[$1].lastUsed })
        {
            entries.remove(at: idle)
        }
        let entrance = Entrance(
            cookie: Self.secret(Self.secretBytes, using: &random), claim: Self.secret(Self.secretBytes, using: &random))
        let session = WebSession(
            id: Self.secret(8, using: &random), createdAt: now.wall,
            cookieHash: WebSession.hash(ofCookie: entrance.cookie))
        entries.append(
            Entry(
                kept: session, lastUsed: now.wall,
                claim: (WebSession.hash(ofClaim: entrance.claim), now.monotonic + Self.claimLifetime)))
        return entrance
    }

    /// The session of the browser that shows this, if it is let in; notes that the session is in use.
    mutating func session(showing proof: Proof, at now: Moment) -> WebSession? {
        removeOver(at: now)
        guard let index = index(of: proof.cookies), let keyHash = entries[index].kept.keyHash else { return nil }
        let hasKey = proof.key.map { WebSession.isSame(WebSession.hash(ofKey: $0), keyHash) } ?? false
        guard hasKey || has(ticket: proof.ticket, at: index, now) else { return nil }
        entries[index].lastUsed = now.wall
        return entries[index].kept
    }

    /// Whether a cookie is of a session that goes on, whatever else is shown: a browser that was let in for a stream
    /// stays so.
    func goesOn(_ cookies: [String]) -> Bool { index(of: cookies) != nil }

    /// Whether a cookie is of a session whose page has not claimed its key.
    mutating func awaitsClaim(_ cookies: [String], at now: Moment) -> Bool {
        removeOver(at: now)
        return index(of: cookies).map { entries[$0].claim != nil } ?? false
    }

    /// Makes the key of the session of a cookie, for whoever shows by what it is claimed. It works once.
    ///
    /// - Parameter before: The key that the page had until now. Its session ends: a browser has one.
    /// - Returns: the key; nil if the session was told it before, or what is shown is not of it.
    mutating func claimKey(
        of cookies: [String], showing claim: String, before: String? = nil, at now: Moment,
        using random: inout some RandomNumberGenerator
    ) -> String? {
        removeOver(at: now)
        guard let index = index(of: cookies), let expected = entries[index].claim,
            WebSession.isSame(expected.hash, WebSession.hash(ofClaim: claim))
        else { return nil }
        let key = Self.secret(Self.secretBytes, using: &random)
        entries[index].kept.keyHash = WebSession.hash(ofKey: key)
        entries[index].claim = nil
        let id = entries[index].kept.id
        if let hash = before.map(WebSession.hash(ofKey:)) {
            entries.removeAll { entry in
                entry.kept.id != id && entry.kept.keyHash.map { WebSession.isSame($0, hash) } ?? false
            }
        }
        return key
    }

    /// Makes a ticket of a session; nil if that is over.
    mutating func makeTicket(
        of session: WebSession, at now: Moment, using random: inout some RandomNumberGenerator
    ) -> String? {
        guard let index = index(ofID: session.id) else { return nil }
        entries[index].tickets.removeAll { $0.ends <= now.monotonic }
        if entries[index].tickets.count == Self.maximumTickets { entries[index].tickets.removeFirst() }
        let ticket = Self.secret(Self.secretBytes, using: &random)
        entries[index].tickets.append((WebSession.hash(ofKey: ticket), now.monotonic + Self.ticketLifetime))
        return ticket
    }

    /// Ends a session.
    ///
    /// - Returns: what it was; nil if there is none of this id.
    mutating func end(_ id: String, at now: Moment) -> WebSessionDescription? {
        removeOver(at: now)
        guard let index = index(ofID: id) else { return nil }
        return description(of: entries.remove(at: index), current: nil)
    }

    /// All sessions of browsers that are in, the newest first.
    mutating func descriptions(current: WebSession?, at now: Moment) -> [WebSessionDescription] {
        removeOver(at: now)
        return entries.filter { $0.claim == nil }.map { description(of: $0, current: current) }.reversed()
    }

    private func description(of entry: Entry, current: WebSession?) -> WebSessionDescription {
        WebSessionDescription(
            id: entry.kept.id, createdAt: Self.text(entry.kept.createdAt), lastUsedAt: Self.text(entry.lastUsed),
            isCurrent: entry.kept.id == current?.id)
    }

    private mutating func removeOver(at now: Moment) {
        entries.removeAll { $0.claim.map { $0.ends <= now.monotonic } ?? false }
    }

    private func index(of cookies: [String]) -> Int? {
        let hashes = cookies.map(WebSession.hash(ofCookie:))
        var found: Int?
        // All are compared, so the time does not tell which of them is nearest.
        for index in entries.indices {
            for hash in hashes where WebSession.isSame(entries[index].kept.cookieHash, hash) { found = index }
        }
        return found
    }

    private func index(ofID id: String) -> Int? { entries.firstIndex { $0.kept.id == id } }

    private func has(ticket: String?, at index: Int, _ now: Moment) -> Bool {
        guard let ticket else { return false }
        let hash = WebSession.hash(ofKey: ticket)
        var isGood = false
        for known in entries[index].tickets where known.ends > now.monotonic && WebSession.isSame(known.hash, hash) {
            isGood = true
        }
        return isGood
    }

    /// RFC 3339 with milliseconds, in UTC.
    private static func text(_ milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private static func secret(_ count: Int, using random: inout some RandomNumberGenerator) -> String {
        HexadecimalText.encode(random.bytes(count))
    }
}
