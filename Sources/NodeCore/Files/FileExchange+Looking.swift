import Blobs
import Conversations
import Storage

/// What can be seen of files.
extension FileExchange {
    /// Keys that are tried on one blob.
    private static let maximumKeys = 64

    /// How a file is doing here.
    func state(of address: BlobAddress) -> FileState {
        let count = address.chunkCount
        guard !whole.contains(address) else { return FileState(phase: .here, chunks: count, of: count) }
        let phase: FileState.Phase =
            switch transfers.state(of: address) {
            case .fetching: .fetching
            case .halted(.canceled): .canceled
            case .halted(.disk): .failed(errors[address] ?? .diskFull)
            case .waiting: .waiting
            case nil: index.names(address) && offered[address] == nil ? .waiting : .offered
            }
        return FileState(phase: phase, chunks: held(of: address).count, of: count)
    }

    /// The file that a blob is, or is the thumbnail of; nil if nothing names it that can be read here.
    func file(of address: BlobAddress) -> NamedFile? {
        let mentions = index.mentions(of: address)
        guard let mention = mentions.first(where: { $0.message != nil }) ?? mentions.first else { return nil }
        // What names a photo names the picture first, then its thumbnail.
        let parts = index.mentions(by: mention.namer)
        return NamedFile(
            conversation: mention.conversation, operation: mention.operation, message: mention.message,
            name: mention.name,
            reference: (parts.first ?? mention).reference, thumbnail: parts.dropFirst().first?.reference)
    }

    /// What opens a blob, and what it is called.
    func opening(_ address: BlobAddress) -> (reference: BlobReference, name: String?)? {
        if let upload = uploads[address] { return (upload.reference, nil) }
        let mentions = index.mentions(of: address)
        guard let first = mentions.first else { return nil }
        if mentions.allSatisfy({ $0.reference.key == first.reference.key }) { return (first.reference, first.name) }
        guard let chunk = try? storage.chunk(0, of: address) else { return (first.reference, first.name) }
        var tried: Set<BlobKey> = []
        for mention in mentions
        where tried.count < Self.maximumKeys && tried.insert(mention.reference.key).inserted {
            if (try? mention.reference.key.open(chunk)) != nil { return (mention.reference, mention.name) }
        }
        return (first.reference, first.name)
    }
}
