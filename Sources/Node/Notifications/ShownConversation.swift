/// A conversation that an interface shows to the user, until the last reference to this goes.
///
/// Whoever lost the interface cannot forget to say so: it ends with what keeps it, such as a connection.
public final class ShownConversation: Sendable {
    private let end: @Sendable () -> Void

    init(endingWith end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit {
        end()
    }
}
