import Dispatch

extension Duration {
    /// The same span for Dispatch, to the nanosecond; at most about 292 years.
    var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return .never }
        return .nanoseconds(Int(nanoseconds) + Int(attoseconds / 1_000_000_000))
    }
}
