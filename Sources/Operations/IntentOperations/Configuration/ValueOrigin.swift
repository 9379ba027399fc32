/// The origin of a setting's value; later cases take precedence over earlier ones (R52).
package enum ValueOrigin: Hashable, Sendable, CustomStringConvertible {
    case byDefault
    /// A line of the configuration file.
    case file(String, line: Int)
    case environment(String)
    /// An option of the command line.
    case commandLine(String)

    package var description: String {
        switch self {
        case .byDefault: "default"
        case .file(let path, let line): "\(path):\(line)"
        case .environment(let name): "environment \(name)"
        case .commandLine(let option): "command line \(option)"
        }
    }
}
