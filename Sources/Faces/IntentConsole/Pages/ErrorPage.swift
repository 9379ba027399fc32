internal import IntentKit

/// The page for what is missing or has failed, with advice.
enum ErrorPage {
    static func page(_ title: HTML, _ message: HTML, in frame: Frame) -> HTML {
        frame.page(title, at: nil, "<div class=\"panel\"><div class=\"empty\"><p>\(message)</p></div></div>")
    }
}
