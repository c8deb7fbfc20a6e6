/// Something the user decided that does not count, because somebody else decided at the same time.
public struct OverrulingDescription: Hashable, Sendable, Codable {
    /// The operation of the user.
    public var operation: String
    /// "name", "description", "photo" or a setting; absent for what is void.
    public var field: String?
    /// The value the user gave, to be given again if they want; absent for a photo.
    public var yours: String?
    /// The value that counts; absent for a photo.
    public var theirs: String?
    /// The id of the person who gave it.
    public var by: String?

    package init(
        operation: String, field: String? = nil, yours: String? = nil, theirs: String? = nil, by: String? = nil
    ) {
        self.operation = operation
        self.field = field
        self.yours = yours
        self.theirs = theirs
        self.by = by
    }
}
