import OperationLog

/// Who may ever have been more than a member, whatever counts in the end.
struct Offices: Sendable {
    private var founder: UserID?
    private var holders: Set<UserID> = []
    /// Whether the founder may be none in some past. As long as nobody touched that, nobody acts as admin in any.
    private var isFounderInDoubt = false

    /// Takes in the next operation of a lane. O(1), of a `ratify` O(*n*) in those it names.
    mutating func note(_ entry: Group.Entry) {
        let author = entry.operation.author.user
        switch entry.body {
        case .create:
            founder = founder ?? author
            holders.insert(author)
        case .promote(_, let target, _): holders.insert(target)
        case .ratify(_, let keep, _):
            holders.formUnion(keep.map(\.user))
            isFounderInDoubt = true
        case .leave, .stepdown: if author == founder { isFounderInDoubt = true }
        case .remove(_, let target, _), .demote(_, let target, _): if target == founder { isFounderInDoubt = true }
        case .revoke(let revocation): if revocation.user == founder { isFounderInDoubt = true }
        case .add, .invite, .join, .decline, .cancel, .set, .device, .merge, nil: break
        }
    }

    /// Whether a person may have held an office.
    func mayHaveHeldOne(_ user: UserID) -> Bool { isFounderInDoubt || holders.contains(user) }
}
