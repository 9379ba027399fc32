internal import IntentKit

/// The icons and the logo.
enum Shapes {
    /// The logo: three stages on one line.
    static let mark: HTML = """
        <svg viewBox="0 0 24 24" aria-hidden="true"><rect x="1" y="1" width="22" height="22" rx="6" fill="#4f46e5"/>\
        <path d="M5 12h14" stroke="#fff" stroke-width="1.6" opacity=".6"/><circle cx="6.5" cy="12" r="2.4" fill="#fff"/>\
        <circle cx="12" cy="12" r="2.4" fill="#fff"/><circle cx="17.5" cy="12" r="2.4" fill="#fff"/></svg>
        """
    /// The icon of the browser's tab.
    static let icon: HTML = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect x="1" y="1" width="22" height="22" rx="6" \
        fill="#4f46e5"/><path d="M5 12h14" stroke="#fff" stroke-width="1.6" opacity=".6"/><circle cx="6.5" cy="12" \
        r="2.4" fill="#fff"/><circle cx="12" cy="12" r="2.4" fill="#fff"/><circle cx="17.5" cy="12" r="2.4" \
        fill="#fff"/></svg>
        """
    /// Figures.
    static let overview: HTML =
        "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M2 12l3.5-4 3 2.5L14 4M2 14h12\"/></svg>"
    static let list: HTML =
        "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M6 4h8M6 8h8M6 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01\"/></svg>"
    static let letter: HTML =
        "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M2 4h12v8.5H2zM2 4.5l6 4.5 6-4.5\"/></svg>"
    static let clock: HTML =
        "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M8 2a6 6 0 1 1 0 12a6 6 0 0 1 0-12M8 4.5V8l2.5 1.5\"/></svg>"
    static let bars: HTML =
        "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M5.5 3v10M10.5 3v10\"/></svg>"
    static let funnel: HTML =
        "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M2 3h12l-4.5 5.5V13l-3 1V8.5z\"/></svg>"
    static let book: HTML =
        "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M3 2.5h9.5v11H4.5A1.5 1.5 0 0 1 3 12zM3 12a1.5 1.5 0 0 1 1.5-1.5h8M6 5.5h4\"/></svg>"
    static let shield: HTML =
        "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M8 1.8l5 1.8v4c0 3-2 5.2-5 6.6-3-1.4-5-3.6-5-6.6v-4zM5.8 8l1.6 1.6L10.4 6.4\"/></svg>"
    static let person: HTML =
        "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M8 2.5a2.7 2.7 0 1 1 0 5.4a2.7 2.7 0 0 1 0-5.4M2.8 13.8c.4-3 2.5-4.3 5.2-4.3s4.8 1.3 5.2 4.3\"/></svg>"
    static let balloon: HTML =
        "<svg viewBox=\"0 0 16 16\" aria-hidden=\"true\"><path d=\"M2 3.5h12v8H8l-3 2.5v-2.5H2z\"/></svg>"
}
