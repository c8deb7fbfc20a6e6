import OperationLog
import Replication
import Time

/// How soon a node takes operations of a conversation again after some cost a lot.
///
/// A decision can change what very many others mean, and its author can make such decisions again and again. What they
/// cost beyond the ordinary is therefore paid from a budget, which fills up again in ten times the time. So nine tenths
/// of the processor are left to everything else, whatever it is that costs so much. A stranger may begin many
/// conversations, so those in which the user takes no part share one budget. An allowance of its own lets each speak
/// while others have used that up.
package struct AdmissionPace: Sendable {
    /// What a batch and each operation in it may cost without being counted. One more in a lane of 10,000 costs 3 ms,
    /// most of them for the batch.
    private static let ordinaryCost: (batch: Duration, operation: Duration) = (.milliseconds(10), .microseconds(500))
    /// What is counted of one cost at most: a group must not be held up for hours.
    private static let maximumCost: Duration = .seconds(6)
    /// In milliseconds of processor time.
    private static let budget = TokenBucket(burst: 2_000, interval: .milliseconds(10))
    private static let allowance = TokenBucket(burst: 100, interval: .seconds(1))
    /// How long only what was asked for is taken after a rest.
    private static let headStart: Duration = .seconds(5)

    private var budgets: [ConversationID: TokenBucket] = [:]
    private var allowances: [ConversationID: TokenBucket] = [:]
    private var shared = Self.budget

    /// Counts what it cost to take a batch of so many operations.
    ///
    /// - Parameter isJoined: whether the user takes part in the conversation.
    mutating func spend(
        _ cost: Duration, on count: Int, of conversation: ConversationID, isJoined: Bool, at now: Instant
    ) {
        let excess = Int(Self.excess(of: cost, on: count) / .milliseconds(1))
        guard excess > 0 else { return }
        if isJoined {
            budgets = budgets.filter { !$0.value.isFull(at: now) }
            budgets[conversation, default: Self.budget].spend(excess, at: now)
        } else {
            allowances = allowances.filter { !$0.value.isFull(at: now) }
            allowances[conversation, default: Self.allowance].spend(excess, at: now)
            shared.spend(excess, at: now)
        }
    }

    /// What it cost to take a batch of so many operations beyond the ordinary, as far as that is counted.
    package static func excess(of cost: Duration, on count: Int) -> Duration {
        max(.zero, min(cost - ordinaryCost.batch - ordinaryCost.operation * count, maximumCost))
    }

    /// Until when nothing that costs a lot is taken; nil if it is taken now.
    ///
    /// - Parameter isPushed: whether nobody asked for it. Then it waits ``headStart`` longer than an answer. Peers are
    ///   asked in turn, but a peer that pushes all the time would be the first after each rest.
    func restEnd(
        of conversation: ConversationID, isJoined: Bool, isPushed: Bool = false, at now: Instant
    ) -> Instant? {
        let own = isJoined ? budgets[conversation] : allowances[conversation]
        guard var end = own?.next else { return nil }
        if !isJoined { end = min(end, shared.next ?? now) }
        if isPushed { end = end + Self.headStart }
        return end > now ? end : nil
    }
}
