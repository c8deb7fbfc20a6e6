import OperationLog

extension Group {
    /// Whether a person reads a message: it happened while they were in the group, or to them.
    ///
    /// What happened before, and while they were out, is in the history of the membership only.
    public func isTold(_ message: SystemMessage, to user: UserID) -> Bool {
        if message.targets.contains(user) { return true }
        if case .welcomed = message.action { return false }
        return message.actor == user || stays(of: user).contains(message.position)
    }

    /// What the conversation tells a person about itself, in order.
    ///
    /// - Complexity: O(*n*) in the messages.
    public func systemMessages(for user: UserID) -> [SystemMessage] { systemMessages.filter { isTold($0, to: user) } }

    /// What a person is told that they were not told before.
    ///
    /// An operation that comes late may take the place of another one in a message. Who was told of a departure is not
    /// told of it again because somebody else turns out to have decided it first.
    ///
    /// - Parameter before: the messages of this group at an earlier time.
    /// - Complexity: O(*n*) in the messages.
    public func news(since before: [SystemMessage], for user: UserID) -> [SystemMessage] {
        let same = zip(before, systemMessages).prefix { $0 == $1 }.count
        let known = Set(before[same...])
        let withdrawn = Withdrawn(known.subtracting(systemMessages[same...]))
        return systemMessages[same...].filter { message in
            !known.contains(message) && isTold(message, to: user) && !withdrawn.said(what: message, to: user)
        }
    }
}

/// What people were told that does not count any more, to be asked many times: one late operation may change ten
/// thousand messages.
private struct Withdrawn {
    private var ids: Set<OperationID> = []
    private var departed: Set<UserID> = []
    private var actingAdmins: Set<UserID> = []
    private var additions: [Set<UserID>] = []
    /// In which additions each newcomer was told of.
    private var additionsOf: [UserID: [Int]] = [:]

    init(_ messages: Set<SystemMessage>) {
        for message in messages {
            ids.insert(message.id)
            if let person = message.departed { departed.insert(person) }
            if case .actingAdmin(let person) = message.action { actingAdmins.insert(person) }
            let newcomers = message.newcomers
            for person in newcomers { additionsOf[person, default: []].append(additions.count) }
            if !newcomers.isEmpty { additions.append(newcomers) }
        }
    }

    /// Whether a message says nothing new to a person who was told all this.
    func said(what message: SystemMessage, to user: UserID) -> Bool {
        if ids.contains(message.id) { return true }
        if let person = message.departed { return departed.contains(person) }
        if case .actingAdmin(let person) = message.action { return actingAdmins.contains(person) }
        let newcomers = message.newcomers
        guard let first = newcomers.min() else { return false }
        if newcomers.contains(user) { return additionsOf[user] != nil }
        return additionsOf[first]?.contains { newcomers.isSubset(of: additions[$0]) } ?? false
    }
}

extension SystemMessage {
    fileprivate var departed: UserID? {
        switch action {
        case .removed(let person): person
        case .left: actor
        case .created, .welcomed, .added, .joined, .promoted, .demoted, .renamed, .described, .photo, .setting,
            .actingAdmin:
            nil
        }
    }

    fileprivate var newcomers: Set<UserID> {
        switch action {
        case .welcomed(let people), .added(let people): Set(people)
        case .joined: [actor]
        case .created, .removed, .left, .promoted, .demoted, .renamed, .described, .photo, .setting, .actingAdmin: []
        }
    }
}
