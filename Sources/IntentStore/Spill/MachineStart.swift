internal import Foundation

/// Tells one start of the machine from another: what was written without waiting for the disk is all there as long as it
/// is the same one, whatever has ended the process that wrote it.
enum MachineStart {
    /// The kernel's name for this start; where it has none, one of this process.
    static let id: String = {
        let path = "/proc/sys/kernel/random/boot_id"
        let text = (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
        return text.flatMap { $0.isEmpty ? nil : $0 } ?? UUID().uuidString
    }()
}
