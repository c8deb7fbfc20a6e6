import Blobs
import Conversations
import NodeCore
import PhotoWorkers
import Photos

extension Node {
    /// What becomes of a group's photo when somebody names a file that was put in, or nothing.
    ///
    /// A photo is made of the file in a process of its own. The file itself is shown to nobody and forgotten in an hour.
    ///
    /// - Parameter file: the file's id; empty to take the photo away, nil to leave it.
    /// - Throws: `file_not_found`, `ambiguous_name`, `photo_too_large`, `photo_format`, `photo_broken`, `photo_truncated`,
    ///   `photo_timeout`, `photo_unavailable`, `disk_full`, `quota_reached`, `storage_failed`.
    package func photoChange(file: String?) async throws(NodeError) -> NodeCore.PhotoChange? {
        guard let file else { return nil }
        guard !file.isEmpty else { return .remove }
        let reference = try openableFile(file).reference
        let made = try await makePhoto(of: reference)
        let (picture, thumbnail) = (try await keep(made.picture), try await keep(made.thumbnail))
        guard let photo = PhotoReference(picture: picture, thumbnail: thumbnail) else {
            preconditionFailure("pictures that were kept are photos")
        }
        change { core, moment in
            core.uploaded(picture, at: moment)
            core.uploaded(thumbnail, at: moment)
        }
        return .set(photo)
    }

    /// Reads a file and makes a photo of it, beside the node.
    private nonisolated func makePhoto(of file: BlobReference) async throws(NodeError) -> Photo {
        var bytes: [UInt8] = []
        for index in 0..<file.address.chunkCount { bytes += try piece(index, of: file) }
        do throws(PhotoError) {
            return try await photos.photo(of: bytes)
        } catch {
            throw NodeError(error)
        }
    }

    /// Puts a picture of a photo in, beside the node.
    private nonisolated func keep(_ picture: EncodedPicture) async throws(NodeError) -> BlobReference {
        var upload = try receiveFile()
        do throws(StoreError) {
            if try upload.append(picture.bytes), let reference = try upload.finish(mediaType: .photo) {
                return reference
            }
        } catch {
            throw NodeError(error)
        }
        preconditionFailure("a photo is shorter than the longest file")
    }
}

extension NodeError {
    /// Why no photo was made.
    init(_ error: PhotoError) {
        let code: Code =
            switch error {
            case .tooLarge: .photoTooLarge
            case .format: .photoFormat
            case .broken: .photoBroken
            case .truncated: .photoTruncated
            case .timeout: .photoTimeout
            case .unavailable: .photoUnavailable
            }
        self.init(code, error.sentence, hint: error.hint)
    }
}
