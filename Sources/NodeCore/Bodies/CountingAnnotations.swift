import Conversations
import OperationLog
import Storage

extension ReplicaStorage {
    /// What was said about some operations and counts, by their names.
    ///
    /// - Parameter limit: of one person and one type, how much of it is read: the last ones, of files and deletions the
    ///   first.
    /// - Complexity: O(*n*) in what counts; where what does not count stands between, O(*m*) in all that was said about
    ///   an operation.
    func counting(
        about targets: [Operation], atMost limit: Int, in replica: inout Replica
    ) throws(StoreError) -> [OperationID: [AdmittedOperation]] {
        guard !targets.isEmpty else { return [:] }
        let ends = try annotations(of: targets.map(\.id), in: replica.id, fromEachEnd: limit)
        var counting: [OperationID: [AdmittedOperation]] = [:]
        for target in targets {
            guard let said = ends[target.id] else { continue }
            if let found = replica.counting(said, about: target, atMost: limit, isAll: false, in: self) {
                counting[target.id] = found
            } else {
                let all = try annotations(of: [target.id], in: replica.id, fromEachEnd: .max)
                counting[target.id] = replica.counting(
                    all[target.id] ?? [], about: target, atMost: limit, isAll: true, in: self)
            }
        }
        return counting
    }
}

extension NodeCore {
    /// The operation that an annotation changes; nil if it cannot be read here, is none, or does not count.
    ///
    /// - Complexity: O(1) once the view at its heads is known, however much was said about its target.
    public mutating func target(
        ofCounting annotation: Operation, in conversation: ConversationID
    ) throws(StoreError) -> Operation? {
        guard var replica = replicas[conversation] else { return nil }
        defer { replicas[conversation] = replica }
        guard let body = replica.annotationBody(annotation, for: me, in: storage),
            let target = try storage.operation(body.target, of: conversation)
        else { return nil }
        return replica.counts(annotation, about: target, in: storage) ? target : nil
    }
}

extension Replica {
    /// What one person says of one type.
    private struct Series: Hashable {
        let author: UserID
        let type: OperationType

        init(of annotation: Operation) {
            (author, type) = (annotation.author.user, annotation.header.type)
        }
    }

    /// The annotations of an operation that count and are read; nil if that does not follow from so many from either
    /// end.
    ///
    /// - Parameter isAll: whether these are all, and not only `limit` from each end of what one person said of one
    ///   type.
    fileprivate mutating func counting(
        _ said: [AdmittedOperation], about target: Operation, atMost limit: Int, isAll: Bool,
        in storage: any ReplicaStorage
    ) -> [AdmittedOperation]? {
        let aboutCutOff = isCutOff(target, in: storage)
        var found: [AdmittedOperation] = []
        let series = Dictionary(grouping: said) { Series(of: $0.operation) }
        for (series, entries) in series {
            let isOwn = series.author == target.author.user
            guard isOwn || mayCount(series) else { continue }
            let all = entries.map { (place: ($0.hybridTime, $0.operation.id), entry: $0) }
                .sorted { $0.place < $1.place }.map(\.entry)
            let order = [.delete, .file].contains(series.type) ? all : all.reversed()
            // What stands next to its end is there without a gap.
            let isWhole = isAll || all.count < 2 * limit
            var counting: [AdmittedOperation] = []
            for entry in order.prefix(isWhole ? .max : limit) where counting.count < limit {
                if counts(entry.operation, isOwn: isOwn, aboutCutOff: aboutCutOff, in: storage) {
                    counting.append(entry)
                } else if !isWhole {
                    return nil
                }
            }
            found += counting
        }
        return found
    }

    /// Whether what somebody else than the author of an operation says about it may count at all.
    private func mayCount(_ series: Series) -> Bool {
        switch series.type {
        case .edit, .file: false
        case .delete, .pin: isDirect || group.mayHaveModerated(series.author)
        default: true
        }
    }

    /// Whether an annotation counts, if it is among those that are read.
    fileprivate mutating func counts(
        _ annotation: Operation, about target: Operation, in storage: any ReplicaStorage
    ) -> Bool {
        let isOwn = annotation.author.user == target.author.user
        guard isOwn || mayCount(Series(of: annotation)) else { return false }
        return counts(annotation, isOwn: isOwn, aboutCutOff: isCutOff(target, in: storage), in: storage)
    }

    private mutating func counts(
        _ annotation: Operation, isOwn: Bool, aboutCutOff: Bool, in storage: any ReplicaStorage
    ) -> Bool {
        guard !isRevoked(annotation, in: storage) else { return false }
        let isCutOff = isCutOff(annotation, in: storage)
        let role = group.authorRole(of: annotation, isCutOff: isCutOff, in: log.membership)
        return MessageState.counts(
            annotation.header.type, isOwn: isOwn, by: role, isCutOff: isCutOff, aboutCutOff: aboutCutOff,
            pinning: group.pinning)
    }
}
