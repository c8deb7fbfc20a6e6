/// What a picture may cost, and what becomes of it at most.
public struct PhotoLimits: Hashable, Sendable {
    /// How long the file may be, in bytes.
    public var fileByteCount = 100 * 1_024 * 1_024
    /// How many pixels it may have. Phones take up to 108 million.
    public var area = 120_000_000
    /// The longest side of what becomes of it, in pixels.
    public var side = 2_048
    /// How long what becomes of it may be, in bytes.
    public var photoByteCount = 5_000_000
    /// The longest side of the thumbnail, in pixels.
    public var thumbnailSide = 256
    /// How long the thumbnail may be, in bytes.
    public var thumbnailByteCount = 64 * 1_024
    /// What pixels may occupy that cannot be read row by row: pictures in several scans, and interlaced ones.
    public var pixelMemory = 512 * 1_024 * 1_024
    /// What the process may occupy in all, in bytes.
    public var processMemory = 1_024 * 1_024 * 1_024
    /// How many seconds of a processor it may take.
    public var processorSeconds = 10
    /// How long an answer is waited for: longer, for the machine may be busy.
    public var timeout = Duration.seconds(30)

    /// What every photo is held to.
    public init() {}
}
