import Blobs

/// An uploaded file and waits for what names it.
struct Upload {
    /// What it is called.
    let name: String
    /// A photo once more, very small; nil for other files.
    var thumbnail: BlobReference?
}
