/// How much one request may ask for, where a client checks it before it asks.
public enum APILimits {
    /// The most files that one message carries.
    public static let maximumFilesPerMessage = 16
    /// Bytes of the longest file.
    public static let maximumFileBytes = 100 * 1024 * 1024
    /// Members that a page shows unless it is told otherwise.
    public static let defaultMemberPageSize = 50
    /// Bytes of text that can be searched for.
    public static let maximumSearchLength = 1_000
    /// Characters of text that the quote of a message has at most.
    public static let maximumQuoteLength = 100
    /// The most authors that statistics name.
    public static let maximumAuthors = 50
    /// The most operations of a made-up lane.
    package static let maximumScenarioOperations = 1_000
    /// Bytes of what a client calls its own request.
    package static let maximumClientIDBytes = 128
    /// For how many days messages can be kept, unless forever.
    public static let retentionDays = 1...3_650
}
