import Conversations
import Cryptography
import OperationLog
import Replication
import Storage
import Time

/// A home that was recovered or restored is a new device of a user who has devices already, and holds their root: it
/// certifies itself.
///
/// A record counts by its number alone, so one that was signed without knowing the user's others would take these out.
/// The device therefore signs only after somebody has shown which devices there are, or when its user says so. Until
/// then it writes nothing, and shows a *provisional* card: of version 0, with a record of serial 0 that names this
/// device alone. It proves who is here, and takes the place of no other.
///
/// Its limit: the first one who is met may know an old record. The devices that it lacks are out until a holder of the
/// root learns of them.
extension NodeCore {
    /// Whether this device is none of its user's yet: it waits until somebody shows which they have.
    public var isNewDevice: Bool { context.isNewDevice }

    /// What a new device shows before it is one of its user's.
    static func provisionalCard(
        of device: Device, root: SigningKey, called names: [String], photo: [UInt8] = []
    ) -> ProfileCard {
        let identity = IdentityRecord(
            root: root, serial: 0, devices: [IdentityRecord.Entry(device: device, name: "new device")])
        return Self.card(called: names) { name in
            ProfileCard(root: root, version: 0, name: name, photo: photo, identity: identity)
        }
    }

    /// Becomes a device of the user, because somebody has shown which they have.
    mutating func meetOthers() {
        // Another host that was recovered shows no more than itself.
        guard isNewDevice, holdsRoot, let known = contacts[me].identity, known.serial > 0 else { return }
        do throws(NodeError) {
            try becomeDevice()
        } catch {
            note(.deviceNotCertified(error))
        }
    }

    /// Signs a record that adds this device to those that are known, and writes what was owed.
    ///
    /// It retires the device whose home was restored, and takes its place.
    ///
    /// - Throws: `invalid_operation` with as many devices as a user may have, `disk_full`, `storage_failed`; then it is
    ///   still none.
    mutating func becomeDevice() throws(NodeError) {
        let root = try requireRoot()
        let known = context.ownDevices.filter { $0.device != device }
        let former = formerDevice
        var devices = known.filter { $0.device.id != former }
        guard devices.count < IdentityRecord.maximumDevices else {
            throw NodeError(
                .invalidOperation,
                "You have \(IdentityRecord.maximumDevices) devices already, so this host cannot be one",
                hint: "Take one out on another device that holds your identity's key: moot devices retire")
        }
        let name = known.first { $0.device.id == former }?.name ?? "device \(devices.count + 1)"
        devices.append(IdentityRecord.Entry(device: device, name: name))
        // First: a record without it would not keep it out.
        if let former {
            do throws(StoreError) {
                try learn([Tombstone(root: root, device: former, kind: .retired)], isOwnAct: true)
            } catch {
                throw NodeError(error)
            }
        }
        let provisional = card
        context.isNewDevice = false
        do throws(NodeError) {
            try publish(
                devices, signedBy: root, on: contacts[me].card ?? provisional, otherwiseCalled: provisional.name,
                with: [keyManager.wrapKeys.record])
        } catch {
            context.isNewDevice = true
            throw error
        }
        effects.append(.deviceCertified)
        note(.deviceCertified)
        resumeWriting()
    }

    /// The device whose home was restored here: this one has its keys to read with. It is settled before anything is
    /// learned from others: that device may have another key since.
    public var formerDevice: DeviceID? { context.formerDevice }

    /// Writes what was owed while nothing was written.
    mutating func resumeWriting() {
        guard !context.writesNothing else { return }
        for conversation in replicas.keys.sorted() {
            writeObligations(in: conversation)
            tellReceipts(.changed(conversation))
        }
        planWake()
    }
}

extension NodeError {
    /// The error for every write before this device is one of its user's.
    public static let notCertified = NodeError(
        .notCertified, "This host is no device of yours yet: it waits until somebody is connected who knows you",
        hint:
            "A member of a conversation of yours is enough, or another device of yours. Where nobody will come, start it once with: moot up --only-copy"
    )
}
