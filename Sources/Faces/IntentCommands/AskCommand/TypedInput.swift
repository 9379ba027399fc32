import Foundation
import IntentOperations

/// A person's input: edited lines from a terminal, plain ones from a file or a program.
///
/// One task reads lines; another one may end them.
struct TypedInput: Sendable {
    private let editor: LineEditor?
    private let plain: TerminalLines?

    /// Begins to read.
    /// - Parameter history: Earlier input, the oldest first.
    init(history: [String]) {
        self.editor = LineEditor(history: history)
        self.plain = self.editor == nil ? TerminalLines() : nil
    }

    /// The input on a terminal, the oldest first; nil when nothing is remembered.
    var history: [String]? { self.editor?.history }

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - hint: The accepted input.
    ///   - completion: The completions of the tab key.
    ///   - isRemembered: Whether the line may be kept for later.
    /// - Returns: The line; nil when the input has ended.
    func line(
        hint: String,
        completion: LineCompletion,
        isRemembered: @Sendable (String) -> Bool
    ) async -> String? {
        guard let editor else {
            StandardOutput.write("[\(hint)] > ")
            let line = await self.plain?.next()
            if !StandardOutput.isTerminal { StandardOutput.print(line ?? "") }
            return line
        }
        // Half of the line is reserved for the input.
        let asked = "[\(hint)]"
        let wrap = WordWrap.output
        guard let width = wrap.width, TextWidth.columns(of: asked) > width / 2 else {
            return await editor.line(
                prompt: TextStyle.output.faint(asked) + " > ",
                completion: completion,
                isRemembered: isRemembered
            )
        }
        for line in wrap.lines(asked) { StandardOutput.print(TextStyle.output.faint(line)) }
        return await editor.line(prompt: "> ", completion: completion, isRemembered: isRemembered)
    }

    /// Ends the input permanently.
    func finish() {
        self.editor?.finish()
        self.plain?.finish()
    }
}
