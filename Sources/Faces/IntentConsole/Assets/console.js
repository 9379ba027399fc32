// Every page works without this script; it updates pages while they are open.
(() => {
  "use strict";
  const live = document.querySelector("[data-live]");
  if (live && "EventSource" in window) {
    const state = document.querySelector("[data-live-state]");
    const age = document.querySelector("[data-live-age]");
    let updatedAt;
    // Beside the status, not in it: a screen reader would announce it every second.
    const showAge = () => {
      if (!age || updatedAt === undefined) return;
      const seconds = Math.floor((Date.now() - updatedAt) / 1000);
      age.textContent = `, updated ${seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`} ago`;
    };
    const show = (text) => { if (state) state.textContent = text; };
    const showLive = () => { updatedAt = Date.now(); show("Live"); showAge(); };
    setInterval(showAge, 1000);
    // The elements that can have the focus, and a key by which each is found again when the part was rebuilt.
    const stops = () => [...live.querySelectorAll("a[href], button, summary, [tabindex]")];
    const key = (one) => [one.tagName, one.closest("[id]").id]
      .concat(["href", "name", "value", "aria-label", "aria-labelledby"].map((name) => one.getAttribute(name))).join(" ");
    let source;
    let isDone = false;
    const begin = () => {
      source = new EventSource(live.dataset.live);
      const bring = (event) => {
        // Do not disturb somebody who types in the part, or copies from it.
        const active = document.activeElement ?? document.body;
        const has = (one) => live.contains(one);
        if (has(active) && active.matches("input, select, textarea")) return;
        const chosen = getSelection();
        const isChosen = !chosen.isCollapsed && has(chosen.anchorNode);
        // The final version ("done") is sent only once, so it is never skipped.
        if (isChosen && event.type === "page") return show("Paused: text is selected");
        // An unchanged part is not replaced, nor are the frames in it.
        const made = document.createElement("template");
        made.innerHTML = event.data;
        if (made.innerHTML === live.innerHTML) return showLive();
        const open = new Set([...live.querySelectorAll("details[open][id]")].map((one) => one.id));
        const focus = has(active) ? key(active) : null;
        const place = active.getBoundingClientRect();
        const isSeen = place.bottom > 0 && place.top < innerHeight;
        const scrolled = stops().filter((one) => one.scrollLeft || one.scrollTop)
          .map((one) => [key(one), one.scrollLeft, one.scrollTop]);
        live.replaceChildren(made.content);
        for (const id of open) document.getElementById(id)?.setAttribute("open", "");
        for (const [name, left, top] of scrolled) stops().find((one) => key(one) === name)?.scrollTo(left, top);
        if (focus) stops().find((one) => key(one) === focus)?.focus({ preventScroll: true });
        // The field below must stay in the window when the part above it grows.
        else if (active.matches("input") && isSeen) active.scrollIntoView({ block: "nearest" });
        showLive();
      };
      const end = () => { isDone = true; source.close(); };
      source.addEventListener("page", bring);
      source.addEventListener("done", (event) => { end(); bring(event); });
      source.addEventListener("reload", () => { end(); location.reload(); });
      source.onerror = () => show(source.readyState === EventSource.CLOSED ? "Not live: reload" : "Connecting…");
    };
    begin();
    // Leaving the page must not be undone by a reload.
    addEventListener("beforeunload", () => source.close());
    document.addEventListener("visibilitychange", () => {
      if (isDone) return;
      if (document.hidden) { source.close(); show("Paused"); } else { begin(); }
    });
  }
  // "/" moves the focus to the search field, as on other sites.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input, select, textarea")) return;
    const search = document.querySelector("[data-search]");
    if (search) { event.preventDefault(); search.focus(); }
  });
  // The newest message of a conversation is shown.
  const say = document.querySelector("[data-say]");
  if (say) say.focus();
})();
