import Dispatch
import Time

/// A timer for the earliest of the moments that it is asked for.
///
/// Setting a timer wakes a thread of Dispatch, so that is done only where the moment is earlier than the one that is
/// set.
struct WakeTimer {
    private var source: (any DispatchSourceTimer)?
    /// For when it is set; nil if it is not.
    private var planned: Instant?

    /// Begins without a moment.
    init() {}

    /// Calls `action` on a queue at a moment, or earlier if an earlier one was asked for.
    ///
    /// - Parameters:
    ///   - action: calls ``fired()`` first. The first one that is given is kept.
    ///   - leeway: how much later it may be.
    mutating func wake(
        at moment: Instant, now: Instant, leeway: DispatchTimeInterval, on queue: DispatchQueue,
        _ action: @escaping @Sendable () -> Void
    ) {
        guard planned.map({ moment < $0 }) ?? true else { return }
        planned = moment
        let timer = source ?? DispatchSource.makeTimerSource(queue: queue)
        if source == nil {
            timer.setEventHandler(handler: action)
            timer.activate()
            source = timer
        }
        let delay = max(.zero, moment - now)
        timer.schedule(deadline: .now() + .nanoseconds(Int(delay / .nanoseconds(1))), leeway: leeway)
    }

    /// Notes that the moment has come.
    mutating func fired() { planned = nil }

    /// Ends it.
    func cancel() { source?.cancel() }
}
