import Cryptography
import NodeCore
import OperationLog
import Replication
import StreamTransport

/// A host that is about to become a device of the node's user, as far as the conversation with it has come.
struct DeviceLink {
    /// How many there are at a time.
    static let maximumCount = 4
    /// How long a host has to prove itself.
    static let meetingTime: Duration = .seconds(5)
    /// How long a new device has to store what it got.
    static let storingTime: Duration = .seconds(30)

    /// The key that the device will sign with.
    let key: VerifyingKey
    /// The seed of the user's root, unsealed for this link alone.
    let root: SecretBytes
    /// When it is given up.
    let ends: ContinuousClock.Instant
    /// The connection; nil until it was dialed.
    var connection: LinkConnection?
    /// What both users compare, once both sides have proven themselves.
    var digits: String?
    /// The key of the new device, once its user has agreed.
    var wrap: WrapRecord?
    /// Whether the user of this node has agreed.
    var isAgreed = false
    /// Whether it is a device of the user by now.
    var isCertified = false
    /// Whether the new device has stored what it got last.
    var isStored = false
    /// How it ended, if it did not end well.
    var failure: LinkError?
    /// Who waits for any of this.
    var waiters: [CheckedContinuation<Void, Never>] = []

    /// Takes in what happened.
    mutating func take(_ event: LinkConnection.Event) {
        switch event {
        case .link(.met(_, let digits)): self.digits = digits
        case .link(.consented(let wrap)): self.wrap = self.wrap ?? wrap
        case .link(.stored): isStored = true
        case .link(.begun), .link(.entrusted), .link(.welcomed): failure = .malformed
        case .ended(let error): failure = isStored ? nil : error ?? .ended
        }
    }
}

extension NodeError {
    /// Why a host did not become a device, for the user who tried.
    init(_ error: LinkError) {
        switch error {
        case .refused:
            self.init(
                .canceled, "On the other host somebody said no",
                hint: "Nothing was given away. To try again, run 'moot link' on the new host once more.")
        case .unproven:
            self.init(
                .wrongPerson, "Whoever answered is not the host that shows the code",
                hint: "Run 'moot link' on the new host once more, and take the code from its own screen.")
        case .malformed, .badFrame, .wrongWelcome:
            self.init(
                .networkError, "The other host said what does not belong there (\(error.code))",
                hint: "Both need the same version of Moot: moot --version")
        case .ended:
            self.init(
                .networkError, "The connection to the other host ended before it was linked",
                hint: "Run 'moot link' on the new host once more.")
        }
    }

    /// Where a device was not heard to have stored the user's root.
    static let rootNotConfirmed = NodeError(
        .networkError,
        "The host is a device of yours now, but did not say that it has the key of your identity: it may have it all the same",
        hint: "'moot devices' on that host says whether it does. Where it does not, retire it and link it once more.")
}
