import ArgumentParser

/// Whether a command shows sensitive values (R40).
struct RevealOption: ParsableArguments {
    @Flag(help: "Show the values of sensitive parameters, which are masked otherwise.")
    var reveal = false
}
