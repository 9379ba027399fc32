/// A log with access rules: an optional ability of drivers.
package protocol AccessControlledLog: EventLog {
    /// Checks that the log enforces access rules at all; changes nothing.
    ///
    /// - Throws: ``LogError``, `noAuthorizer` when it does not, `notAuthorized` when this client may not ask.
    func checkAuthorizer() async throws(LogError)

    /// The rules that allow something from every host.
    ///
    /// - Throws: ``LogError``, `noAuthorizer`, `notAuthorized`.
    func accessRules() async throws(LogError) -> Set<AccessRule>

    /// Makes rules; those that exist are left as they are.
    ///
    /// - Parameter rules: The rules.
    /// - Returns: Those that this driver cannot make, in order; they have to be made by other means.
    /// - Throws: ``LogError``, `noAuthorizer`, `notAuthorized`.
    func createAccessRules(_ rules: [AccessRule]) async throws(LogError) -> [AccessRule]
}
