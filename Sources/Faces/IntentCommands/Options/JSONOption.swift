import ArgumentParser

/// The form in which a command prints data.
struct JSONOption: ParsableArguments {
    @Flag(help: "Print JSON.")
    var json = false
}
