// A device that was stolen writes what its owner would not. Its person's root takes it out, and says by pins what it
// wrote before that.
//
// Alice's laptop is stolen and removes Carol. Alice revokes it and pins what they wrote themselves: that stays, and
// Carol is a member.
//
// A revocation counts by its pins alone. If its own past decided, a thief could write what the root signed on heads of
// their choice. For the same reason the pins must be in that past: else it could be put where what is pinned is not,
// and would seem void there.

extension Evaluation {
    /// A revocation of a device follows everything that it pins. Nothing else is asked: its author adds nothing to what
    /// the root said.
    func pinObjection(to operation: OperationNumber) -> VoidReason<OperationNumber>? {
        history.devices.pinned[operation] == nil ? VoidReason(.pinUnknown) : nil
    }

    /// Whether a device that was revoked wrote an operation that no pin covers. Of several revocations of the device
    /// the pins of all count.
    ///
    /// - Complexity: O(1), and O(*r*) in the revocations of the device once.
    mutating func isCut(_ operation: OperationNumber) -> Bool {
        guard let device = history.deviceVoiding(operation), let pinned = findings.pinned(on: device, in: history)
        else { return false }
        return !pinned.contains(operation)
    }
}

extension History {
    /// The device with which an operation falls; nil where no device was revoked that could make it void.
    ///
    /// Without the creation there is no group. A revocation of a device is the word of a root: if its own device could
    /// void it, two devices could revoke each other, and there would be two answers.
    func deviceVoiding(_ operation: OperationNumber) -> DeviceNumber? {
        guard !devices.isEmpty, let device = records[operation].device, devices.revocations[device] != nil,
            records[operation].action.rules.fallsWithDevice
        else { return nil }
        return device
    }

    /// The device that an operation revokes, unless it is void.
    func deviceRevoked(by operation: OperationNumber) -> DeviceNumber? {
        guard case .revoke(let device) = records[operation].action, devices.pinned[operation] != nil else { return nil }
        return device
    }

    /// Whether somebody else's revocation, if it counts, keeps an operation that falls with its device.
    ///
    /// It does if it had seen the operation, reaches the grant that this acts under, and had not seen that the device
    /// is revoked. Else a removed admin could revoke their own device, and undo what their remover had seen and let
    /// stand. Who is not reached could undo it anyway, on old heads. A join acts under nothing of its author's: what is
    /// reached is the grant that it makes.
    func keeps(_ revocation: Revocation, _ operation: OperationNumber) -> Bool {
        let record = records[operation]
        guard !revocation.isOwn, records[revocation.operation].past.contains(operation), let device = record.device,
            !records[revocation.operation].revokedDevices.contains(device.place),
            let grant = record.isJoin ? record.grants.first : record.requiredAuthority?.grant
        else { return false }
        return reaches(revocation, grant)
    }

    /// The operations of devices that were revoked which an operation keeps, if it counts.
    ///
    /// - Parameter isWanted: what the caller asks of them, which is looked at first.
    func forEachOperation(
        keptBy operation: OperationNumber, among isWanted: (OperationNumber) -> Bool, _ body: (OperationNumber) -> Void
    ) {
        guard !devices.isEmpty else { return }
        for revocation in revocations(of: operation) where !revocation.isOwn {
            for device in devices.devicesOf[revocation.target] ?? [] {
                for written in devices.writtenOn[device]
                where isWanted(written) && deviceVoiding(written) != nil && keeps(revocation, written) { body(written) }
            }
        }
    }
}
