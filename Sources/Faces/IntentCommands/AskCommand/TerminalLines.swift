import Foundation
import Synchronization

/// Reads lines from standard input on a thread of its own, so that a read that waits for a person blocks nothing else.
final class TerminalLines: Sendable {
    private enum State {
        /// Lines that have not been requested yet.
        case lines([String])
        /// A task waits for one.
        case waiting(CheckedContinuation<String?, Never>)
        /// No more lines come after these.
        case ended([String])
    }

    private let state = Mutex(State.lines([]))

    /// Begins to read.
    init() {
        Thread.detachNewThread {
            while let line = readLine() { self.add(line) }
            self.end(keeping: true)
        }
    }

    /// The next line; nil when no more lines come.
    ///
    /// One task at a time may call it.
    func next() async -> String? {
        await withCheckedContinuation { continuation in
            let ready = self.state.withLock { state -> String?? in
                switch state {
                case .lines(var lines):
                    guard !lines.isEmpty else {
                        state = .waiting(continuation)
                        return nil
                    }
                    let first = lines.removeFirst()
                    state = .lines(lines)
                    return first
                case .ended(var lines):
                    guard !lines.isEmpty else { return .some(nil) }
                    let first = lines.removeFirst()
                    state = .ended(lines)
                    return first
                case .waiting: preconditionFailure("one task asks at a time")
                }
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }

    /// Ends the input, as if nothing more were typed.
    func finish() { self.end(keeping: false) }

    private func add(_ line: String) {
        let waiting = self.state.withLock { state -> CheckedContinuation<String?, Never>? in
            switch state {
            case .lines(let lines): state = .lines(lines + [line])
            case .waiting(let continuation):
                state = .lines([])
                return continuation
            case .ended: break
            }
            return nil
        }
        waiting?.resume(returning: line)
    }

    private func end(keeping: Bool) {
        let waiting = self.state.withLock { state -> CheckedContinuation<String?, Never>? in
            switch state {
            case .lines(let lines), .ended(let lines): state = .ended(keeping ? lines : [])
            case .waiting(let continuation):
                state = .ended([])
                return continuation
            }
            return nil
        }
        waiting?.resume(returning: nil)
    }
}
