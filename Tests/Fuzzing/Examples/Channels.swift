import Cryptography
import Replication

extension Example {
    static func channels() throws -> [Example] {
        var alice = Stranger.channel(dialing: true)
        var bob = Stranger.channel(dialing: false)
        let first = try alice.start()
        let second = try bob.receive(first, at: Stranger.now).reply
        var open = Stranger.open()
        let third = open.lastSent
        let frame = try open.frame(kind: 0, Array("hello".utf8)) + open.frame(kind: 3, [])
        func sealed(_ frames: (kind: UInt8, content: [UInt8])...) -> [UInt8] {
            input(.openSealed, frames.flatMap { [$0.kind, 0, UInt8($0.content.count)] + $0.content })
        }
        let word = Array(repeating: UInt8(7), count: 32)
        return [
            accepted(.channel, "first-message", input(.freshResponder, first)),
            accepted(.channel, "second-message", input(.startedInitiator, second)),
            accepted(.channel, "third-message", input(.responderAwaitingProof, third)),
            accepted(.channel, "frames", input(.openRaw, frame)),
            accepted(.channel, "live-and-bulk", sealed((0, [1]), (0x11, [2]), (1, [3]), (0, []), (0x10, [4]))),
            accepted(.channel, "next-key", sealed((0, [1]), (2, []), (0, [2]), (2, []), (0x10, []))),
            accepted(.channel, "packed", sealed((4, [0, 0] + word), (0x11, [1]), (4, [1, 9, 1, 1, 8]), (0x10, []))),
            accepted(.channel, "goodbye", sealed((0, [1]), (3, []))),
            accepted(.channel, "nothing-yet", input(.freshResponder, [])),
            refused(.channel, "no_scene", "nothing", []),
            refused(.channel, "bad_length", "handshake-of-0-bytes", input(.freshResponder, [0, 0])),
            refused(.channel, "bad_length", "handshake-of-65535-bytes", input(.freshResponder, [255, 255])),
            refused(
                .channel, "bad_handshake", "weak-first-key",
                input(.freshResponder, [0, 32] + Array(repeating: 0, count: 32))),
            refused(
                .channel, "bad_handshake", "first-message-with-payload",
                input(.freshResponder, [0, 33] + first.dropFirst(2) + [1])),
            refused(.channel, "bad_handshake", "first-message-twice", input(.responderAwaitingProof, first)),
            refused(
                .channel, "bad_handshake", "second-message-changed", input(.startedInitiator, second.withLastBitChanged)
            ),
            refused(
                .channel, "bad_handshake", "third-message-changed",
                input(.responderAwaitingProof, third.withLastBitChanged)),
            refused(.channel, "bad_frame", "frame-changed", input(.openRaw, frame.withLastBitChanged)),
            refused(.channel, "bad_length", "frame-of-16-bytes", input(.openRaw, [0, 16])),
            refused(.channel, "bad_length", "frame-above-the-limit", input(.openRaw, [0x40, 0x12])),
            refused(.channel, "bad_frame", "unknown-kind", sealed((0x12, []))),
            refused(.channel, "bad_frame", "message-that-never-grows", sealed((1, []))),
            refused(.channel, "bad_frame", "packed-within-live", sealed((1, [1]), (4, [1, 9]))),
            refused(.channel, "bad_packing", "word-that-was-not-sent", sealed((4, [0, 0] + word), (4, [0, 2]))),
            refused(.channel, "bad_packing", "word-cut-off", sealed((4, [0, 0] + word.dropLast()))),
            refused(.channel, "bad_packing", "packed-cut-off", sealed((4, [9, 1]))),
            refused(.channel, "bad_frame", "goodbye-with-content", sealed((3, [0]))),
            refused(.channel, "bad_frame", "next-key-with-content", sealed((2, [0]))),
        ]
    }

    private static func input(_ scene: Scene, _ bytes: [UInt8]) -> [UInt8] { [scene.rawValue, 4] + bytes }
}
