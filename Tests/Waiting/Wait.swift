/// What a test does at the moment.
public enum Wait {
    /// Whether it waits for something: what it asks now, it asks again and again.
    @TaskLocal public static var isPolling = false
}
