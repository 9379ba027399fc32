import Foundation
import IntentOperations
import Synchronization

/// Reads lines from a terminal: with a cursor, earlier lines, and completion.
///
/// A thread of its own reads only while a line is requested; between lines the terminal has its original settings.
final class LineEditor: Sendable {
    private struct State {
        /// The earlier input, the oldest first.
        var history: [String]
        var parser = TerminalKeyParser()
        /// Keys that came after the end of a line.
        var waiting: [TerminalKey] = []
        var isFinished = false
        /// The terminal's settings before the current line.
        var before: termios?
    }

    /// Wakes the thread that reads.
    private let wakeReader: Int32
    private let wakeWriter: Int32
    private let state: Mutex<State>

    /// Creates an editor; nil when input and output are not both terminals, or the terminal cannot move a cursor.
    init?(history: [String]) {
        guard isatty(STDIN_FILENO) == 1, StandardOutput.isTerminal,
            ProcessInfo.processInfo.environment["TERM"] != "dumb"
        else { return nil }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (self.wakeReader, self.wakeWriter) = (ends[0], ends[1])
        self.state = Mutex(State(history: history))
    }

    deinit {
        close(self.wakeReader)
        close(self.wakeWriter)
    }

    /// The input, the oldest first.
    var history: [String] { self.state.withLock { $0.history } }

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - prompt: The text before it.
    ///   - completion: The completions of the tab key.
    ///   - isRemembered: Whether the arrow keys may bring the line back.
    /// - Returns: The line; nil when the input has ended.
    func line(
        prompt: String,
        completion: LineCompletion,
        isRemembered: @Sendable (String) -> Bool
    ) async -> String? {
        let line = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.read(prompt, completion)) }
        }
        if let line, !line.trimming.isEmpty, isRemembered(line) {
            self.state.withLock { if $0.history.last != line { $0.history.append(line) } }
        }
        return line
    }

    /// Ends the input permanently; the terminal has its original settings when this returns.
    func finish() {
        self.state.withLock { state in
            state.isFinished = true
            Self.restore(&state)
        }
        _ = write(self.wakeWriter, [0], 1)
    }

    private func read(_ prompt: String, _ completion: LineCompletion) -> String? {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        var own = before
        // Ctrl-C still is a signal, but no other key is. A suspended process would leave the terminal in this mode.
        own.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
        own.c_iflag &= ~tcflag_t(IXON | ICRNL)
        withUnsafeMutableBytes(of: &own.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
            characters[Int(VSUSP)] = 0
        }
        let isOurs = self.state.withLock { state in
            guard !state.isFinished, tcsetattr(STDIN_FILENO, TCSADRAIN, &own) == 0 else { return false }
            state.before = before
            return true
        }
        guard isOurs else { return nil }
        defer { self.state.withLock { Self.restore(&$0) } }
        var line = EditedLine(history: self.history)
        Self.show(prompt, line)
        while let key = self.nextKey() {
            switch line.take(key, completion) {
            case .edited: break
            case .entered(let text):
                StandardOutput.write("\n")
                return text
            case .ended:
                StandardOutput.write("\n")
                return nil
            case .choices(let lines):
                StandardOutput.write("\n")
                let shown = "  " + lines.map(SafeText.line).joined(separator: "   ")
                for part in WordWrap.output.lines(shown) { StandardOutput.print(part) }
            case .cleared: StandardOutput.write("\u{1B}[H\u{1B}[2J")
            case .refused:
                StandardOutput.write("\u{7}")
                continue
            }
            Self.show(prompt, line)
        }
        StandardOutput.write("\n")
        return nil
    }

    private static func restore(_ state: inout State) {
        guard var before = state.before else { return }
        _ = tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
        state.before = nil
    }

    /// Waits for a key; nil when the input has ended.
    private func nextKey() -> TerminalKey? {
        while true {
            let (waiting, isFinished) = self.state.withLock { state in
                (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.isFinished)
            }
            if isFinished { return nil }
            if let waiting { return waiting }
            var ends = [
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
                pollfd(fd: self.wakeReader, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&ends, 2, -1) >= 0 else {
                if errno == EINTR { continue }
                return nil
            }
            guard ends[1].revents == 0, ends[0].revents != 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 1_024)
            let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            self.state.withLock { state in
                for byte in bytes.prefix(count) {
                    if let key = state.parser.take(byte) { state.waiting.append(key) }
                }
            }
        }
    }

    private static func show(_ prompt: String, _ line: EditedLine) {
        let own = TextWidth.columns(of: prompt)
        let columns = WordWrap.columns(of: STDOUT_FILENO) ?? 80
        let (text, cursor) = line.window(columns: max(8, columns - own - 1))
        let column = own + cursor
        StandardOutput.write("\r\(prompt)\(text)\u{1B}[K\r" + (column > 0 ? "\u{1B}[\(column)C" : ""))
    }
}
