import BlobStore
import Blobs
import Conversations
import NodeCore
import PhotoWorkers
import Photos
import Storage
import Synchronization

extension Node {
    /// What becomes of a group's photo when somebody names a file, or nothing.
    ///
    /// It is the photo that was made when the file was uploaded; of any other file that is here a photo is made now.
    ///
    /// - Parameter file: the file's id; empty to take the photo away, nil to leave it.
    /// - Throws: `file_not_found`, `ambiguous_name`, `photo_too_large`, `photo_format`, `photo_broken`,
    ///   `photo_truncated`, `photo_timeout`, `photo_unavailable`, `disk_full`, `quota_reached`, `storage_failed`.
    package func photoChange(file: String?) async throws(NodeError) -> NodeCore.PhotoChange? {
        guard let file else { return nil }
        guard !file.isEmpty else { return .remove }
        let reference = try openableFile(file).reference
        if let thumbnail = uploads[reference.address]?.thumbnail,
            let photo = PhotoReference(picture: reference, thumbnail: thumbnail)
        {
            return .set(photo)
        }
        let photo = try await photo(of: reference)
        note(photo)
        return .set(photo)
    }

    /// Notes that both pictures of a photo were uploaded.
    func note(_ photo: PhotoReference) {
        change { core, moment in
            core.handle(.uploaded(photo.picture), at: moment)
            core.handle(.uploaded(photo.thumbnail), at: moment)
        }
    }

    /// The photo that takes the place of a file which is to be sent: of one that begins as a JPEG or PNG picture does;
    /// nil for others.
    ///
    /// - Throws: why no photo is made of it; `photo_format` also for what only claims to be such a picture.
    nonisolated func photo(insteadOf file: BlobReference) async throws(NodeError) -> PhotoReference? {
        do throws(NodeError) {
            guard PictureHeader.Format(ofFileBeginning: try piece(0, of: file)) != nil else {
                guard !PictureHeader.Format.isNamed(by: file.mediaType.description) else {
                    throw NodeError(PhotoError.format)
                }
                return nil
            }
            return try await photo(of: file)
        } catch {
            guard PhotoError.allCases.contains(where: { $0.code == error.code.rawValue }) else { throw error }
            let way = "To send the file as it is, with all that is in it, put it into an archive."
            throw NodeError(
                error.code, error.message, hint: [error.hint, way].compactMap(\.self).joined(separator: "\n"))
        }
    }

    /// Makes a photo of a file that is here in a process of its own, and puts both pictures in, off the node's queue.
    private nonisolated func photo(of file: BlobReference) async throws(NodeError) -> PhotoReference {
        let made = try await makePhoto(of: file)
        let picture = try await keep(made.picture)
        do throws(NodeError) {
            let thumbnail = try await keep(made.thumbnail)
            guard let photo = PhotoReference(picture: picture, thumbnail: thumbnail) else {
                preconditionFailure("pictures that were kept are photos")
            }
            return photo
        } catch {
            // Nobody knows it yet. If that fails, too, the next start erases it.
            try? blobs.remove(picture.address.root)
            throw error
        }
    }

    /// Reads a file and makes a photo of it, off the node's queue.
    private nonisolated func makePhoto(of file: BlobReference) async throws(NodeError) -> Photo {
        let made: Photo?
        let failure = Mutex<NodeError?>(nil)
        do throws(PhotoError) {
            made = try await photos.photo { [self] in
                var bytes: [UInt8] = []
                bytes.reserveCapacity(file.address.length)
                for index in 0..<file.address.chunkCount {
                    do throws(NodeError) {
                        bytes += try piece(index, of: file)
                    } catch {
                        failure.withLock { $0 = error }
                        return nil
                    }
                }
                return bytes
            }
        } catch {
            throw NodeError(error)
        }
        guard let made else {
            // Of a disk that fails it must not be said that something is gone.
            if let error = failure.withLock({ $0 }), error.code != .notHere { throw error }
            throw NodeError(.notHere, "The picture cannot be read any more", hint: "Put it in again.")
        }
        return made
    }

    /// Puts a picture of a photo in, off the node's queue.
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
