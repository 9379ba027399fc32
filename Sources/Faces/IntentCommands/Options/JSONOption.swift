import ArgumentParser

/// The form in which a command prints data.
struct JSONOption: ParsableArguments {
    @Flag(help: "Print JSON for programs instead of text for people.")
    var json = false
}
