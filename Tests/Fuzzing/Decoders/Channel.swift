import OperationLog
import Replication

extension Decoder {
    /// Bytes that arrive at a channel. The first byte chooses its state and whether the rest goes there as it is or, at
    /// an open channel, as the kinds and contents of frames that the sender seals; the second where they are cut.
    static let channel = Decoder("channel") { bytes in
        guard bytes.count >= 2, let scene = Scene(rawValue: bytes[0] % UInt8(Scene.allCases.count)) else {
            return .refused("no_scene")
        }
        let arriving = try scene.arriving(Array(bytes.dropFirst(2)))
        let whole = Reception(of: arriving, at: try scene.channel(), inPiecesOf: max(1, arriving.count))
        let cut = Reception(of: arriving, at: try scene.channel(), inPiecesOf: 1 + Int(bytes[1]))
        // What follows the goodbye in one piece is not looked at; in a piece of its own it is an error.
        if whole.events.last != .closed {
            try promise("a channel does not mind where bytes are cut", whole.error == cut.error)
            if whole.error == nil { try promise("pieces make the same events", whole.events == cut.events) }
        }
        let error = whole.error
        try whole.checkEnd()
        try cut.checkEnd()
        return error.map { .refused(word(for: $0)) } ?? .accepted
    }

    private static func word(for error: ChannelError) -> String {
        switch error {
        case .malformedProof(let error): "malformed_proof.\(error.code)"
        case .badLength, .badHandshake, .badProof, .uncertifiedDevice, .wrongDevice, .alreadyConnected, .ourselves,
            .badFrame, .badPacking, .messageTooLarge, .closed, .handshakeTimeout, .truncated:
            error.code
        }
    }
}

/// Who receives what the fuzzer sends.
enum Scene: UInt8, CaseIterable {
    case freshResponder, startedInitiator, responderAwaitingProof, openRaw, openSealed

    /// A channel in the scene's state, the same each time.
    func channel() throws -> SecureChannel {
        switch self {
        case .freshResponder: return Stranger.channel(dialing: false)
        case .startedInitiator:
            var channel = Stranger.channel(dialing: true)
            _ = try channel.start()
            return channel
        case .responderAwaitingProof: return Stranger.beforeProof().leave()
        case .openRaw, .openSealed: return Stranger.open().leave()
        }
    }

    /// The bytes that reach it.
    func arriving(_ bytes: [UInt8]) throws -> [UInt8] {
        switch self {
        case .freshResponder, .startedInitiator, .responderAwaitingProof, .openRaw: bytes
        case .openSealed: try Self.sealed(bytes)
        }
    }

    /// Frames from triples: kind, two bytes of length, content. Content that is not there is not missed.
    private static func sealed(_ script: [UInt8]) throws -> [UInt8] {
        var alice = Stranger.open()
        var rest = script[...]
        var frames: [UInt8] = []
        while let kind = rest.popFirst(), let high = rest.popFirst(), let low = rest.popFirst() {
            let length = Int(high) << 8 | Int(low)
            frames += try alice.frame(kind: kind, rest.prefix(length))
            rest = rest.dropFirst(length)
            // What tells the receiver to change keys changes the sender's.
            if kind == 2, length == 0 { alice.rekey() }
        }
        return frames
    }
}

/// What a channel made of bytes that arrived in pieces.
private struct Reception: ~Copyable {
    var channel: SecureChannel
    var events: [SecureChannel.Event] = []
    var error: ChannelError?

    init(of bytes: [UInt8], at channel: consuming SecureChannel, inPiecesOf size: Int) {
        self.channel = channel
        var rest = bytes[...]
        do throws(ChannelError) {
            while !rest.isEmpty {
                events += try self.channel.receive(Array(rest.prefix(size)), at: Stranger.now).events
                rest = rest.dropFirst(size)
            }
        } catch {
            self.error = error
        }
    }

    /// An error is final, and the end of the connection is judged by what was said last.
    consuming func checkEnd() throws {
        var end: ChannelError?
        do throws(ChannelError) {
            try channel.finish()
        } catch {
            end = error
        }
        let isClosed = error == nil && events.last == .closed
        try promise("the end is as good as what was said last", end == error ?? (isClosed ? nil : .truncated))
        guard error != nil else { return }
        try promise("a failed channel is not open", !channel.isOpen)
        try promise("an error is final", (try? channel.receive([0, 40], at: Stranger.now)) == nil)
    }
}
