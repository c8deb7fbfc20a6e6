import Conversations
import Cryptography
import OperationLog
import Replication
import Storage
import Time

/// Certifies the devices of this user, and takes over what another device of theirs has signed.
///
/// The root certifies them in the identity record, which is on the card. A `device` operation brings the record into
/// every conversation: from then on what is written is sealed to the new device as well.
extension NodeCore {
    /// This user's devices, in ascending order of their ids: those that their counting record certifies, less those
    /// taken out.
    public var certifiedDevices: [IdentityRecord.Entry] { context.ownDevices }

    /// Whether this device holds the key that certifies devices and signs the card.
    public var holdsRoot: Bool { keys.root != nil }

    /// The key that signs for the user.
    ///
    /// - Throws: `invalid_operation` where another device holds it.
    @discardableResult
    public func requireRoot() throws(NodeError) -> SigningKey {
        guard let root = keys.root else {
            throw NodeError(
                .invalidOperation, "Only the device that holds your identity's key can do this",
                hint: "Do it on the device that holds it, which is the one where you began unless you handed it over. "
                    + "Where that is lost: moot recover, on an empty host, with the code that moot recovery showed."
            )
        }
        return root
    }

    /// Makes a host a device of this user: durable here before anybody hears of it.
    ///
    /// - Parameters:
    ///   - key: what the device signs with.
    ///   - name: what to call it; nil for "device" with a number. Whoever meets the user reads it.
    ///   - wrap: the key to which others seal for it, signed by the device.
    /// - Returns: what to give the device: the card that certifies it, and the keys of all of the user's devices.
    /// - Throws: `invalid_operation` without the root, for a device that is certified already, with 8 of them, or where
    ///   the key to seal to is another device's; `invalid_request` for too long a name, `identity_deleted`,
    ///   `home_copied`, `not_certified`, `disk_full`, `storage_failed`.
    public mutating func certify(
        _ key: VerifyingKey, named name: String?, wrap: WrapRecord, at moment: Moment
    ) throws(NodeError) -> Introduction {
        self.moment = moment
        try requireWritable()
        let root = try requireRoot()
        let device = Device(user: me, key: key)
        var devices = certifiedDevices
        guard devices.count < IdentityRecord.maximumDevices else {
            throw NodeError(
                .invalidOperation, "You have \(IdentityRecord.maximumDevices) devices already, which is the most",
                hint: "Take one out that you do not use any more: moot devices retire")
        }
        guard contacts[me].tombstones[device.id] == nil else {
            throw NodeError(
                .invalidOperation, "This device was taken out, and never becomes one of yours again",
                hint: "Run 'moot link' on the host once more: it makes another key.")
        }
        guard !devices.contains(where: { $0.device.id == device.id }), wrap.device == device.id else {
            throw NodeError(
                .invalidOperation, "This device is one of yours already", hint: "'moot devices' lists them.")
        }
        let name = name ?? "device \(devices.count + 1)"
        try requireFitting(name)
        devices.append(IdentityRecord.Entry(device: device, name: name))
        try publish(devices, signedBy: root, with: [wrap])
        return Introduction(card: card, wraps: ownCredentials.wraps)
    }

    private func requireFitting(_ name: String) throws(NodeError) {
        guard !name.isEmpty, name.utf8.count <= IdentityRecord.maximumDeviceNameBytes else {
            throw NodeError(
                .invalidRequest, "The name of a device has 1 to \(IdentityRecord.maximumDeviceNameBytes) bytes",
                hint: "Choose another one. Where a host was to become a device, run 'moot link' there once more.")
        }
    }

    /// Gives a device of this user another name, which everybody reads who meets the user.
    ///
    /// - Throws: `invalid_operation` without the root, or for a device that is none of the user's; `invalid_request`
    ///   for an empty or too long name, `device_taken_out`, `identity_deleted`, `home_copied`, `not_certified`,
    ///   `disk_full`, `storage_failed`.
    public mutating func rename(_ device: DeviceID, to name: String, at moment: Moment) throws(NodeError) {
        self.moment = moment
        try requireWritable()
        let root = try requireRoot()
        try requireFitting(name)
        var devices = certifiedDevices
        guard let place = devices.firstIndex(where: { $0.device.id == device }) else {
            throw NodeError(.invalidOperation, "This is none of your devices", hint: "'moot devices' lists them.")
        }
        devices[place] = IdentityRecord.Entry(device: devices[place].device, name: name)
        try publish(devices, signedBy: root)
    }

