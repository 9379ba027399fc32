internal import IntentKit

/// Asks for the token, where one is needed.
enum SignInPage {
    static func page(isWrong: Bool) -> HTML {
        let wrong: HTML = isWrong ? "<p class=\"note bad\" role=\"alert\">Wrong token.</p>" : ""
        return """
            \(Frame.head("Sign in"))<body><main id="main" class="sign"><div class="panel"><div class="body">\
            <h1>intentd console</h1><p class="soft">The token was printed when the console started.</p>\(wrong)\
            <form method="post" action="/sign-in" class="flow"><label>Token\
            <input name="token" type="password" autocomplete="off" required></label>\
            <button class="main">Sign in</button></form></div></div></main></body></html>
            """
    }
}
