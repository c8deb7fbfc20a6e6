import Conversations
import Cryptography
import CryptographyFixtures
import OperationLog
import Testing

/// Compares with bytes that were made independently, from the descriptions of the formats; both ways, since nothing in
/// them is left to chance.
@Suite("Known answers of encryption")
struct EncryptionVectorTests {
    private var story: VectorStory
    private let vectors: EncryptionVectors

    init() throws {
        story = try VectorStory()
        vectors = story.vectors
    }

    private func key(_ bytes: Hexadecimal) throws -> EpochKey { try #require(EpochKey(SecretBytes(bytes.bytes))) }

    // MARK: - People and their keys

    @Test
    func `a wrap record is signed and read as the page says`() throws {
        var read = 0
        for person in vectors.people {
            let credentials = try Credentials(verifying: person.credentials.bytes)
            for device in person.devices {
                let author = try story.author(device.label)
                #expect(author.device.id.description == device.id)
                #expect(try #require(story.wrapKeys[device.label]).publicKey == device.wrapKey.bytes)
                guard let counter = device.counter else { continue }
                let bytes = try #require(device.wrapRecord).bytes
                #expect(WrapRecord(by: author, counter: counter, key: device.wrapKey.bytes).encoded == bytes)
                let record = try WrapRecord(verifying: bytes, among: credentials.identity.devices.map(\.device))
                #expect(record.device == author.device.id)
                #expect(record.counter == counter)
                #expect(record.key == device.wrapKey.bytes)
                read += 1
            }
        }
        #expect(read == 3)
    }

    @Test
    func `credentials and introductions are written and read as the page says`() throws {
        for person in vectors.people {
            let root = try #require(SigningKey(seed: person.root.bytes))
            let identity = IdentityRecord(
                root: root, serial: person.serial,
                devices: try person.devices.map { .init(device: try story.author($0.label).device, name: $0.name) })
            let wraps = try person.devices.compactMap { device in
                try device.counter.map { counter in
                    WrapRecord(by: try story.author(device.label), counter: counter, key: device.wrapKey.bytes)
                }
            }
            let credentials = Credentials(identity: identity, wraps: wraps.reversed())
            #expect(credentials.user.description == person.user)
            #expect(credentials.encoded == person.credentials.bytes)
            #expect(try Credentials(verifying: person.credentials.bytes) == credentials)

            let card = try #require(
                ProfileCard(
                    root: root, version: person.cardVersion, name: person.name, photo: person.photo.bytes,
                    identity: identity))
            #expect((card.photoReference != nil) == (person.name == "Alice"))
            let introduction = Introduction(card: card, wraps: wraps)
            #expect(introduction.encoded == person.introduction.bytes)
            #expect(try Introduction(verifying: person.introduction.bytes) == introduction)
        }
    }

    // MARK: - Operations

    @Test
    func `every operation has the same bytes, name and signature when its author writes it here`() throws {
        #expect(vectors.operations.count > 40)
        for (known, (name, operation)) in zip(vectors.operations, story.operations) {
            #expect(operation.header.encoded == known.header.bytes, "\(name)")
            #expect(operation.id.description == known.id, "\(name)")
            let written = try story.author(known.author).write(operation.header, body: known.body.bytes)
            #expect(written == operation, "\(name)")
        }
    }

    @Test
    func `none is refused, whatever its body is worth, but those whose authors are out under their own heads`() {
        let refused = story.refused.compactMapValues { admission in
            if case .inadmissible(_, let reason) = admission { reason.rawValue } else { nil }
        }
        #expect(vectors.inadmissible.count == 3)
        #expect(refused.count == story.refused.count)
        #expect(refused == Dictionary(uniqueKeysWithValues: vectors.inadmissible.map { ($0.operation, $0.code) }))
        #expect(!story.log.contentFrontier.hasForks)
    }

