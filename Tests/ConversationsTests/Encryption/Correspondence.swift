import Conversations
import Cryptography
import OperationLog
import OperationLogFixtures
import Testing

/// A circle whose people write closed messages, and what each of them makes of them.
struct Correspondence {
    var circle: Circle
    private var random = SplitMix64(seed: 7)
    private var epochs: [String: Epochs] = [:]

    init(_ circle: Circle) {
        self.circle = circle
        for name in circle.people.keys { epochs[name] = Epochs() }
    }

    /// What a person knows of the epochs.
    func epochs(of name: String) -> Epochs { epochs[name] ?? Epochs() }

    /// A person makes a key for a view and seals it for everybody in it, each wrap as `change` leaves it.
    mutating func writeEpoch(
        by name: String, for view: View? = nil, committing: EpochKey? = nil,
        changing change: (View.Reader, [UInt8]) -> [UInt8] = { $1 }
    ) throws -> (operation: Operation, key: EpochKey) {
        let view = try view ?? circle.view()
        let key = EpochKey.generate(using: &random)
        let wraps = try view.readers.map { reader in
            change(reader, try SealedBox.seal(key.secret, to: reader.wrapKey, using: &random))
        }
        let promised = committing ?? key
        let draft = ConversationLog.Draft(type: .epoch, bodyLength: EpochBody.byteCount(of: wraps.count)) { header in
            let commitment = promised.commitment(of: header, view: view.id)
            return EpochBody(view: view.id, commitment: commitment, wraps: wraps).encoded
        }
        let operation = try #require(try circle.write(content: [draft], by: name).first)
        try deliver(operation)
        return (operation, key)
    }

    /// A person writes a message under an epoch.
    mutating func write(
        _ text: String, by name: String, under epoch: OperationID?, _ key: EpochKey,
        changing change: @escaping @Sendable ([UInt8]) -> [UInt8] = { $0 }
    ) throws -> Operation {
        let body = try #require(MessageBody(text: text)).encoded
        let nonce = random.bytes(ExtendedNonceCipher.nonceByteCount)
        let draft = ConversationLog.Draft(
            type: .message, epoch: epoch,
            bodyLength: change([UInt8](repeating: 0, count: EpochKey.bodyLength(of: body))).count
        ) { change(key.seal(body, for: $0, nonce: nonce)) }
        return try #require(try circle.write(content: [draft], by: name).first)
    }

    /// A person complains of an epoch.
    mutating func complain(by name: String, about epoch: OperationID) throws {
        try deliver(
            try #require(try circle.write(content: [.init(type: .complaint, epoch: epoch, body: [])], by: name).first))
    }

    /// A person seals a key once more for another: to a key of the other, unless it is said to which.
    mutating func wrap(
        _ key: EpochKey, of epoch: OperationID, for other: String, to wrapKey: [UInt8]? = nil, by name: String
    ) throws {
        let person = circle.person(other)
        let wrapKey = wrapKey ?? person.wrapKey.publicKey
        let wrap = try SealedBox.seal(key.secret, to: wrapKey, using: &random)
        let body = WrapBody(device: person.device, wrapKey: wrapKey, wrap: wrap).encoded
        try deliver(
            try #require(try circle.write(content: [.init(type: .wrap, epoch: epoch, body: body)], by: name).first))
    }

    /// What a person can see of a message.
    mutating func reading(of message: Operation, by name: String) -> Reading {
        let view = try? circle.view(at: message.header.membershipHeads)
        return epochs(of: name).read(message, view: view, for: circle.person(name).user)
    }

    /// Hands everybody an epoch, a complaint or a wrap.
    private mutating func deliver(_ operation: Operation) throws {
        let view = try circle.view(at: operation.header.membershipHeads)
        for name in circle.people.keys.sorted() {
            let person = circle.person(name)
            let open = { (wrap: [UInt8]) in (try? person.wrapKey.open(wrap)).flatMap(EpochKey.init) }
            let about = try operation.header.type == .epoch ? operation.id : #require(operation.header.epoch)
            switch operation.header.type {
            case .epoch:
                epochs[name]?.insert(operation, view: view, for: person.author.device, kept: nil) { wrap, _ in
                    open(wrap)
                }
            case .complaint:
                epochs[name]?.insert(complaintOf: operation.author.id, about: about)
            default:
                let body = try WrapBody(decoding: operation.body ?? [])
                epochs[name]?.insert(
                    wrap: body, by: operation.author.id, about: about, under: view, for: person.device
                ) { wrap, _ in open(wrap) }
            }
        }
    }
}
