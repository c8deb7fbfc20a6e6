/// What is left of grants, as far as it was found.
///
/// Of everything that is here, each is asked for with each operation. Of an author's view few are, and it is copied often.
enum Levels: Sendable {
    /// By number.
    case all([Level?])
    case some([Int: Level])

    subscript(grant: Int) -> Level? {
        get {
            switch self {
            case .all(let levels): grant < levels.count ? levels[grant] : nil
            case .some(let levels): levels[grant]
            }
        }
        set {
            switch self {
            case .all(var levels):
                self = .some([:])
                if levels.count <= grant {
                    levels.append(contentsOf: repeatElement(nil, count: grant + 1 - levels.count))
                }
                levels[grant] = newValue
                self = .all(levels)
            case .some(var levels):
                self = .some([:])
                levels[grant] = newValue
                self = .some(levels)
            }
        }
    }

    /// Forgets what is left of the grants of which something holds.
    mutating func forget(where isForgotten: (Int) -> Bool) {
        guard case .some(let levels) = self else { preconditionFailure("who holds everything forgets nothing") }
        if levels.keys.contains(where: isForgotten) { self = .some(levels.filter { !isForgotten($0.key) }) }
    }
}