    @Test
    mutating func `a view has the readers and the name that follow from the past of its heads`() throws {
        #expect(vectors.views.count == 2)
        for known in vectors.views {
            let heads = try known.heads.map { try #require(OperationID(hexadecimal: $0)) }
            let view = try story.view(at: heads)
            #expect(view.id.description == known.id)
            #expect(view.readers.map(\.user.description) == known.readers.map(\.user))
            #expect(view.readers.map(\.device.description) == known.readers.map(\.device))
            #expect(view.readers.map(\.wrapKey) == known.readers.map(\.wrapKey.bytes))
        }
    }

    // MARK: - Epochs

    @Test
    mutating func `an epoch is committed to, sealed and encoded as the page says`() throws {
        let known = vectors.epoch
        let operation = try story.operation(known.operation)
        let key = try key(known.key)
        let view = try story.view(at: operation.header.membershipHeads)
        #expect(view.id.description == known.view)
        #expect(operation.header.encodedUpToDigest == known.upToDigest.bytes)
        let commitment = key.commitment(of: operation.header, view: view.id)
        #expect(commitment.hexadecimal == known.commitment)
        let wraps = try zip(view.readers, known.ephemerals).map { reader, ephemeral in
            var random = ScriptedRandom(ephemeral.bytes)
            return try SealedBox.seal(key.secret, to: reader.wrapKey, using: &random)
        }
        #expect(wraps == known.wraps.map(\.bytes))
        let body = EpochBody(view: view.id, commitment: commitment, wraps: wraps)
        #expect(body.encoded == operation.body)
        #expect(body.encoded.count == EpochBody.byteCount(of: wraps.count))
        #expect(try EpochBody(decoding: try #require(operation.body)) == body)
        for reader in ["alice-desk", "bob-laptop", "bob-phone"] {
            let place = try #require(view.place(of: try story.author(reader).device.id))
            let secret = try #require(story.wrapKeys[reader]).open(known.wraps[place].bytes)
            #expect(secret.withUnsafeBytes { Array($0) } == known.key.bytes)
        }
    }

    @Test
    func `a complaint names its epoch and says nothing`() throws {
        let operation = try story.operation(vectors.complaint.operation)
        #expect(operation.header.type == .complaint)
        #expect(operation.header.epoch?.description == vectors.complaint.epoch)
        #expect(operation.body == [])
    }

    @Test
    func `a key sealed once more is for one device`() throws {
        let known = vectors.wrap
        let operation = try story.operation(known.operation)
        let receiver = try #require(story.wrapKeys["bob-laptop"])
        var random = ScriptedRandom(known.ephemeral.bytes)
        let wrap = try SealedBox.seal(try key(known.key).secret, to: receiver.publicKey, using: &random)
        #expect(wrap == known.wrap.bytes)
        let body = WrapBody(
            device: try #require(DeviceID(hexadecimal: known.device)), wrapKey: receiver.publicKey, wrap: wrap)
        #expect(body.encoded == operation.body)
        #expect(try WrapBody(decoding: try #require(operation.body)) == body)
        #expect(operation.header.type == .wrap)
        #expect(operation.header.epoch?.description == known.epoch)
    }

    // MARK: - Messages

    @Test
    func `a message is padded, sealed and named as the page says`() throws {
        let known = vectors.message
        let operation = try story.operation(known.operation)
        let plaintext = try #require(MessageBody(text: known.text)).encoded
        #expect(plaintext == known.plaintext.bytes)
        #expect(operation.header.encodedUpToDigest == known.upToDigest.bytes)
        let key = try key(vectors.epoch.key)
        #expect(key.seal(plaintext, for: operation.header, nonce: known.nonce.bytes) == operation.body)
        #expect(EpochKey.bodyLength(of: plaintext) == operation.header.bodyLength)

        let padded = try known.messageKey.bytes.withUnsafeBytes { messageKey in
            try ExtendedNonceCipher.open(
                try #require(operation.body), key: messageKey, authenticating: known.upToDigest.bytes)
        }
        #expect(padded == known.padded.bytes)
        #expect(Padding.unpad(padded, block: EpochKey.block) == plaintext)
        #expect(try MessageBody(decoding: plaintext).text == known.text)
    }

    @Test
    func `texts and headers of every shape are sealed as the page says`() throws {
        let key = try key(vectors.seals.key)
        #expect(vectors.seals.cases.count == 8)
        for known in vectors.seals.cases {
            let header = try OperationHeader(decoding: known.header.bytes)
            let body = key.seal(known.plaintext.bytes, for: header, nonce: known.nonce.bytes)
            #expect(body == known.body.bytes, "\(known.about)")
            #expect(header.bodyLength == EpochKey.bodyLength(of: known.plaintext.bytes), "\(known.about)")
            #expect(header.bodyDigest == Operation.digest(of: body), "\(known.about)")
            #expect(try key.open(known.body.bytes, of: header) == known.plaintext.bytes, "\(known.about)")
            let padded = try known.messageKey.bytes.withUnsafeBytes { messageKey in
                try ExtendedNonceCipher.open(body, key: messageKey, authenticating: header.encodedUpToDigest)
            }
            #expect(Padding.unpad(padded, block: EpochKey.block) == known.plaintext.bytes, "\(known.about)")
            let view = try #require(ViewID(hexadecimal: known.view))
            #expect(key.commitment(of: header, view: view).hexadecimal == known.commitment, "\(known.about)")
        }
    }

    @Test
    mutating func `a device sees of every message what it should, and why not`() throws {
        var reasons: Set<Unreadable> = []
        for known in vectors.readings {
            let expected: Reading
            switch known.sees {
            case "open": expected = .open(try #require(known.plaintext).bytes)
            case "closed": expected = .closed
            default:
                let reason = try #require(Unreadable(rawValue: known.sees))
                reasons.insert(reason)
                expected = .unreadable(reason)
            }
            let seen = try story.read(known.operation, by: known.reader, after: known.after)
            #expect(seen == expected, "\(known.about)")
        }
        // An erased key, a text that is no message and a revoked device come from elsewhere than from bytes of an
        // epoch.
        #expect(
            reasons
                == Set(Unreadable.allCases).subtracting([.malformed, .keyErased, .keyElsewhere, .deviceRevoked]))
    }

    // MARK: - What is refused

    @Test
    func `bytes that are no canonical encoding are refused with the code that says why`() throws {
        #expect(vectors.refusals.count > 25)
        for known in vectors.refusals {
            let bytes = known.bytes.bytes
            let error = #expect(throws: MalformedBytes.self, "\(known.about)") {
                switch known.kind {
                case "credentials": _ = try Credentials(verifying: bytes)
                case "introduction": _ = try Introduction(verifying: bytes)
                case "epoch": _ = try EpochBody(decoding: bytes)
                case "wrap": _ = try WrapBody(decoding: bytes)
                case "header": _ = try OperationHeader(decoding: bytes)
                default: Issue.record("no decoder for \(known.kind)")
                }
            }
            #expect(error?.code == known.code, "\(known.kind): \(known.about)")
        }
    }
}
