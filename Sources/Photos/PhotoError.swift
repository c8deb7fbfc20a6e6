/// Why there is no photo.
public enum PhotoError: UInt8, Error, Hashable, Sendable, CaseIterable {
    /// The file is too long, or has too many pixels.
    case tooLarge = 1
    /// It is no picture, or of a kind that is not read.
    case format
    /// No picture is like that.
    case broken
    /// The file ends before the picture does.
    case truncated
    /// It took too long.
    case timeout
    /// The program that reads pictures is missing, or cannot be confined on this system.
    case unavailable

    /// The stable code.
    public var code: String {
        switch self {
        case .tooLarge: "photo_too_large"
        case .format: "photo_format"
        case .broken: "photo_broken"
        case .truncated: "photo_truncated"
        case .timeout: "photo_timeout"
        case .unavailable: "photo_unavailable"
        }
    }

    /// What happened, in a sentence without its full stop.
    public var sentence: String {
        switch self {
        case .tooLarge: "The picture is larger than 100 MiB or 120 million pixels, or needs too much memory"
        case .format: "The file is no JPEG or PNG picture that can be read"
        case .broken: "The picture is damaged"
        case .truncated: "The picture is cut off: its file ends too early"
        case .timeout: "The picture took too long to read"
        case .unavailable: "This host cannot read pictures safely"
        }
    }

    /// What to do next.
    public var hint: String {
        switch self {
        case .tooLarge: "Make it smaller with a picture editor, then try again."
        case .format: "Save it as JPEG or PNG in red, green and blue, then try again."
        case .broken: "Open it with a picture editor and save it again."
        case .truncated: "Copy it once more from where it came."
        case .timeout: "Try again when the host is less busy, or save it again with a picture editor."
        case .unavailable: "See that the program moot-photo is next to moot, and that the kernel has seccomp."
        }
    }
}
