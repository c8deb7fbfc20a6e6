@testable import Simulation

/// The content of a published case, judged by the words of section 8 and by the naive judge of membership alone.
struct PublishedContent {
    /// A content operation, as the file has it.
    struct Line: Decodable {
        let id: String
        let author: String
        let device: String?
        let type: String
        let heads: [String]
        let after: String?
    }

    private let operations: [NaiveOperation<Name, Name>]
    private let capacity: Int
    private let whole: NaiveMembership<Name, Name>
    private let ancestors: [String: Set<String>]
    private let lines: [String: PublishedCase.Line]
    private let content: [String: Line]

    init(of published: PublishedCase) throws {
        operations = try published.operations()
        capacity = published.capacity ?? 256
        whole = try NaiveMembership(judging: operations, capacity: capacity, tieBreaker: \.bytes)
        lines = Dictionary(uniqueKeysWithValues: published.ops.map { ($0.id, $0) })
        content = Dictionary(uniqueKeysWithValues: (published.content ?? []).map { ($0.id, $0) })
        var ancestors: [String: Set<String>] = [:]
        for operation in operations {
            let parents = operation.parents.map { "\($0)" }
            ancestors["\(operation.id)"] = parents.reduce(into: Set(parents)) { $0.formUnion(ancestors[$1] ?? []) }
        }
        self.ancestors = ancestors
    }

    /// The word of each operation.
    func words() throws -> [String: String] { try content.mapValues(word) }

    private func word(for written: Line) throws -> String {
        if isRevoked(written) { return "device_revoked" }
        let past = written.heads.reduce(into: Set(written.heads)) { $0.formUnion(ancestors[$1] ?? []) }
        let state = try NaiveMembership(
            judging: operations.filter { past.contains("\($0.id)") }, capacity: capacity, tieBreaker: \.bytes)
        let author = Name(written.author)
        guard state.members.contains(where: { $0.person == author }) else { return "not_a_member" }
        let effective = state.grants[author, default: []].filter { isEffective("\($0.maker)") }
        let highest = effective.compactMap(\.role).max()
        let isActing = state.actingAdmin == author && !effective.isEmpty && isOfficeVacant(in: past)
        guard isActing || highest != nil else { return "addition_void" }
        let isCutOff = lines.values.contains { exit in
            takesOut(exit, written.author) && isEffective(exit.id) && !past.contains(exit.id) && !pins(exit, written)
        }
        if isCutOff { return "author_removed" }
        let isModerator = isActing || highest.map { $0 >= .moderator } == true
        let isNew = ["message", "edit", "file"].contains(written.type)
        if isNew, !isModerator, announcement(in: past) == "on" { return "only_moderators" }
        return isModerator ? "moderator" : "member"
    }

    /// Whether what is effective in the whole left nobody an admin's grant in a past.
    private func isOfficeVacant(in past: Set<String>) -> Bool {
        whole.offices.allSatisfy { office in
            !past.contains("\(office.maker)") || office.losses.contains { past.contains("\($0)") }
        }
    }

    private func isEffective(_ id: String) -> Bool { whole.void[Name(id)] == nil }

    /// What the last effective setting in a past says of who writes.
    private func announcement(in past: Set<String>) -> String? {
        let writes = whole.writes[Array("announcement".utf8)] ?? []
        return writes.last { past.contains("\($0)") }.flatMap { lines["\($0)"]?.value }
    }

    private func takesOut(_ operation: PublishedCase.Line, _ person: String) -> Bool {
        switch operation.type {
        case "remove": operation.target == person
        case "leave": operation.author == person
        case "ratify": operation.bans?.contains(person) == true
        default: false
        }
    }

    /// Whether what an operation names of the device of some content is that, or follows it.
    private func pins(_ exit: PublishedCase.Line, _ written: Line) -> Bool {
        let named = (exit.seen ?? []).compactMap { content[$0] }
            .filter { $0.author == written.author && $0.device == written.device }
        let last = named.max { (chain(to: $0).count, Name($0.id)) < (chain(to: $1).count, Name($1.id)) }
        return last.map { chain(to: $0).contains(written.id) } ?? false
    }

    /// An operation and all that it follows on its chain.
    private func chain(to last: Line) -> [String] {
        [last.id] + (last.after.flatMap { content[$0] }.map(chain) ?? [])
    }

    /// Whether an operation is of a device that was revoked, and nobody vouches for it.
    private func isRevoked(_ written: Line) -> Bool {
        let own = lines.values.filter {
            $0.type == "revoke" && $0.target == written.author && $0.device == written.device && isEffective($0.id)
        }
        guard written.device != nil, !own.isEmpty else { return false }
        let named = own.flatMap { $0.seen ?? [] }.compactMap { content[$0] }
        if named.contains(where: { chain(to: $0).contains(written.id) }) { return false }
        return !lines.values.contains { exit in
            exit.author != written.author && takesOut(exit, written.author) && isEffective(exit.id)
                && pins(exit, written) && own.allSatisfy { ancestors[exit.id]?.contains($0.id) == false }
        }
    }
}
