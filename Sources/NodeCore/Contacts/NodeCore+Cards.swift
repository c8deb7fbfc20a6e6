import Conversations
import OperationLog
import Replication
import Storage

/// What the node and its other parts ask of ``CardExchange``.
extension NodeCore {
    /// Tells the exchange of cards what happened, and carries out what it asks for.
    mutating func tellCards(_ event: CardExchange.Event) {
        carryOut(cardExchange.handle(event, in: context))
    }

    /// Learns cards that a member passed on, of people whom this node may never have met.
    mutating func learn(passedOn cards: [ProfileCard]) {
        var news: [UserID: ProfileCard] = [:]
        var names: [UserID: String] = [:]
        let before = context.countingIdentity
        for card in cards {
            let name = contacts[card.user].name
            let identity = contacts[card.user].identity
            guard learn(card) else { continue }
            if contacts[card.user].identity != identity { keep(card.user) }
            showOwnCard(of: card.user, to: identity?.devices ?? [])
            // Of two cards of one person only one counts.
            news[card.user] = contacts[card.user].card
            if names[card.user] == nil { names[card.user] = name }
        }
        // Also where it is none: now it is known that nobody knows a newer one.
        defer {
            if let own = cards.last(where: { $0.user == me }) {
                adoptOwnCard()
                settleRecord(seeing: own.identity, before: before)
            }
        }
        guard !news.isEmpty else { return }
        let people = news.sorted { $0.key < $1.key }
        do throws(StoreError) {
            try storage.save(passedOn: people.map(\.value))
        } catch {
            note(.personNotKept(error))
        }
        for (user, card) in people {
            if names[user] != contacts[user].name { warnOfNamesake(passedOn: card) }
            show(.person(user))
        }
    }

    /// Tells of one other who goes by the name on a card that a member passed on.
    ///
    /// A group may have 256 people of one name whom nobody ever met, and new cards of them cost nothing: so not of
    /// every pair, and not all the time.
    private mutating func warnOfNamesake(passedOn card: ProfileCard) {
        guard let other = contacts.namesakes(of: card.user).first, strangers.namesakes.take(at: now) else { return }
        warn(of: other.user, calledAs: card, isStranger: !context.isFamiliar(card.user))
    }
}
