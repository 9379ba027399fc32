internal import Foundation

/// A thread of the operating system with a name.
///
/// Foundation does not say whether a thread could be started.
enum NamedThread {
    /// What a thread does, until it begins.
    private final class Work {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }

        /// Does the work whose only reference was given to a new thread.
        static func run(_ pointer: UnsafeMutableRawPointer?) {
            guard let pointer else { return }
            let work = Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
            Thread.current.name = work.name
            work.body()
        }
    }

    /// Starts a detached thread.
    ///
    /// - Parameters:
    ///   - name: Its name, for debuggers and `top`; at most 15 bytes.
    ///   - body: What it does.
    /// - Returns: Whether it was started: a system, or a container, bounds the number of threads.
    static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        let work = Unmanaged.passRetained(Work(name, body))
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let status = pthread_create(
            &thread,
            nil,
            { pointer in
                Work.run(pointer)
                return nil
            },
            work.toOpaque()
        )
        guard status == 0 else {
            work.release()
            return false
        }
        #if canImport(Darwin)
        if let thread { pthread_detach(thread) }
        #else
        pthread_detach(thread)
        #endif
        return true
    }
}
