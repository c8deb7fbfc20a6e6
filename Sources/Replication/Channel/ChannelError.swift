import Cryptography
import OperationLog

/// Why a channel ended, or never came about. Each is final: the connection is of no more use.
public enum ChannelError: Error, Hashable, Sendable {
    /// A length no frame or handshake message can have.
    case badLength(Int)
    /// Bytes that no side of this handshake could have sent, from a stranger or another version of the protocol.
    case badHandshake
    /// The proof of the device does not decode.
    case malformedProof(MalformedBytes)
    /// The proof of the device does not verify, or its key is a weak point.
    case badProof
    /// The root does not certify the device.
    case uncertifiedDevice
    /// A device other than the one that was dialed.
    case wrongDevice(DeviceID)
    /// We dialed a device with which we are connected already.
    case alreadyConnected(DeviceID)
    /// We have dialed ourselves.
    case ourselves
    /// A frame that was changed on its way, or does not follow the one before.
    case badFrame
    /// A packed message that names a word which was not sent before, or is no message of at most one frame.
    case badPacking
    /// A message larger than ``SecureChannel/maximumMessageBytes``.
    case messageTooLarge
    /// Bytes after the authenticated close.
    case closed
    /// The handshake took longer than ``SecureChannel/handshakeDeadline``.
    case handshakeTimeout
    /// The connection ended without an authenticated close.
    case truncated

    /// The stable code shown in logs.
    public var code: String {
        switch self {
        case .badLength: "bad_length"
        case .badHandshake: "bad_handshake"
        case .malformedProof: "malformed_proof"
        case .badProof: "bad_proof"
        case .uncertifiedDevice: "uncertified_device"
        case .wrongDevice: "wrong_device"
        case .alreadyConnected: "already_connected"
        case .ourselves: "self_connection"
        case .badFrame: "bad_frame"
        case .badPacking: "bad_packing"
        case .messageTooLarge: "message_too_large"
        case .closed: "closed"
        case .handshakeTimeout: "handshake_timeout"
        case .truncated: "truncated"
        }
    }
}
