/// The first byte of a frame's plaintext.
enum FrameKind: UInt8 {
    /// The last chunk of a live message.
    case live = 0x00
    /// A chunk of a live message that goes on.
    case liveMore = 0x01
    /// From the next frame on, this direction uses the next key.
    case rekey = 0x02
    /// Nothing follows.
    case close = 0x03
    /// A whole live message in which words are left out that were sent before.
    case packed = 0x04
    /// The last chunk of a bulk message.
    case bulk = 0x10
    /// A chunk of a bulk message that goes on.
    case bulkMore = 0x11
}
