internal import Foundation

/// Identifies one boot of the machine: data written without waiting for the disk are complete as long as the boot is
/// the same, however the writing process ended.
enum MachineStart {
    /// The kernel's id of this boot; if there is none, an id of this process.
    static let id: String = {
        let path = "/proc/sys/kernel/random/boot_id"
        let text = (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
        return text.flatMap { $0.isEmpty ? nil : $0 } ?? UUID().uuidString
    }()
}
