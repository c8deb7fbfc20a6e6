/// What a file says of its picture before any pixel is read: enough to refuse it, without memory for a single one.
///
/// It is read here, in a language that checks every access, because everything that follows rests on it: the readers in
/// C must find the same size, or the picture is broken.
public struct PictureHeader: Hashable, Sendable {
    /// How a picture is written.
    public enum Format: Hashable, Sendable {
        /// JPEG (ITU-T T.81).
        case jpeg
        /// PNG (ISO/IEC 15948).
        case png

        /// What a file is by its first bytes; nil if it is neither.
        public init?(ofFileBeginning bytes: some Sequence<UInt8>) {
            if bytes.starts(with: JPEGSegments.magic) {
                self = .jpeg
            } else if bytes.starts(with: PNGChunks.magic) {
                self = .png
            } else {
                return nil
            }
        }

        /// Whether a media type names one of them.
        public static func isNamed(by mediaType: String) -> Bool { ["image/jpeg", "image/png"].contains(mediaType) }
    }

    /// How it is written, which its first bytes say; nobody asks for the file's name.
    public let format: Format
    /// The size of the picture in the file.
    public let size: PictureSize
    /// How it is to be turned before it is shown.
    public let orientation: Orientation

    /// Reads the header of a file.
    ///
    /// - Throws: ``PhotoError/format``, ``PhotoError/truncated`` or ``PhotoError/broken``.
    public init(of file: [UInt8]) throws(PhotoError) {
        let bytes = PictureBytes(file[...])
        switch Format(ofFileBeginning: file) {
        case .jpeg: self = try Self(jpeg: bytes)
        case .png: self = try Self(png: bytes)
        case nil: throw .format
        }
    }

    private init(jpeg bytes: PictureBytes) throws(PhotoError) {
        var segments = JPEGSegments(bytes)
        var size: PictureSize?
        var orientation: Orientation?
        while let segment = segments.next() {
            if segment.isFrame {
                guard size == nil, let found = segment.frameSize else { throw .broken }
                size = found
            } else if orientation == nil, segment.marker == 0xE1, segment.content.starts(with: Self.exifName),
                let exif = segment.content.part(
                    from: Self.exifName.count, count: segment.content.count - Self.exifName.count)
            {
                orientation = Exif.orientation(in: exif)
            }
        }
        guard let size else { throw segments.isTruncated ? .truncated : .broken }
        self.init(format: .jpeg, size: size, orientation: orientation ?? .upright)
    }

    private init(png bytes: PictureBytes) throws(PhotoError) {
        var chunks = PNGChunks(bytes)
        guard let header = chunks.next() else { throw .truncated }
        guard header.type == PNGChunks.header, let width = header.content.number(UInt32.self, at: 0),
            let height = header.content.number(UInt32.self, at: 4), width > 0, height > 0
        else { throw .broken }
        guard let size = PictureSize(width: Int(width), height: Int(height)) else { throw .tooLarge }
        let exif = chunks.first { $0.type == PNGChunks.exif }
        self.init(
            format: .png, size: size, orientation: exif.map { Exif.orientation(in: $0.content) } ?? .upright)
    }

    private init(format: Format, size: PictureSize, orientation: Orientation) {
        self.format = format
        self.size = size
        self.orientation = orientation
    }

    /// How Exif metadata begins in a JPEG.
    private static let exifName: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]
}
