import ArgumentParser

/// How a switch is given on the command line.
enum OnOff: String, ExpressibleByArgument, CaseIterable {
    case on
    case off
}
