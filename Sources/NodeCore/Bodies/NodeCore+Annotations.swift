import Conversations
import Membership
import OperationLog
import Storage

/// A message as this device can see it.
public struct OpenedMessage: Hashable, Sendable {
    /// What can be seen of its own body.
    public let reading: Reading
    /// What everybody who can see all of it sees.
    public let state: MessageState
    /// Why it does not count, because its author had no right to write it: see ``Group/cutOff(_:in:isCovered:)``; nil
    /// if it counts.
    public let cutOff: CutOff<OperationID>?
}

/// Finds out what messages are about which others, and what became of those.
extension NodeCore {
    // MARK: - Reading

    /// Messages of one conversation as this device can see them, by id.
    ///
    /// - Parameters:
    ///   - ignored: annotations to leave out, to see what they changed.
    ///   - areAnnotated: false where no annotation leads to any of them, so that none is looked for.
    /// - Complexity: for each message and each annotation of one about 3 µs, once the views at their heads are known.
    public mutating func open(
        _ messages: [Operation], in conversation: ConversationID, without ignored: Set<OperationID> = [],
        areAnnotated: Bool = true
    ) throws(StoreError) -> [OperationID: OpenedMessage] {
        try context.open(messages, in: conversation, without: ignored, areAnnotated: areAnnotated)
    }

    /// The messages among some that were deleted for everybody, by their authors or by somebody who may.
    ///
    /// - Complexity: as ``open(_:in:without:)``.
    public mutating func deleted(
        among messages: Set<OperationID>, in conversation: ConversationID
    ) throws(StoreError) -> Set<OperationID> {
        var found: [Operation] = []
        for id in messages.sorted() {
            if let message = try storage.operation(id, of: conversation) { found.append(message) }
        }
        return Set(try open(found, in: conversation).filter { $0.value.state.isDeleted }.map(\.key))
    }

    /// Whether a content operation does not count, because its author had no right to write it.
    public mutating func isCutOff(_ operation: Operation, in conversation: ConversationID) -> Bool {
        let storage = storage
        return replicas[conversation]?.isCutOff(operation, in: storage) ?? false
    }

    /// What an annotation says; nil if it cannot be read here, or is none.
    public mutating func annotation(_ operation: Operation, in conversation: ConversationID) -> AnnotationBody? {
        guard var replica = replicas[conversation] else { return nil }
        defer { replicas[conversation] = replica }
        return replica.annotationBody(operation, for: me, in: storage)
    }

    /// The messages that were ever pinned to a conversation and are here.
    func pinCandidates(in conversation: ConversationID) throws(StoreError) -> [Operation] {
        var messages: [Operation] = []
        for target in try storage.pinTargets(in: conversation).sorted() {
            let operation = try storage.operation(target, of: conversation)
            if let operation, operation.header.type == .message { messages.append(operation) }
        }
        return messages
    }

    /// The names of the messages that are pinned to a conversation, ascending.
    ///
    /// - Complexity: O(*n*) in the operations that pin or unpin.
    public mutating func pinned(in conversation: ConversationID) throws(StoreError) -> [OperationID] {
        let opened = try open(pinCandidates(in: conversation), in: conversation)
        return opened.filter { $0.value.state.pinnedBy != nil && $0.value.reading.isShown }.map(\.key).sorted()
    }

    // MARK: - Taking in

    /// Where an annotation leads, if its body opens; nil as long as a key for it may still come.
    func link(of annotation: Operation, under view: View, in replica: Replica) -> AnnotationLink? {
        switch replica.epochs.read(annotation, view: view, for: me) {
        case .open(let bytes):
            let body = try? AnnotationBody.decode(bytes, type: annotation.header.type)
            return body.map { .message($0.target) } ?? .nowhere
        case .unreadable(.notAnEpoch), .unreadable(.wrapBroken), .unreadable(.commitBroken),
            .unreadable(.keyElsewhere), .wanted:
            return nil
        case .closed, .declined, .erased, .unreadable(.noEpoch), .unreadable(.falseEpoch), .unreadable(.wrongEpoch),
            .unreadable(.brokenSeal), .unreadable(.malformed), .unreadable(.keyErased), .unreadable(.deviceRevoked):
            return .nowhere
        }
    }

    /// Finds out where annotations lead that did not open when they came, or whose bodies came later.
    ///
    /// - Parameters:
    ///   - epochs: those whose keys are here only now; nil to try them all.
    ///   - filled: operations whose bodies are here only now.
    mutating func linkAnnotations(
        under epochs: Set<OperationID>?, filled: [Operation] = [], in conversation: ConversationID
    ) {
        guard var replica = replicas[conversation] else { return }
        do throws(StoreError) {
            var links: [OperationID: AnnotationLink] = [:]
            // Otherwise each new key would try all annotations again that are sealed under an epoch that never opens.
            let closed = epochs?.isEmpty == true ? [] : try storage.unopenedAnnotations(of: conversation, under: epochs)
            let known = Set(closed.map(\.id))
            let unopened = closed + filled.filter { $0.header.type.isAnnotation && !known.contains($0.id) }
            for annotation in unopened {
                guard let view = replica.view(at: annotation.header.membershipHeads) else { continue }
                links[annotation.id] = link(of: annotation, under: view, in: replica)
            }
            replicas[conversation] = replica
            guard !links.isEmpty else { return }
            // Together: what is linked is never looked at again, and what it takes back would be wanted forever.
            let counting = unopened.filter { !replica.isRevoked($0, in: storage) }
            let taken = retracted(by: counting, leading: links, in: replica)
            try storage.link(links, erasing: taken.sorted(), in: conversation)
            erased(Array(taken), in: conversation)
        } catch {
            storageFailed(error)
        }
    }
}

