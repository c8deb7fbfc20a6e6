/// An operation in the graph, with everything that its own past says about it: the same on every replica, permanently.
struct IndexedOperation: Sendable {
    /// The person who wrote it.
    let author: PersonNumber
    /// The device it was written on, if that matters.
    let device: DeviceNumber?
    let action: IndexedAction
    /// Whether it accepts an invite: asked all the time.
    let isJoin: Bool
    /// The operations it names as seen, ascending.
    let parents: [OperationNumber]
    /// Everything that came before it; not itself.
    let past: OperationSet
    /// The devices of which a revocation is in that past, by their places.
    let revokedDevices: PlaceSet
    /// 1 + the largest depth of its parents; 0 for the creation.
    let depth: Int
    /// Whether it claims that its author is the acting admin.
    let isActing: Bool
    /// The grant it acts under, if that grant is in its past or is its own acting grant.
    let authority: GrantNumber?
    /// The invite that a join, decline or cancel names, if it is one and in its past.
    let invite: OperationNumber?
    /// The grants it makes, ascending by slot.
    let grants: Range<GrantNumber>
    /// The authority that must still be live for it to count.
    let requiredAuthority: RequiredAuthority?
    /// What its own past says of it; found right after it was put into the graph.
    var pastVerdict = PastVerdict()

    /// Whether it writes who may add people.
    var isAddSetting: Bool {
        if case .set(AddSetting.field, _) = action { true } else { false }
    }

    /// Whether it says that every member adds people.
    var letsEveryMemberAdd: Bool { action == .set(field: AddSetting.field, value: AddSetting.everyone) }

    /// What its own past holds against it.
    var voidReason: VoidReason<OperationNumber>? { pastVerdict.voidReason }
}

/// What the state of an operation's own past says of it.
struct PastVerdict: Sendable {
    /// The rule it breaks there, if it breaks one.
    var voidReason: VoidReason<OperationNumber>?
    /// The `set` by which a member could add people there, if they needed it. What counts in the end is
    /// ``Evaluation/settingLets(_:)``.
    var setting: OperationNumber?
    /// What its author had of admin or founder there when they gave that up: the places of whole grants among their
    /// high ones.
    var givenUp = PlaceSet()
}
