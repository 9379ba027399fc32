"use strict"
// Shows the names that have all that is typed, or that came with the address.
const field = document.querySelector("input[name=find]")
const rows = [...document.querySelectorAll("#names li")].map(row => [row, row.textContent.toLowerCase()])
function show() {
    const words = field.value.toLowerCase().split(/\s+/)
    let count = 0
    for (const [row, text] of rows) {
        row.hidden = !words.every(word => text.includes(word))
        count += !row.hidden
    }
    document.getElementById("found").textContent = `${count} of ${rows.length} names`
}
field.addEventListener("input", show)
field.form.addEventListener("submit", event => event.preventDefault())
field.value = new URLSearchParams(location.search).get("find") ?? ""
show()
