import Conversations
import OperationLog
import Replication

/// What is missing, and who can fill it: no gap is silent. Only current members are asked, so only they are named.
extension NodeCore {
    /// The gap where the body of an operation should be; nil if it is not wanted.
    ///
    /// The author has it, and whoever else it was for may have it.
    public mutating func gap(at operation: Operation, in conversation: ConversationID) -> Gap? {
        guard replicas[conversation]?.wanted.contains(operation.id) == true else { return nil }
        // In place: a copy of the replica would cost more than the view.
        let view = replicas[conversation]?.view(at: operation.header.membershipHeads)
        guard let group = replicas[conversation]?.group else { return nil }
        let denied = bodyFetcher.denials(of: operation.id, in: conversation)
        let readers = (view?.readers ?? []).map { ($0.user, $0.device) }
        return Gap(
            content: .body(operation.id),
            sources: sources(
                [(operation.author.user, operation.author.id)] + readers, in: group, author: operation.author.id,
                denied: denied))
    }

    /// What is missing besides bodies: operations that others name, and what members have advertised.
    public func missingOperations(in conversation: ConversationID) -> [Gap] {
        guard let replica = replicas[conversation], replica.group.isMember(me) else { return [] }
        return unknownDependencies(of: replica) + advertised(in: replica)
    }

    /// What batches wait for. Whoever sent such a batch holds what it depends on, and so does whoever wrote it.
    private func unknownDependencies(of replica: Replica) -> [Gap] {
        var holders: [OperationID: [(UserID, DeviceID)]] = [:]
        for entry in pending.entries where entry.conversation == replica.id {
            let sender = links[entry.peer]?.identity.map { [($0.device.user, $0.device.id)] } ?? []
            let authors = entry.batch.operations.map { ($0.author.user, $0.author.id) }
            for operation in entry.missing { holders[operation, default: []] += sender + authors }
        }
        return holders.sorted { $0.key < $1.key }.map { operation, people in
            Gap(content: .operations([operation]), sources: sources(people, in: replica.group, author: nil, denied: []))
        }
    }

    /// What members said they hold beyond what is here.
    private func advertised(in replica: Replica) -> [Gap] {
        let ahead = replicator.advertised(in: replica.id)
        return ahead.sorted { $0.key < $1.key }.compactMap { chain, claims in
            let held = replica.log.contentFrontier.sequenceNumber(of: chain)
            guard let last = claims.map(\.through).max(), last > held, let author = device(chain) else { return nil }
            let people = claims.filter { $0.through > held }.compactMap { claim in
                device(claim.peer).flatMap { replica.group.isMember($0.user) ? ($0.user, $0.id) : nil }
            }
            guard !people.isEmpty else { return nil }
            return Gap(
                content: .chain(author, held + 1...last),
                sources: sources([(author.user, author.id)] + people, in: replica.group, author: author.id, denied: []))
        }
    }

    /// A device that somebody's record names.
    private func device(_ id: DeviceID) -> Device? {
        contacts.all.lazy.flatMap { $0.identity?.devices ?? [] }.map(\.device).first { $0.id == id }
    }

    private func sources(
        _ people: [(user: UserID, device: DeviceID)], in group: Group, author: DeviceID?, denied: Set<DeviceID>
    ) -> [Gap.Source] {
        let connected = connectedDevices
        var known: Set<DeviceID> = [device.id]
        return people.filter { group.isMember($0.user) && known.insert($0.device).inserted }
            .map { person in
                Gap.Source(
                    user: person.user, device: person.device, isAuthor: person.device == author,
                    isReachable: connected.contains(person.device), hadNothing: denied.contains(person.device))
            }
            .sorted { left, right in
                (left.isAuthor ? 0 : 1, left.isReachable ? 0 : 1, left.device)
                    < (right.isAuthor ? 0 : 1, right.isReachable ? 0 : 1, right.device)
            }
    }
}
