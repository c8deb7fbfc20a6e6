import Blobs
import Conversations
import Foundation
import LocalAPIModel
import NodeCore
import OperationLog
import SQLiteStore
import Storage

extension Node {
    /// Days that statistics can be about.
    public static let maximumStatisticsDays = 366

    /// How much was written in a conversation over the last days, when and by whom, and how its members grew.
    ///
    /// Counted is what this node holds in full: messages that were deleted, have expired, or never came do not count,
    /// nor do system messages and those of people whom the user blocked. Those from the future count when their day has
    /// come.
    ///
    /// - Parameters:
    ///   - days: how many days, the last one today; 1 to ``maximumStatisticsDays``.
    ///   - timeZone: an IANA name, such as "Asia/Kolkata"; nil for the time zone of this host.
    /// - Throws: `conversation_not_found`, `ambiguous_name`, `invalid_request`, `insufficient_permissions` where the
    ///   group shows its statistics to admins and the user is none, `storage_failed`.
    /// - Complexity: O(*q* + *f* + *d* + *s*) for *q* pairs of a quarter of an hour and an author, *f* files, *d*
    ///   deletions and *s* system messages, whatever the number of messages.
    public func statistics(
        of conversation: String, days: Int = 30, timeZone: String? = nil
    ) throws(NodeError) -> StatisticsDescription {
        let replica = try replica(named: conversation)
        guard (1...Self.maximumStatisticsDays).contains(days) else {
            throw NodeError(.invalidRequest, "Ask for the statistics of 1 to \(Self.maximumStatisticsDays) days")
        }
        guard replica.group.showsStatistics(to: me) else {
            throw NodeError(
                .insufficientPermissions, "You don't have permission to perform this action",
                hint: "In this group only admins see the statistics.")
        }
        let calendar = ZoneCalendar(try Self.timeZone(named: timeZone))
        var statistics = DayStatistics(of: days, endingAt: Clock.now, in: calendar)
        let quarterHours = statistics.quarterHours(in: calendar)
        do throws(StoreError) {
            var counts = try store.messageCounts(
                in: replica.id, quarterHours: quarterHours, without: core.blocked.union(replica.group.neverLetIn))
            for message in try deletedMessages(in: replica, quarterHours) { counts.remove(message) }
            statistics.add(counts.quarterHours, in: calendar)
            let files = try shownFiles(in: replica) { quarterHours.contains($0.hybridTime / MessageCounts.quarterHour) }
                .map(\.file)
            return StatisticsDescription(
                conversation: replica.id.description, title: title(of: replica),
                timeZone: timeZone ?? calendar.zone.identifier,
                days: describe(statistics, of: replica, in: calendar), hours: statistics.hours, week: statistics.week,
                authors: describe(authors: counts.authors), messages: statistics.messages.reduce(0, +),
                files: StatisticsDescription.Files(
                    count: files.count, bytes: files.reduce(0) { $0 + $1.reference.address.length }))
        } catch {
            throw NodeError(error)
        }
    }

    /// The messages that are counted and shown as deleted. What a moderator deletes is here for another day.
    private func deletedMessages(
        in replica: Replica, _ quarterHours: Range<Int64>
    ) throws(StoreError) -> [StoredMessage] {
        var messages: [StoredMessage] = []
        for id in try store.deletions(of: .message, in: replica.id).keys {
            guard let message = try store.message(id), message.operation.body != nil,
                quarterHours.contains(message.hybridTime / MessageCounts.quarterHour),
                !core.isBlocked(message.operation.author.user), replica.group.hasLetIn(message.operation.author.user)
            else { continue }
            messages.append(message)
        }
        let opened = try core.open(messages.map(\.operation), in: replica.id)
        return messages.filter { opened[$0.operation.id]?.state.isDeleted == true }
    }

    private func describe(
        _ statistics: DayStatistics, of replica: Replica, in calendar: ZoneCalendar
    ) -> [StatisticsDescription.Day] {
        let group = replica.group
        let members =
            replica.isDirect
            ? statistics.days.map { _ in group.members.count } : statistics.members(group.growth, in: calendar)
        return zip(statistics.days, zip(statistics.messages, members)).map { day, counts in
            StatisticsDescription.Day(day: Clock.name(ofDay: day), messages: counts.0, members: counts.1)
        }
    }

    private func describe(authors: [UserID: Int]) -> [StatisticsDescription.Author] {
        let most = authors.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return most.prefix(APILimits.maximumAuthors).map { author, messages in
            StatisticsDescription.Author(user: author.description, name: contacts[author].name, messages: messages)
        }
    }

    /// - Throws: `invalid_request` for a name that no time zone has.
    private static func timeZone(named name: String?) throws(NodeError) -> TimeZone {
        guard let name else { return .current }
        guard let zone = TimeZone(identifier: name) else {
            throw NodeError(
                .invalidRequest, "There is no time zone \"\(name.prefix(64))\"",
                hint: "Give a name such as Europe/Berlin or Asia/Kolkata.")
        }
        return zone
    }
}
