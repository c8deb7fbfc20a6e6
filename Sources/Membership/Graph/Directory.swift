/// The names of operations, people and devices, by the numbers that stand for them in the graph.
struct Directory<
    ID: Hashable & Comparable & Sendable, Person: Hashable & Comparable & Sendable, Device: Hashable & Sendable
>: Sendable {
    /// The names of the operations by number.
    private(set) var operations = Table<OperationNumber, ID>()
    /// The people by number.
    private(set) var people = Table<PersonNumber, Person>()

    private var numbers: [ID: OperationNumber] = [:]
    private var personNumbers: [Person: PersonNumber] = [:]
    private var deviceNumbers: [PersonNumber: [Device: DeviceNumber]] = [:]
    private var deviceCount = 0

    /// The number of an operation, if it is here.
    func number(of id: ID) -> OperationNumber? { numbers[id] }

    /// The number of a person, if an operation names them.
    func number(ofPerson person: Person) -> PersonNumber? { personNumbers[person] }

    /// The number of a device of a person, if an operation is by it or names it.
    func number(of device: Device, of person: PersonNumber) -> DeviceNumber? { deviceNumbers[person]?[device] }

    /// Numbers an operation and the people it names, and says in numbers what it says in names.
    mutating func enter(
        _ operation: MembershipOperation<ID, Person, Device>
    ) -> MembershipOperation<OperationNumber, PersonNumber, DeviceNumber> {
        let author = enter(operation.author)
        let device = operation.device.map { enter($0, of: author) }
        let action = numbered(operation.action)
        let number = operations.endIndex
        operations.append(operation.id)
        numbers[operation.id] = number
        return MembershipOperation(
            id: number, author: author, device: device, parents: operation.parents.compactMap { numbers[$0] },
            action: action)
    }

    private mutating func enter(_ person: Person) -> PersonNumber {
        if let known = personNumbers[person] { return known }
        let number = people.endIndex
        personNumbers[person] = number
        people.append(person)
        return number
    }

    private mutating func enter(_ device: Device, of person: PersonNumber) -> DeviceNumber {
        if let known = number(of: device, of: person) { return known }
        let number = DeviceNumber(deviceCount)
        deviceCount += 1
        deviceNumbers[person, default: [:]][device] = number
        return number
    }

    private mutating func numbered(_ action: Action<ID, Person, Device>) -> Action<
        OperationNumber, PersonNumber, DeviceNumber
    > {
        switch action {
        case .create: .create
        case .add(let authority, let people): .add(numbered(authority), people.map { enter($0) })
        case .invite(let authority, let person): .invite(numbered(authority), person.map { enter($0) })
        case .join(let invite): .join(numbered(invite))
        case .decline(let invite): .decline(numbered(invite))
        case .cancel(let authority, let invite): .cancel(numbered(authority), numbered(invite))
        case .remove(let authority, let person): .remove(numbered(authority), enter(person))
        case .promote(let authority, let person, let role): .promote(numbered(authority), enter(person), role)
        case .demote(let authority, let person, let role): .demote(numbered(authority), enter(person), role)
        case .set(let authority, let field, let value): .set(numbered(authority), field: field, value: value)
        case .ratify(let authority, let keep, let bans):
            .ratify(
                numbered(authority), keep: keep.map { Kept(enter($0.person), $0.role) }, bans: bans.map { enter($0) })
        case .device: .device
        case .revoke(let person, let device, let pins): revoke(device, of: enter(person), pins: pins)
        case .merge: .merge
        case .leave: .leave
        case .stepdown: .stepdown
        }
    }

    private mutating func revoke(
        _ device: Device, of person: PersonNumber, pins: [ID]
    ) -> Action<OperationNumber, PersonNumber, DeviceNumber> {
        .revoke(person, enter(device, of: person), pins: pins.map(numbered))
    }

    private func numbered(_ authority: Authority<ID>) -> Authority<OperationNumber> {
        switch authority {
        case .acting: .acting
        case .grant(let id, let slot): .grant(numbered(id), slot: slot)
        }
    }

    private func numbered(_ id: ID) -> OperationNumber { numbers[id] ?? .unknown }
}
