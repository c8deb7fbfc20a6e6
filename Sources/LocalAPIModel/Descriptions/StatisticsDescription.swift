/// How much is written in a conversation, when and by whom, over the last days.
///
/// What counts is a message that the user can read here, on the day and in the hour of the time zone asked for.
public struct StatisticsDescription: Hashable, Sendable, Codable {
    /// A day of the reader.
    public struct Day: Hashable, Sendable, Codable {
        /// The date, such as "2026-11-21".
        public var day: String
        /// Messages on that day.
        public var messages: Int
        /// Members at its end; of today now.
        public var members: Int

        package init(day: String, messages: Int, members: Int) {
            self.day = day
            self.messages = messages
            self.members = members
        }
    }

    /// Somebody who wrote.
    public struct Author: Hashable, Sendable, Codable {
        /// The id.
        public var user: String
        /// What they are called.
        public var name: String
        /// Messages of theirs.
        public var messages: Int

        package init(user: String, name: String, messages: Int) {
            self.user = user
            self.name = name
            self.messages = messages
        }
    }

    /// Files that messages carry.
    public struct Files: Hashable, Sendable, Codable {
        /// How many.
        public var count: Int
        /// Their bytes together.
        public var bytes: Int

        package init(count: Int, bytes: Int) {
            self.count = count
            self.bytes = bytes
        }
    }

    /// The most authors that an answer names.
    public static let maximumAuthors = 50

    /// The id of the conversation.
    public var conversation: String
    /// What the conversation is called.
    public var title: String
    /// The time zone by whose clocks days and hours are told.
    public var timeZone: String
    /// The days, the last one today.
    public var days: [Day]
    /// Messages in each hour of the day, all days together: 24 numbers, the first from midnight.
    public var hours: [Int]
    /// The same for each day of the week, Monday first: seven lists of 24 numbers.
    public var week: [[Int]]
    /// Those who wrote most first, at most ``maximumAuthors``.
    public var authors: [Author]
    /// Messages on all the days.
    public var messages: Int
    /// Files in messages of these days.
    public var files: Files

    package init(
        conversation: String, title: String, timeZone: String, days: [Day], hours: [Int], week: [[Int]],
        authors: [Author], messages: Int, files: Files
    ) {
        self.conversation = conversation
        self.title = title
        self.timeZone = timeZone
        self.days = days
        self.hours = hours
        self.week = week
        self.authors = authors
        self.messages = messages
        self.files = files
    }
}
