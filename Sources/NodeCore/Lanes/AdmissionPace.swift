import OperationLog
import Replication
import Time

/// How soon decisions of a conversation are taken again after some cost a lot.
///
/// A decision can change what very many others mean, and whoever makes such decisions can make them again and again. What they cost
/// beyond the ordinary is therefore paid from a budget, which fills up again in ten times the time. So nine tenths of the processor are left
/// to everything else, whatever it is that costs so much. All conversations in which the user takes no part share one budget: a stranger may begin many.
struct AdmissionPace: Sendable {
    /// What a decision may cost without being counted: many times what it costs in a large group.
    private static let ordinaryCost: Duration = .milliseconds(1)
    /// In milliseconds of processor time.
    private static let budget = TokenBucket(burst: 2_000, interval: .milliseconds(10))
    /// What is counted of one cost at most, in milliseconds: a group must not be held up for hours.
    private static let maximumCost = 6_000

    /// What is spent; under nil what is shared.
    private var budgets: [ConversationID?: TokenBucket] = [:]

    /// Counts what it cost to take so many decisions.
    ///
    /// - Parameter conversation: nil for one in which the user takes no part.
    mutating func spend(_ cost: Duration, on count: Int, of conversation: ConversationID?, at now: Instant) {
        let excess = min(Int((cost - Self.ordinaryCost * count) / .milliseconds(1)), Self.maximumCost)
        guard excess > 0 else { return }
        budgets = budgets.filter { !$0.value.isFull(at: now) }
        budgets[conversation, default: Self.budget].spend(excess, at: now)
    }

    /// Until when no decisions are taken; nil if they are taken now.
    func restEnd(of conversation: ConversationID?, at now: Instant) -> Instant? {
        guard let next = budgets[conversation]?.next, next > now else { return nil }
        return next
    }
}
