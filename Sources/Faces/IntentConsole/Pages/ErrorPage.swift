internal import IntentKit

/// The page for what is missing or has failed, with advice.
enum ErrorPage {
    static func page(_ title: HTML, _ words: HTML, in frame: Frame) -> HTML {
        frame.page(title, at: nil, "<div class=\"panel\"><div class=\"empty\"><p>\(words)</p></div></div>")
    }
}
