import Foundation

/// What a person types: edited lines from a terminal, plain ones from a file or a program.
///
/// One task asks for lines; another one may end them.
struct TypedInput: Sendable {
    private let editor: LineEditor?
    private let plain: TerminalLines?

    /// Begins.
    /// - Parameter history: What was typed before, the oldest first.
    init(history: [String]) {
        self.editor = LineEditor(history: history)
        self.plain = self.editor == nil ? TerminalLines() : nil
    }

    /// What was typed on a terminal, the oldest first; nil where nothing is remembered.
    var history: [String]? { self.editor?.history }

    /// Asks for a line.
    ///
    /// - Parameters:
    ///   - hint: What is accepted.
    ///   - completion: What the tab key offers.
    ///   - isRemembered: Whether a line may be kept for another time.
    /// - Returns: The line; nil when nothing more is typed.
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
        // Half of the line is left for what is typed.
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

    /// Ends what is typed, now and for ever.
    func finish() {
        self.editor?.finish()
        self.plain?.finish()
    }
}
