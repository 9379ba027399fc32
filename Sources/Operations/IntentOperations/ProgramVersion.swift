internal import CCommit

package enum ProgramVersion {
    /// The version of the program, and of the wire that it speaks.
    package static let number = "0.1.0"

    /// The commit from which it was built; "unknown" where the build did not know it.
    package static var commit: String { String(cString: ccommit()) }
}