extension NodeContext {
    /// Messages of one conversation as this device can see them, by id.
    ///
    /// - Parameters:
    ///   - ignored: annotations to leave out, to see what they changed.
    ///   - areAnnotated: false where no annotation leads to any of them.
    mutating func open(
        _ messages: [Operation], in conversation: ConversationID, without ignored: Set<OperationID> = [],
        areAnnotated: Bool = true
    ) throws(StoreError) -> [OperationID: OpenedMessage] {
        guard var replica = replicas[conversation] else { return [:] }
        let limit = MessageState.maximumOfPerson
        let said = areAnnotated ? try storage.counting(about: messages, atMost: limit, in: &replica) : [:]
        let parts = said.values.joined().map(\.operation).filter { [.edit, .file].contains($0.header.type) }
        // That somebody deleted one is all that matters of what was said about it.
        let aboutParts = try storage.counting(about: parts, atMost: 1, in: &replica)
        var opened: [OperationID: OpenedMessage] = [:]
        for message in messages {
            let reading = replica.read(message, for: me, in: storage)
            var body: MessageBody?
            if case .open(let bytes) = reading { body = try? MessageBody(decoding: bytes) }
            func read(_ entries: [AdmittedOperation]) -> [Annotation] {
                entries.compactMap { entry in
                    ignored.contains(entry.operation.id) ? nil : replica.annotation(entry, for: me, in: storage)
                }
            }
            let annotations = said[message.id] ?? []
            let deletions = annotations.compactMap { entry in
                aboutParts[entry.operation.id].map { (entry.operation.id, read($0)) }
            }
            let cutOff = replica.cutOff(message, in: storage)
            let state = MessageState(
                of: message.author.user, saying: body, isCutOff: cutOff != nil, with: read(annotations),
                deletingParts: Dictionary(deletions) { first, _ in first }, pinning: replica.group.pinning)
            opened[message.id] = OpenedMessage(reading: reading, state: state, cutOff: cutOff)
        }
        replicas[conversation] = replica
        return opened
    }
}

extension Replica {
    /// What a person's devices can see of the body of a content operation: of a device that was revoked, what its user
    /// vouches for.
    mutating func read(_ operation: Operation, for user: UserID, in storage: any ReplicaStorage) -> Reading {
        guard !isRevoked(operation, in: storage) else { return .unreadable(.deviceRevoked) }
        let reading = epochs.read(operation, view: view(at: operation.header.membershipHeads), for: user)
        guard reading == .wanted, !wanted.contains(operation.id) else { return reading }
        return quotas.declined.contains(operation.id) ? .declined : .erased
    }

    /// Whether a content operation does not count, because its author had no right to write it.
    mutating func isCutOff(_ operation: Operation, in storage: any ReplicaStorage) -> Bool {
        cutOff(operation, in: storage) != nil
    }

    /// Why a content operation does not count, because its author had no right to write it; nil if it counts.
    mutating func cutOff(_ operation: Operation, in storage: any ReplicaStorage) -> CutOff<OperationID>? {
        findingPins(of: operation, in: storage) { group, lane, isCovered in
            group.cutOff(operation, in: lane, isCovered: isCovered)
        }
    }

    /// Asks something that depends on which pins cover a content operation, and remembers what was found of its branch.
    private mutating func findingPins<Answer>(
        of operation: Operation, in storage: any ReplicaStorage,
        _ question: (inout Group, MembershipGraph, (Pin) -> Bool) -> Answer
    ) -> Answer {
        var (branches, isAsked) = (pinnedBranches, false)
        // Of nearly nobody anything was ever pinned: then nothing is written back.
        defer { if isAsked { pinnedBranches = branches } }
        let log = log
        return question(&group, log.membership) { pin in
            isAsked = true
            return branches.isCovered(pin, operation, in: log.contentFrontier) { id in
                (try? storage.operation(id, of: log.conversation))?.header
            }
        }
    }

    /// What an annotation says; nil if a person's devices cannot read it, or if it is none.
    mutating func annotationBody(
        _ operation: Operation, for user: UserID, in storage: any ReplicaStorage
    ) -> AnnotationBody? {
        guard case .open(let bytes) = read(operation, for: user, in: storage) else { return nil }
        return try? AnnotationBody.decode(bytes, type: operation.header.type)
    }

    /// An annotation with what decides whether it counts; nil if a person's devices cannot read it, or if it is none.
    mutating func annotation(
        _ entry: AdmittedOperation, for user: UserID, in storage: any ReplicaStorage
    ) -> Annotation? {
        let operation = entry.operation
        guard let body = annotationBody(operation, for: user, in: storage) else { return nil }
        let isCutOff = isCutOff(operation, in: storage)
        return Annotation(
            by: operation.author.user,
            authorRole: group.authorRole(of: operation, isCutOff: isCutOff, in: log.membership), isCutOff: isCutOff,
            at: MessagePosition(hybridTime: entry.hybridTime, id: operation.id), time: operation.header.time,
            change: body.change)
    }
}
