internal import IntentKit
internal import IntentOperations

/// Why an interaction failed, at the top of its page (R84).
enum FailurePanel {
    static func html(_ failure: InteractionFailure) -> HTML {
        let error: HTML =
            failure.error.map { "<dt>Error</dt><dd>\(Format.short($0, 2_000))</dd>" } ?? ""
        let call: HTML = failure.call.map { "<dt>Failing call</dt><dd>\($0.text)</dd>" } ?? ""
        let attempts: HTML = failure.call == nil ? "" : "<dt>Attempts</dt><dd class=\"num\">\(failure.attempts)</dd>"
        let letter: HTML =
            failure.letter.map { "<dt>Dead letter</dt><dd><a href=\"/dead-letters/\($0.text)\">\($0.text)</a></dd>" }
            ?? ""
        let redriven: HTML =
            failure.redrivenAs.map { "<dt>Redriven as</dt><dd>\(Format.find($0))</dd>" } ?? ""
        return """
            <section class="note bad" aria-labelledby="why"><h2 id="why">\(failure.reason)</h2>\
            <dl class="pairs">\(error)\(call)\(attempts)\(letter)\(redriven)\
            <dt>What to do</dt><dd>\(failure.advice)</dd></dl></section>
            """
    }
}
