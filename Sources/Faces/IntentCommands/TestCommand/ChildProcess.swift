import Foundation
import IntentOperations

/// A process of the same program with the same arguments, to which a line is given, and which answers in lines.
struct ChildProcess {
    /// How a process ended.
    enum End: Hashable, Sendable {
        case exited(Int32)
        case signalled(Int32)
    }

    /// Starts the program again, and waits until it ends.
    ///
    /// - Parameters:
    ///   - plan: The line that it is given.
    ///   - onLine: Called with each of its lines, without the line feed, on a thread of its own.
    /// - Returns: How it ended.
    /// - Throws: ``OperationError``, `unavailable`, when it cannot be started.
    static func run(
        _ plan: [UInt8],
        onLine: @escaping @Sendable ([UInt8]) -> Void
    ) async throws(OperationError) -> End {
        let result: Result<End, OperationError> = await withCheckedContinuation { continuation in
            DispatchQueue.global()
                .async {
                    do throws(OperationError) {
                        continuation.resume(returning: .success(try Self.runNow(plan, onLine: onLine)))
                    } catch {
                        continuation.resume(returning: .failure(error))
                    }
                }
        }
        return try result.get()
    }

    private static func runNow(
        _ plan: [UInt8],
        onLine: ([UInt8]) -> Void
    ) throws(OperationError) -> End {
        // A process that has ended before it reads its plan must not end this one.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let output = try Self.pipe()
        defer { close(output.read) }
        let input: (read: Int32, write: Int32)
        do throws(OperationError) {
            input = try Self.pipe()
        } catch {
            close(output.write)
            throw error
        }
        // While it is open, this process lives.
        defer { close(input.write) }
        let process: pid_t
        do throws(OperationError) {
            process = try Self.spawn(output: output.write, input: input.read)
        } catch {
            close(output.write)
            close(input.read)
            throw error
        }
        close(output.write)
        close(input.read)
        // A process that has ended already says so itself.
        _ = OutputDescriptor.write(plan + [0x0A], to: input.write)
        Self.readLines(of: output.read, onLine)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw Self.failure("wait for") }
        }
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(signal)
    }

    /// A pipe whose ends no other process inherits, with numbers that are not those of the child's descriptors.
    private static func pipe() throws(OperationError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Foundation.pipe(&ends) == 0 else { throw Self.failure("make a pipe to") }
        let high = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 100) }
        for end in ends { close(end) }
        guard high.allSatisfy({ $0 >= 0 }) else {
            for end in high where end >= 0 { close(end) }
            throw Self.failure("make a pipe to")
        }
        return (high[0], high[1])
    }

    private static func spawn(output: Int32, input: Int32) throws(OperationError) -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, TestChild.output)
        posix_spawn_file_actions_adddup2(&actions, input, TestChild.input)
        var environment = ProcessInfo.processInfo.environment
        environment[TestChild.variable] = "\(TestChild.output)"
        let arguments = Self.strings(CommandLine.arguments)
        let variables = Self.strings(environment.map { "\($0.key)=\($0.value)" })
        defer { for text in arguments + variables { free(text) } }
        var process: pid_t = 0
        let problem = posix_spawn(&process, Self.program, &actions, nil, arguments, variables)
        guard problem == 0 else { throw Self.failure("start", problem) }
        return process
    }

    /// Copies for C, with nil at the end.
    private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    /// The path of this program.
    private static var program: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
    }

    /// Reads lines until the other end is closed; a line without its end is left out.
    private static func readLines(of descriptor: Int32, _ onLine: ([UInt8]) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        var line: [UInt8] = []
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            for byte in buffer[..<count] {
                if byte == 0x0A {
                    onLine(line)
                    line = []
                } else {
                    line.append(byte)
                }
            }
        }
    }

    private static func failure(_ what: String, _ problem: Int32 = errno) -> OperationError {
        OperationError(
            .unavailable,
            "cannot \(what) the process that plays the scenarios: \(String(cString: strerror(problem))); "
                + "use --in-process"
        )
    }
}
