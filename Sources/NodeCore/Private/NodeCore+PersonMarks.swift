import Conversations
import Cryptography
import OperationLog
import Replication
import Storage
import Time

/// The marks of people on disk: a row for each, so that one more costs the same however many there are.
extension NodeCore {
    /// Reads what the user keeps for themselves.
    mutating func restorePrivateState() throws(StoreError) {
        var marks: [PrivateSubject.Kind: [UserID: PersonMark]] = [:]
        for (name, sealed) in try storage.personMarks() {
            let (subject, mark) = try open(sealed, named: name)
            marks[subject.kind, default: [:]][UserID(digest: subject.id)] = mark
        }
        context.privateState = PersonalState(
            conversations: try Self.preferences(in: storage, keys: keys), blocks: marks[.block] ?? [:],
            verifications: marks[.verification] ?? [:])
    }

    /// Makes marks durable, all in one transaction. A person of whom a mark says nothing is forgotten.
    ///
    /// - Complexity: O(*n*) in the marks that are given.
    mutating func save(
        blocks: [UserID: PersonMark] = [:], verifications: [UserID: PersonMark] = [:]
    ) throws(StoreError) {
        let marks = Self.bySubject(blocks: blocks, verifications: verifications)
        guard !marks.isEmpty else { return }
        let forgotten = marks.filter { $0.value.device == nil }.keys.map(name)
        try storage.save(personMarks: seal(marks.filter { $0.value.device != nil }), forgetting: forgotten)
        context.privateState.keep(blocks: blocks)
        context.privateState.keep(verifications: verifications)
        for (user, mark) in verifications { contacts.setVerified(mark.isSet, user) }
    }

    // MARK: - Rows

    private static func bySubject(
        blocks: [UserID: PersonMark], verifications: [UserID: PersonMark]
    ) -> [PrivateSubject: PersonMark] {
        var marks: [PrivateSubject: PersonMark] = [:]
        for (user, mark) in blocks { marks[PrivateSubject(.block, of: user)] = mark }
        for (user, mark) in verifications { marks[PrivateSubject(.verification, of: user)] = mark }
        return marks
    }

    private mutating func seal(_ marks: [PrivateSubject: PersonMark]) -> [Digest: [UInt8]] {
        var rows: [Digest: [UInt8]] = [:]
        for (subject, mark) in marks {
            let name = name(of: subject)
            rows[name] = keys.sealing.seal(
                [subject.kind.rawValue] + subject.id.bytes + mark.encoded, in: Self.cell(named: name), using: &random)
        }
        return rows
    }

    private func open(
        _ sealed: [UInt8], named name: Digest
    ) throws(StoreError) -> (subject: PrivateSubject, mark: PersonMark) {
        guard let bytes = try? keys.sealing.openBytes(sealed, in: Self.cell(named: name)), let kind = bytes.first,
            let id = Digest(bytes: bytes.dropFirst().prefix(Digest.byteCount)),
            let mark = try? PersonMark(decoding: Array(bytes.dropFirst(1 + Digest.byteCount)))
        else { throw .corrupted("a mark of a person does not open") }
        return (PrivateSubject(PrivateSubject.Kind(rawValue: kind), of: UserID(digest: id)), mark)
    }

    /// What a row is called, so that the disk does not tell whom the user marked.
    private func name(of subject: PrivateSubject) -> Digest {
        var statement = Statement("moot/1/person-mark")
        statement.append([subject.kind.rawValue])
        statement.append(subject.id.bytes)
        return keys.sealing.name(for: statement)
    }

    private static func cell(named name: Digest) -> StorageLocation {
        StorageLocation(table: "person_marks", row: name.bytes, kind: "mark")
    }
}
