/// Says what is not there, or does not work, and what to do.
enum ErrorPage {
    /// The page.
    static func page(_ title: HTML, _ words: HTML, in frame: Frame) -> HTML {
        frame.page(title, at: nil, "<div class=\"panel\"><div class=\"empty\"><p>\(words)</p></div></div>")
    }
}