    /// Takes out a host that never became a device of this user: linking it failed. Else an older record would bring it
    /// back.
    ///
    /// - Throws: `invalid_operation` without the root, `device_taken_out`, `identity_deleted`, `home_copied`,
    ///   `not_certified`, `disk_full`, `storage_failed`.
    public mutating func withdraw(_ device: DeviceID, at moment: Moment) throws(NodeError) {
        self.moment = moment
        try requireWritable()
        guard device != self.device.id, certifiedDevices.contains(where: { $0.device.id == device }) else { return }
        try takeOut(device, as: .retired)
    }

    /// Signs a record and a card, keeps them, and tells everybody.
    ///
    /// - Parameters:
    ///   - base: the card that the new one follows; nil for that of this node.
    ///   - name: what to call the user where the name on that card breaks the rule for names.
    /// - Throws: `invalid_operation` where the serial numbers are used up, or the name on the card breaks the rule;
    ///   `disk_full`, `storage_failed`.
    mutating func publish(
        _ devices: [IdentityRecord.Entry], signedBy root: SigningKey, on base: ProfileCard? = nil,
        otherwiseCalled name: String? = nil, with wraps: [WrapRecord] = []
    ) throws(NodeError) {
        let base = base ?? card
        let next = context.countingIdentity.serial + 1
        guard next <= IdentityRecord.maximumSerial else {
            throw NodeError(
                .invalidOperation, "No further list of your devices can be signed: the last one is of the year 2100",
                hint: "Begin anew, as somebody else: moot up --home DIR")
        }
        let identity = IdentityRecord(
            root: root, serial: max(UInt64(clamping: moment.wall.milliseconds), next), devices: devices)
        guard
            let changed = [base.name, name].lazy.compactMap({ $0 }).compactMap({ name in
                ProfileCard(root: root, version: base.version + 1, name: name, photo: base.photo, identity: identity)
            }).first
        else {
            throw NodeError(
                .invalidOperation, "Your card cannot be signed anew: its name breaks the rule for names",
                hint: "Take another name first, with: moot profile set --name NAME")
        }
        let credentials = Credentials(identity: identity, wraps: ownCredentials.wraps + wraps)
        do throws(StoreError) {
            try storage.save(credentials)
            try storage.save(changed, seenAt: moment.wall)
        } catch {
            lastStorageError = error
            throw NodeError(error)
        }
        lastStorageError = nil
        _ = contacts.learn(credentials)
        card = changed
        learn(changed)
        publishIntroduction()
        keyManager.publishEverywhere(in: context)
        publishKeys()
        show(.person(me))
    }

    /// Takes over a newer card of this user that another device signed, or that others have shown.
    ///
    /// Where it lacks the counting record, the holder of the root signs it anew: else the user would show devices that
    /// count no more.
    mutating func adoptOwnCard() {
        guard let newest = contacts[me].card else { return }
        guard !isNewDevice || newest.isDeletion || !holdsRoot else { return meetOthers() }
        guard newest.supersedes(card) else { return }
        if newest.isDeletion { context.isNewDevice = false }
        card = newest
        publishIntroduction()
        keyManager.publishEverywhere(in: context)
        guard let root = keys.root, !newest.isDeletion, context.countingIdentity.supersedes(newest.identity) else {
            return
        }
        do throws(NodeError) {
            try publish(certifiedDevices, signedBy: root)
        } catch {
            note(.deviceNotCertified(error))
        }
    }
}

// MARK: - Beginning

extension NodeCore {
    /// Stores what a host needs that has become a device of a user, before its node starts for the first time.
    ///
    /// - Parameters:
    ///   - introduction: the user's card, which certifies the device, and the keys of their devices.
    ///   - wrapKey: the secret behind the device's own key among them.
    /// - Throws: `StoreError`.
    /// - Precondition: the storage is empty.
    public static func begin(
        as introduction: Introduction, keys: Keys, wrapKey: AgreementKey, in storage: any ReplicaStorage,
        at time: Timestamp,
        using random: inout some RandomNumberGenerator
    ) throws(StoreError) {
        try KeyManager.begin(with: wrapKey, in: storage, keys: keys, at: time, using: &random)
        try storage.save(introduction.credentials)
        try storage.save(introduction.card, seenAt: time)
    }
}
