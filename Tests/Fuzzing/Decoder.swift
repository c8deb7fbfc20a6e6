/// A decoder of untrusted bytes together with what must hold for every input.
public struct Decoder: Sendable {
    /// The name by which `scripts/fuzz` and the folders of `Tests/Corpus` know it.
    public let name: String
    private let body: @Sendable ([UInt8]) throws -> Outcome

    init(_ name: String, _ body: @escaping @Sendable ([UInt8]) throws -> Outcome) {
        self.name = name
        self.body = body
    }

    /// Decodes the bytes and checks every promise about the result.
    ///
    /// - Throws: ``BrokenPromise``, which is a bug of the decoder.
    public func check(_ bytes: [UInt8]) throws -> Outcome { try body(bytes) }

    /// Every decoder.
    public static let all: [Decoder] = [
        .header, .membershipBatch, .contentBatch, .peerMessage, .beacon, .channel, .deviceProof, .identityRecord,
        .profileCard, .introduction, .epochBody, .wrapBody, .membershipBody, .messageBody,
        .editBody, .deleteBody, .reactionBody, .pinBody, .fileBody, .preferences, .receipt, .scenario, .address,
        .contactCode, .inviteCode, .typingSignal, .picture, .photoAnswer, .blobReference, .blobChunk,
    ]

    /// The decoder of a name.
    public static func named(_ name: String) -> Decoder? { all.first { $0.name == name } }
}
