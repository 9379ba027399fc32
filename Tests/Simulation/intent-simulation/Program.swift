import ArgumentParser

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The program: starts itself again if hashes would differ between processes.
@main
enum Program {
    /// The path of this program.
    static var path: String {
        #if os(Linux)
        "/proc/self/exe"
        #else
        CommandLine.arguments[0]
        #endif
    }

    private static let variable = "SWIFT_DETERMINISTIC_HASHING"

    static func main() {
        if getenv(Self.variable) == nil {
            setenv(Self.variable, "1", 1)
            var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
            execv(Self.path, &arguments)
            fatalError("\(Self.path) cannot start itself again.")
        }
        SimulationCommand.main()
    }
}
