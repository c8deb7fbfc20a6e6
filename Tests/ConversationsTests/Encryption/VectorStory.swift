import Conversations
import Cryptography
import CryptographyFixtures
import OperationLog
import OperationLogFixtures
import Testing

/// The group of the known answers: Alice founds it and adds Bob, who has two devices, and Carol, whose device published
/// no key.
///
/// Everything in it was written by the script; here it is only verified and taken in.
struct VectorStory {
    let vectors: EncryptionVectors
    /// The devices by their labels.
    private(set) var authors: [String: Author] = [:]
    /// The secrets to which keys are sealed, by the labels of the devices.
    private(set) var wrapKeys: [String: AgreementKey] = [:]
    /// The operations in causal order, with their names.
    private(set) var operations: [(name: String, operation: Operation)] = []
    /// Those that a replica would not admit: none, if the script is right about the log.
    private(set) var refused: [String: Admission] = [:]
    let log: ConversationLog
    private var group: Group

    init() throws {
        vectors = try EncryptionVectors.load()
        for person in vectors.people {
            let root = try #require(SigningKey(seed: person.root.bytes))
            for device in person.devices {
                let key = try #require(SigningKey(seed: device.seed.bytes))
                authors[device.label] = Author(user: UserID(root.verifyingKey), key: key)
                wrapKeys[device.label] = AgreementKey(secret: device.wrapSecret.bytes)
            }
        }
        for known in vectors.operations {
            let author = try #require(authors[known.author])
            let signature = try #require(Signature(bytes: known.signature.bytes))
            let operation = try Operation(
                verifying: known.header.bytes, author: author.device, body: known.body.bytes, signature: signature)
            operations.append((known.name, operation))
        }
        let conversation = try #require(ConversationID(hexadecimal: vectors.conversation))
        var log = ConversationLog(
            conversation: conversation, root: .group, introductions: MembershipBody.introductions(of:))
        let index = MemoryIndex()
        var group = Group(conversation: conversation, root: .group)
        for (name, operation) in operations {
            let lane = log.membership
            let admission = try log.admit(
                Batch(lane: operation.header.lane, operations: [operation]), using: index
            ) { group.isMember($0, at: $1, in: lane) }
            guard case .admitted(let admitted) = admission else {
                refused[name] = admission
                continue
            }
            switch operation.header.lane {
            case .membership: group.insert([operation])
            case .content: index.insert(admitted)
            }
        }
        self.group = group
        self.log = log
    }

    func author(_ label: String) throws -> Author { try #require(authors[label]) }

    func operation(_ name: String) throws -> Operation {
        try #require(operations.first { $0.name == name }).operation
    }

    mutating func view(at heads: [OperationID]) throws -> View {
        let view = group.view(at: heads, in: log.membership)
        return try #require(view)
    }

    /// What a device sees of an operation once it has taken in some others.
    mutating func read(_ name: String, by reader: String, after names: [String]) throws -> Reading {
        let device = try author(reader).device
        let wrapKey = try #require(wrapKeys[reader])
        var epochs = Epochs()
        for name in names {
            let operation = try operation(name)
            switch operation.header.type {
            case .epoch:
                let view = try view(at: operation.header.membershipHeads)
                epochs.insert(operation, view: view, for: device, kept: nil) { wrap, place in
                    place.wrapKey == wrapKey.publicKey ? (try? wrapKey.open(wrap)).flatMap(EpochKey.init) : nil
                }
            case .complaint:
                epochs.insert(complaintOf: operation.author.id, about: try #require(operation.header.epoch))
            default:
                let body = try WrapBody(decoding: try #require(operation.body))
                let view = try view(at: operation.header.membershipHeads)
                epochs.insert(
                    wrap: body, by: operation.author.id, about: try #require(operation.header.epoch), under: view,
                    for: device.id
                ) { wrap, _ in
                    (try? wrapKey.open(wrap)).flatMap(EpochKey.init)
                }
            }
        }
        let operation = try operation(name)
        return epochs.read(operation, view: try view(at: operation.header.membershipHeads), for: device.user)
    }
}
