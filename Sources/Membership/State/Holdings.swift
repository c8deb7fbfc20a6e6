/// What people have and what was taken from them, by what counts now: kept up to date, because it is asked for with each operation.
struct Holdings: Sendable {
    /// The grants of each person of which something is left.
    private(set) var live: [[Int]] = []
    /// The revocations of each person that count, the earliest first.
    private(set) var revocations: [[Revocation]] = []

    /// Makes room for people.
    mutating func grow(people: Int) {
        while live.count < people {
            live.append([])
            revocations.append([])
        }
    }

    mutating func add(_ grant: Int, of person: Int) { live[person].append(grant) }

    mutating func drop(_ grant: Int, of person: Int) {
        if let place = live[person].lastIndex(of: grant) { live[person].remove(at: place) }
    }

    /// Notes a revocation whose verdict changed.
    mutating func note(_ revocation: Revocation, counts: Bool, in history: History) {
        // Mostly it is the latest.
        if counts,
            revocations[revocation.target].last.map({ history.isEarlier($0.operation, than: revocation.operation) })
                ?? true
        {
            revocations[revocation.target].append(revocation)
            return
        }
        let place = revocations[revocation.target].firstPlace {
            !history.isEarlier($0.operation, than: revocation.operation)
        }
        if counts {
            revocations[revocation.target].insert(revocation, at: place)
        } else if place < revocations[revocation.target].count {
            precondition(
                revocations[revocation.target][place].operation == revocation.operation,
                "what stops counting had counted")
            revocations[revocation.target].remove(at: place)
        }
    }
}
