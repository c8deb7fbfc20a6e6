import Membership
import OperationLog

extension Group {
    /// What a person decided in a group and holds for decided, to be compared with what becomes of it.
    public struct Decisions: Sendable {
        /// Their operations that are effective.
        fileprivate var effective: Set<OperationID> = []
        /// The registers that have the value they gave them, with the operation that did it.
        fileprivate var registers: [RegisterName: OperationID] = [:]
    }

    /// Something a person decided that does not count any more, because somebody else decided without knowing of it.
    public struct Overruling: Sendable {
        /// What became of the decision.
        public enum Outcome: Sendable {
            /// It is effective, but a register has the value of another operation, written at the same time.
            case outwritten(field: String, by: Entry)
            /// It is void; its entry says why.
            case void
        }

        /// What they decided.
        public let decision: Entry
        /// What became of it.
        public let outcome: Outcome
    }

    /// What a person decided that counts now.
    ///
    /// - Complexity: O(*n*) in the lane.
    public func decisions(of user: UserID) -> Decisions {
        var decisions = Decisions()
        for entry in history where entry.operation.author.user == user && entry.voidReason == nil {
            switch entry.body {
            case .add, .invite, .join, .remove, .promote, .demote: decisions.effective.insert(entry.operation.id)
            case .set(_, let field, _):
                decisions.effective.insert(entry.operation.id)
                if resolver.writer(of: field) == entry.operation.id {
                    decisions.registers[RegisterName(field)] = entry.operation.id
                }
            case .create, .decline, .cancel, .ratify, .device, .merge, .leave, .stepdown, .revoke, nil: break
            }
        }
        return decisions
    }

    /// A change by somebody who knew of the decision does not overrule it.
    ///
    /// - Parameter lane: the lane this group was made of.
    /// - Complexity: O(*n*) in the lane, and once more for each register that changed.
    public func overruled(_ decisions: Decisions, in lane: MembershipGraph) -> [Overruling] {
        guard !decisions.effective.isEmpty else { return [] }
        var outwritten: [OperationID: (field: String, by: Entry)] = [:]
        for (register, own) in decisions.registers {
            let field = register.text
            guard let writer = resolver.writer(of: field), writer != own,
                let by = history.first(where: { $0.operation.id == writer }),
                !lane.operations(through: [writer]).contains(where: { $0.id == own })
            else { continue }
            outwritten[own] = (field, by)
        }
        return history.compactMap { entry in
            guard decisions.effective.contains(entry.operation.id) else { return nil }
            guard entry.voidReason == nil else { return Overruling(decision: entry, outcome: .void) }
            return outwritten[entry.operation.id].map {
                Overruling(decision: entry, outcome: .outwritten(field: $0.field, by: $0.by))
            }
        }
    }
}
