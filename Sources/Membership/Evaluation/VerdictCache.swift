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

    /// What the revocations of a device in the scope pin, and what is in the past of that; nil if there is no such revocation.
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
