/// Waits no longer than a doctor has time.
enum Deadline {
    /// An answer, or nil if it takes too long: then the question goes on, and nobody hears what comes of it.
    static func answer<Value: Sendable>(
        within limit: Duration, _ ask: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let (answers, continuation) = AsyncStream<Value?>.makeStream()
        Task { continuation.yield(await ask()) }
        Task {
            try? await Task.sleep(for: limit)
            continuation.yield(nil)
        }
        for await answer in answers { return answer }
        return nil
    }
}
