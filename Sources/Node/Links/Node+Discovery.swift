import Dispatch
import Logging
import OperationLog
import Replication
import StreamTransport

extension Node {
    /// Begins to send and hear beacons. A network without UDP is no reason not to run: static peers still work.
    func startDiscovery() {
        var place = BeaconSocket.Configuration()
        place.interfaces = configuration.interfaces
        place.includesLoopback = configuration.interfaces.contains("lo")
        do throws(TransportError) {
            beacons = try BeaconSocket(place, queue: executor.queue) { [weak self] event in
                self?.assumeIsolated { $0.handle(event) }
            }
        } catch {
            logger.warning(
                "no beacons can be sent or heard; use --peer",
                metadata: ["reason": "\(error)", "remedy": "\(error.remedy ?? "")"])
            return
        }
        schedule.begin(at: now)
    }

    private var beacon: Beacon {
        Beacon(device: home.author.device.id, instance: schedule.instance, port: listeningPort)
    }

    private func handle(_ event: BeaconSocket.Event) {
        switch event {
        case .heard(let bytes, let sender):
            hear(bytes, from: sender)
        case .interfacesChanged:
            schedule.begin(at: now)
            scheduleWake()
        case .undeliverable(let interface, let error):
            logger.debug("a beacon reached nobody", metadata: ["interface": "\(interface)", "reason": "\(error)"])
        }
    }

    private func hear(_ bytes: [UInt8], from sender: SocketAddress) {
        // Anything may arrive at a well-known port: what is no beacon is not worth a line.
        guard let heard = try? Beacon(decoding: bytes), heard.device != home.author.device.id else { return }
        if heardInstances[heard.device] != heard.instance, heardInstances.count < PeerDirectory.limit {
            heardInstances[heard.device] = heard.instance
            beacons?.answer(beacon.encoded, to: sender)
        }
        guard !connectedDevices.contains(heard.device) else { return }
        directory.hint(heard.device, at: SocketAddress(sender.host, port: heard.port).description, now: now)
        dial()
        scheduleWake()
    }

    // MARK: - Time

    /// Does what is due, and plans the next time.
    func tick() {
        guard !isStopped else { return }
        if schedule.isDue(at: now, using: &random) { beacons?.announce(beacon.encoded) }
        dial()
        pending.expire(at: now)
        replicate(.tick)
        scheduleWake()
    }

    /// Wakes at a moment at the latest.
    func wake(at moment: Instant) {
        guard plannedWake.map({ moment < $0 }) ?? true else { return }
        plannedWake = moment
        let timer: any DispatchSourceTimer
        if let wake {
            timer = wake
        } else {
            timer = DispatchSource.makeTimerSource(queue: executor.queue)
            timer.setEventHandler { [weak self] in
                self?.assumeIsolated { node in
                    node.plannedWake = nil
                    node.tick()
                }
            }
            timer.activate()
            wake = timer
        }
        let delay = max(.zero, moment - now)
        timer.schedule(deadline: .now() + .nanoseconds(Int(delay / .nanoseconds(1))), leeway: .milliseconds(1))
    }

    func scheduleWake() {
        let reached = Set(links.values.compactMap { $0.target?.address })
        if let next = directory.next(connected: connectedDevices, reached: reached) { wake(at: next) }
        if let next = schedule.next, beacons != nil { wake(at: next) }
    }
}
