/// What was found so far about the operations of one causally closed set.
struct VerdictCache: Sendable {
    /// The operations judged; with an operation its past.
    private(set) var scope: OperationSet
    /// How many they are.
    private(set) var count: Int
    /// Whether each operation counts, by number; nil where it was not asked for.
    var verdicts = Table<OperationNumber, Bool?>()
    /// What is left of the grants.
    var remainingRoles = RemainingRoles()
    /// Who acts as admin; nil where it was not asked for.
    var acting: PersonNumber??
    /// For each invite that was asked about its joins by code in the scope, the weightiest first.
    private var codeJoins: [OperationNumber: [OperationNumber]] = [:]

    /// For each person who was asked about the revocations in the scope of what they have that were not found to be
    /// void, the earliest first.
    private var openRevocations: [PersonNumber: [Revocation]] = [:]
    /// For each device that was asked about what the revocations of it in the scope pin; nil for none.
    private var pinned: [DeviceNumber: OperationSet?] = [:]

    /// Begins with nothing found.
    init(within scope: OperationSet) {
        self.scope = scope
        count = scope.count
    }

    /// Makes room for operations that were put into the history.
    mutating func grow(to end: OperationNumber) { verdicts.grow(to: end, with: nil) }

    /// Takes an operation into the scope, of which its past is part.
    mutating func take(_ operation: OperationNumber, in history: History) {
        scope.insert(operation)
        count += 1
        if let more = history.devices.pinned[operation], let device = history.deviceRevoked(by: operation),
            let known = pinned[device]
        {
            var union = known ?? OperationSet()
            union.formUnion(more)
            pinned[device] = .some(union)
        }
        guard let invite = history.invite(joinedByCodeIn: operation), let joins = codeJoins[invite] else { return }
        codeJoins[invite]?.insert(operation, at: history.index(ofJoin: operation, among: joins))
    }

    /// What was taken from a person in the scope, the earliest first, but for most of what was found to be void.
    ///
    /// Thousands that are void must not make judging each of thousands of acts slow.
    ///
    /// - Complexity: O(1); after one of them was in doubt O(*r*) in what was taken from the person in the whole graph.
    mutating func openRevocations(of person: PersonNumber, in history: History) -> [Revocation] {
        if let known = openRevocations[person] { return known }
        let open = history.revocationsOf[person].filter {
            scope.contains($0.operation) && verdicts[$0.operation] != false
        }
        openRevocations[person] = open
        return open
    }

    /// The same, if it is known.
    func knownOpenRevocations(of person: PersonNumber) -> [Revocation]? { openRevocations[person] }

    /// Leaves out what was found to be void since the revocations of what a person has were asked about. O(*r*) in
    /// those that are open.
    mutating func leaveOutVoidRevocations(of person: PersonNumber, in history: History) {
        let open = openRevocations(of: person, in: history)
        openRevocations[person] = open.filter { verdicts[$0.operation] != false }
    }

    /// The same, once enough of them were passed over that it pays.
    mutating func leaveOutVoidRevocations(of person: PersonNumber, passedOver count: Int, in history: History) {
        if count > Self.maximumPassedOver { leaveOutVoidRevocations(of: person, in: history) }
    }

    private static var maximumPassedOver: Int { 8 }

    /// Forgets which revocations of what a person has are open: one more may count.
    mutating func reopenRevocations(of person: PersonNumber) { openRevocations[person] = nil }

    /// What the revocations of a device in the scope pin, and what is in the past of that; nil if there is no such
    /// revocation.
    ///
    /// - Complexity: O(1); the first time O(*r*) in the revocations of the device in the whole graph.
    mutating func pinned(on device: DeviceNumber, in history: History) -> OperationSet? {
        if let known = pinned[device] { return known }
        var union: OperationSet?
        for revocation in history.devices.revocations[device] ?? [] where scope.contains(revocation) {
            guard let more = history.devices.pinned[revocation] else { continue }
            union = union ?? OperationSet()
            union?.formUnion(more)
        }
        pinned[device] = .some(union)
        return union
    }

    /// The joins of the scope by the code of an invite that are not void by their own past, the weightiest first.
    ///
    /// The whole graph may hold very many more: whoever is outside the scope must not make judging what is in it slow.
    ///
    /// - Complexity: O(1); the first time O(*j*) in such joins of the whole graph.
    mutating func joins(byCodeOf invite: OperationNumber, in history: History) -> [OperationNumber] {
        if let known = codeJoins[invite] { return known }
        let joins = (history.codeJoins[invite] ?? []).filter(scope.contains)
        codeJoins[invite] = joins
        return joins
    }
}
