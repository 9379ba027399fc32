import Foundation

enum ProcessEnd {
    /// Ends the process with this status, without the libraries' exit handlers.
    ///
    /// Threads of the client library may still run, since nobody waits for a client whose broker does not answer. The
    /// handlers would free under them what they use: OpenSSL's and SASL's tables, and the libraries themselves.
    static func now(_ status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }
}
