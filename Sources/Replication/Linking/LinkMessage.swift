import Cryptography
import OperationLog

/// What the two hosts say to each other while one becomes a device of the other's user.
enum LinkMessage: Hashable {
    /// The dialing side knows the secret, and is who the card says.
    case greeting(proof: [UInt8], card: [UInt8], Signature)
    /// The answering side knows it, too, and has the key of the code.
    case answer(proof: [UInt8], Signature)
    /// The user of the new host agrees; this is the key to which others will seal.
    case consent(wrap: [UInt8])
    /// The host is a device now: its user's card and keys.
    case welcome([UInt8])
    /// The new host has stored all of it.
    case stored
    /// The user of one host says no.
    case refusal
    /// The seed of the user's root, for a host that is to hold it as well.
    case root([UInt8])

    /// The longest encoding: an introduction, its length, and the kind.
    static let maximumBytes = Introduction.maximumBytes + 4

    var encoded: [UInt8] {
        var writer = CanonicalWriter()
        switch self {
        case .greeting(let proof, let card, let signature):
            writer.write(byte: 1)
            writer.write(raw: proof)
            writer.write(data: card)
            writer.write(raw: signature.bytes)
        case .answer(let proof, let signature):
            writer.write(byte: 2)
            writer.write(raw: proof)
            writer.write(raw: signature.bytes)
        case .consent(let wrap):
            writer.write(byte: 3)
            writer.write(data: wrap)
        case .welcome(let introduction):
            writer.write(byte: 4)
            writer.write(data: introduction)
        case .stored: writer.write(byte: 5)
        case .refusal: writer.write(byte: 6)
        case .root(let seed):
            writer.write(byte: 7)
            writer.write(raw: seed)
        }
        return writer.bytes
    }

    init(decoding bytes: [UInt8]) throws(MalformedBytes) {
        var reader = CanonicalReader(bytes)
        switch try reader.byte() {
        case 1:
            self = .greeting(
                proof: try reader.raw(Digest.byteCount),
                card: try reader.data(of: "profile card", limit: ProfileCard.maximumBytes), try reader.signature())
        case 2: self = .answer(proof: try reader.raw(Digest.byteCount), try reader.signature())
        case 3: self = .consent(wrap: try reader.data(of: "wrap record", limit: WrapRecord.maximumBytes))
        case 4: self = .welcome(try reader.data(of: "introduction", limit: Introduction.maximumBytes))
        case 5: self = .stored
        case 6: self = .refusal
        case 7: self = .root(try reader.raw(SigningKey.seedByteCount))
        default: throw .invalid(field: "message kind")
        }
        try reader.finish()
    }
}
