"""Writes DocC's archives as one site of plain pages, which a browser opens from files, without a server.

  site.py OUTPUT ARCHIVE… GRAPH…

Articles, modules and types are pages; what belongs to a type is on its page. The front page is README's table "Read on".
A graph has the symbols of a module's extensions of another one's types: from it a protocol's page gets the types of the
standard library that conform to it.
What DocC writes and this does not know is an error, so that nothing is left out in silence. So are a link to nothing, a
name that a page has twice, and a page that no link leads to.
"""

import collections
import html
import html.parser
import json
import pathlib
import posixpath
import re
import shutil
import sys
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
TYPES = {"module", "struct", "enum", "class", "protocol"}
PAGE_KEYS = {
    "abstract", "defaultImplementationsSections", "hierarchy", "identifier", "kind", "metadata", "primaryContentSections",
    "references", "relationshipsSections", "schemaVersion", "sections", "seeAlsoSections", "topicSections", "variants",
}
# Per language: comments, and keywords. Strings and numbers are the same in all.
SYNTAX = {
    "swift": (r"//.*", "actor as async await case catch defer do else enum extension false for func guard if import in init"
              " internal let mutating nil package private protocol public return self Self some static struct super switch"
              " throw throws true try typealias var where while"),
    "python": (r"#.*", "and as class def else except False finally for from if import in is lambda None not or pass raise"
               " return True try while with yield"),
    "sh": (r"(?<!\S)#.*", "case do done else esac export fi for if in then while"),
    "yaml": (r"(?<!\S)#.*", "false null true"),
    "json": (r"(?!)", "false null true"),
}
STRINGS = {"swift": r'"(?:\\.|[^"\\\n])*"', "json": r'"(?:\\.|[^"\\\n])*"'}
ANY_STRING = r'"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''


def text(value):
    return html.escape(value, quote=False)


def coloured(code, language):
    """A listing's text, with its comments, strings, numbers and keywords marked."""
    if language not in SYNTAX:
        return text(code)
    comment, keywords = SYNTAX[language]
    token = re.compile(
        f"(?P<comment>{comment})|(?P<string>{STRINGS.get(language, ANY_STRING)})"
        rf"|(?P<keyword>(?<![\w.$\\-])(?:{keywords.replace(' ', '|')})(?![\w-]))|(?P<number>(?<![\w.-])\d[\d_.]*(?![\w-]))"
    )
    parts, end = [], 0
    for found in token.finditer(code):
        parts += [text(code[end:found.start()]), f'<span class="{found.lastgroup}">{text(found.group())}</span>']
        end = found.end()
    return "".join(parts) + text(code[end:])


class Site:
    """All archives' pages, and where each is to be found."""

    def __init__(self, archives, graphs):
        self.data = {}
        for archive in archives:
            for file in sorted(pathlib.Path(archive, "data/documentation").rglob("*.json")):
                data = json.loads(file.read_text())
                unknown = set(data) - PAGE_KEYS
                if unknown:
                    raise SystemExit(f"{file}: {', '.join(sorted(unknown))}: site.py does not know this")
                self.data[data["identifier"]["url"]] = data
        self.of_symbol = {data["metadata"].get("externalID"): name for name, data in self.data.items()}
        self.of_path = {data["variants"][0]["paths"][0]: name for name, data in self.data.items()}
        self.modules = [name for name, data in self.data.items() if data["metadata"].get("symbolKind") == "module"]
        self.left_out = self.not_in_topics()
        self.conforming = self.extended_types(graphs)
        self.files = {}

    def extended_types(self, graphs):
        """By protocol the types of other modules that conform to it: their names, with the conditions."""
        conforming = {}
        for graph in graphs:
            data = json.loads(pathlib.Path(graph).read_text())
            titles = {one["identifier"]["precise"]: ".".join(one["pathComponents"]) for one in data["symbols"]}
            for relationship in data["relationships"]:
                name = self.of_symbol.get(relationship["target"])
                if relationship["kind"] != "conformsTo" or name is None:
                    continue
                conditions = [f'{one["lhs"]} {"==" if one["kind"] == "sameType" else ":"} {one["rhs"]}'.replace(" :", ":")
                              for one in relationship.get("swiftConstraints", [])]
                title = titles[relationship["source"]] + (f' where {", ".join(conditions)}' if conditions else "")
                conforming.setdefault(name, set()).add(title)
        return {name: sorted(titles) for name, titles in conforming.items()}

    def not_in_topics(self):
        """What DocC has put into no topic of its type, such as implementations of another module's requirements."""
        grouped = set()
        for data in self.data.values():
            for section in data.get("topicSections", []) + data.get("defaultImplementationsSections", []):
                grouped.update(section["identifiers"])
        left_out = {}
        for name in self.data:
            if name not in grouped and self.parents(name):
                left_out.setdefault(self.parents(name)[-1], []).append(name)
        return left_out

    def parents(self, name):
        """What the name is in, from its module."""
        return self.data[name]["hierarchy"]["paths"][0]

    def has_page(self, name):
        """Whether it has a page of its own, or else is on the page of what it is in."""
        kind, parents = self.data[name]["metadata"].get("symbolKind"), self.parents(name)
        return kind in TYPES or not parents or parents[-1] in self.modules

    def place(self, name):
        """Its page, and where it is on that."""
        page = name if self.has_page(name) else next(one for one in reversed(self.parents(name)) if self.has_page(one))
        file = self.data[page]["variants"][0]["paths"][0].removeprefix("/documentation/") + ".html"
        # The point keeps names of members apart from those of headings.
        return file, "" if page == name else "." + name.rsplit("/", 1)[1]

    def groups(self, name):
        """Its topics: a title, an anchor and names each."""
        groups = [(one.get("title", "Topics"), one.get("anchor", "Topics"), one["identifiers"])
                  for one in self.data[name].get("topicSections", [])]
        return groups + ([("Others", "Others", self.left_out[name])] if name in self.left_out else [])

    def shell(self, file, title, main, module=None):
        """Writes a page: its content, with what leads to others."""
        up = "../" * file.count("/")
        contents = []
        for one in self.modules:
            current = ' aria-current="page"' if self.place(one)[0] == file else ""
            title_of_module = text(self.data[one]["metadata"]["title"])
            contents.append(f'<p class="module"><a href="{up}{self.place(one)[0]}"{current}>{title_of_module}</a></p>')
            if one != module:
                continue
            for heading, _, names in self.groups(one):
                pages = [name for name in names if self.has_page(name)]
                links = []
                for name in pages:
                    current = ' aria-current="page"' if self.place(name)[0] == file else ""
                    links.append(f'<li><a href="{up}{self.place(name)[0]}"{current}>{self.title(name)}</a></li>')
                if links:
                    contents.append(f'<p>{text(heading)}</p><ul>{"".join(links)}</ul>')
        self.files[file] = (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<title>{text(title)}</title><link rel="icon" href="data:,">'
            f'<link rel="stylesheet" href="{up}style.css"></head>\n'
            f'<body><header><a href="{up}index.html">intentd</a>'
            f'<form action="{up}names.html" role="search"><input type="search" name="find" aria-label="Find a name"'
            ' placeholder="Find a name"></form></header>\n'
            f"<main>{main}</main>\n"
            f'<nav aria-label="Contents">{"".join(contents)}</nav></body></html>\n'
        )

    def title(self, name):
        """Its title as a link shows it."""
        data = self.data[name]
        shown = text(data["metadata"]["title"])
        return f"<code>{shown}</code>" if data["kind"] == "symbol" and name not in self.modules else shown


class Page:
    """One file of the site, with the links that lead from it."""

    def __init__(self, site, file):
        self.site, self.file = site, file

    def href(self, name):
        file, fragment = self.site.place(name)
        path = "" if file == self.file and fragment else posixpath.relpath(file, posixpath.dirname(self.file) or ".")
        return html.escape(path + ("#" + urllib.parse.quote(fragment) if fragment else ""))

    def link(self, name, shown=None):
        return f'<a href="{self.href(name)}">{shown or self.site.title(name)}</a>'

    def reference(self, data, name):
        """What the text of `data` refers to."""
        name = self.site.of_symbol.get("s:" + name.rsplit("/", 1)[1], name)  # of another module
        if name in self.site.data:
            return self.link(name)
        reference = data["references"][name]
        if reference["type"] == "unresolvable":
            return f'<code>{text(reference["title"])}</code>'
        shown = self.inline(data, reference.get("titleInlineContent", [{"type": "text", "text": reference["title"]}]))
        path, mark, anchor = reference["url"].partition("#")
        if path.startswith("/documentation/"):
            if path not in self.site.of_path:
                raise SystemExit(f"{self.file}: nothing is at {path}")
            path = self.href(self.site.of_path[path])
        return f'<a href="{path}{mark}{html.escape(anchor)}">{shown}</a>'

    def inline(self, data, parts):
        return "".join(self.inline_part(data, part) for part in parts)

    def inline_part(self, data, part):
        match part["type"]:
            case "text":
                return text(part["text"])
            case "codeVoice":
                return f'<code>{text(part["code"])}</code>'
            case "strong":
                return f'<strong>{self.inline(data, part["inlineContent"])}</strong>'
            case "emphasis":
                return f'<em>{self.inline(data, part["inlineContent"])}</em>'
            case "reference":
                return self.reference(data, part["identifier"])
            case "image":
                image = data["references"][part["identifier"]]
                source = "../" * self.file.count("/") + image["variants"][0]["url"].removeprefix("/")
                return f'<img src="{html.escape(source)}" alt="{html.escape(image["alt"])}">'
            case other:
                raise SystemExit(f"{self.file}: {other}: site.py does not know such text")

    def blocks(self, data, blocks, prefix="", deeper=0):
        """Paragraphs, lists and so on; a member's headings begin with its name and are deeper."""
        return "\n".join(self.block(data, block, prefix, deeper) for block in blocks)

    def block(self, data, block, prefix, deeper):
        def within(blocks):
            return self.blocks(data, blocks, prefix, deeper)

        match block["type"]:
            case "paragraph":
                return f'<p>{self.inline(data, block["inlineContent"])}</p>'
            case "heading":
                level = min(block["level"] + deeper, 6)
                return f'<h{level} id="{html.escape(prefix + block["anchor"])}">{text(block["text"])}</h{level}>'
            case "codeListing" if block["syntax"] == "mermaid":
                return self.picture(block["code"])
            case "codeListing":
                return f'<pre tabindex="0"><code>{coloured(chr(10).join(block["code"]), block["syntax"])}</code></pre>'
            case "aside":
                return f'<div class="note"><p class="name">{text(block["name"])}</p>{within(block["content"])}</div>'
            case "unorderedList" | "orderedList":
                tag = "ul" if block["type"] == "unorderedList" else "ol"
                items = "".join(f'<li>{within(item["content"])}</li>' for item in block["items"])
                return f"<{tag}>{items}</{tag}>"
            case "table" if block["header"] == "row":
                sides = block.get("alignments", ["unset"] * len(block["rows"][0]))
                rows = []
                for number, row in enumerate(block["rows"]):
                    cells = []
                    for said, side in zip(map(within, row), sides, strict=True):
                        tag = "td" if number or said == "<p></p>" else 'th scope="col"'
                        cells.append(f'<{tag}{"" if side == "unset" else f" class={side}"}>{said}</{tag[:2]}>')
                    rows.append(f'<tr>{"".join(cells)}</tr>')
                return (f'<div class="table" tabindex="0"><table><thead>{rows[0]}</thead>'
                        f'<tbody>{"".join(rows[1:])}</tbody></table></div>')
            case other:
                raise SystemExit(f"{self.file}: {other}: site.py does not know such a block")

    def picture(self, lines):
        """A picture of groups and arrows, which others draw by script, as a table."""
        arrows = {}
        for start, end in re.findall(r"^ *(\S+) --> (\S+)$", "\n".join(lines), re.M):
            arrows.setdefault(start, []).append(end)
        rows = []
        for line in lines:
            if group := re.fullmatch(r' *subgraph \w+ \["(.+)"\]', line):
                rows.append(f'<tr><th colspan="2" scope="rowgroup">{text(group[1])}</th></tr>')
            elif rows and (node := re.fullmatch(r" *([\w-]+)", line)) and node[1] != "end":
                ends = ", ".join(arrows.pop(node[1], []))
                rows.append(f'<tr><td>{text(node[1])}</td><td>{"→ " if ends else ""}{text(ends)}</td></tr>')
        if arrows:
            raise SystemExit(f"{self.file}: {', '.join(arrows)}: site.py does not see where these arrows begin")
        return f'<div class="table" tabindex="0"><table>{"".join(rows)}</table></div>'

    def declaration(self, tokens):
        """A declaration in the colours of its tokens; names of ours are links, in whichever module they are."""
        parts = []
        for token in tokens:
            shown = text(token["text"])
            name = token.get("identifier") or self.site.of_symbol.get(token.get("preciseIdentifier", ""))
            if name in self.site.data:
                shown = self.link(name, shown)
            parts.append(shown if token["kind"] == "text" else f'<span class="{token["kind"]}">{shown}</span>')
        return f'<pre class="declaration"><code>{"".join(parts)}</code></pre>'

    def content(self, data, prefix="", deeper=0):
        """What a page or a member says of itself."""
        level = 2 + deeper
        parts = []
        if data.get("abstract"):
            parts.append(f'<p class="abstract">{self.inline(data, data["abstract"])}</p>')
        if "conformance" in data["metadata"]:
            conformance = data["metadata"]["conformance"]
            parts.append(f'<p>{self.inline(data, conformance["availabilityPrefix"])} '
                         f'{self.inline(data, conformance["constraints"])}</p>')
        if data["metadata"].get("required"):
            parts.append("<p>Required.</p>")
        for section in data.get("primaryContentSections", []):
            match section["kind"]:
                case "declarations":
                    parts[0:0] = [self.declaration(one["tokens"]) for one in section["declarations"]]
                case "content":
                    parts.append(self.blocks(data, section["content"], prefix, deeper))
                case "parameters":
                    parts.append(f'<h{level} id="{html.escape(prefix)}parameters">Parameters</h{level}><dl>')
                    for one in section["parameters"]:
                        said = self.blocks(data, one["content"])
                        parts.append(f'<dt><code>{text(one["name"])}</code></dt><dd>{said}</dd>')
                    parts.append("</dl>")
                case "mentions":
                    links = ", ".join(self.link(name) for name in section["mentions"])
                    parts.append(f"<p>Mentioned in {links}.</p>")
                case other:
                    raise SystemExit(f"{self.file}: {other}: site.py does not know such a section")
        for section in data.get("defaultImplementationsSections", []):
            parts += [self.member(name, level) for name in section["identifiers"]]
        return "\n".join(parts)

    def summary(self, name):
        """A link to a page, with what it is about."""
        data = self.site.data[name]
        return f'<dt>{self.link(name)}</dt><dd>{self.inline(data, data.get("abstract", []))}</dd>'

    def member(self, name, level):
        """What is on the page of what it is in."""
        data, anchor = self.site.data[name], self.site.place(name)[1]
        if data["kind"] == "article":  # a group that DocC has made, of default implementations
            title = text(data["metadata"]["title"])
            return (f'<h{level} id="{html.escape(anchor)}">{title}</h{level}>'
                    + "".join(self.topic(names, level + 1) for _, _, names in self.site.groups(name)))
        return (f'<section class="member"><h{level} id="{html.escape(anchor)}">{self.site.title(name)}</h{level}>\n'
                f"{self.content(data, anchor + '-', level - 1)}</section>\n")

    def topic(self, names, level):
        pages = "".join(self.summary(name) for name in names if self.site.has_page(name))
        members = "".join(self.member(name, level) for name in names if not self.site.has_page(name))
        return (f"<dl>{pages}</dl>" if pages else "") + members

    def write(self, name):
        site, data = self.site, self.site.data[name]
        title = data["metadata"]["title"]
        parents = [one for one in site.parents(name) if site.has_page(one)]
        module = (parents or [name])[0]
        main = []
        if parents:
            main.append(f'<p class="path">{" › ".join(self.link(one) for one in parents)}</p>')
        main.append(f'<p class="role">{text(data["metadata"]["roleHeading"])}</p><h1>{text(title)}</h1>')
        main.append(self.content(data))
        groups = site.groups(name)
        if len(groups) > 1 and name not in site.modules:
            links = (f'<li><a href="#{html.escape(anchor)}">{text(heading)}</a></li>' for heading, anchor, _ in groups)
            main.append(f'<ul class="groups">{"".join(links)}</ul>')
        for heading, anchor, names in groups:
            main.append(f'<section class="topic"><h2 id="{html.escape(anchor)}">{text(heading)}</h2>'
                        f"{self.topic(names, 3)}</section>")
        conforming = [f"<code>{text(one)}</code>" for one in site.conforming.get(name, [])]
        sections = data.get("relationshipsSections", [])
        if conforming and all(section["type"] != "conformingTypes" for section in sections):
            sections = [*sections, {"type": "conformingTypes", "title": "Conforming Types", "identifiers": []}]
        for section in sections:
            links = [self.reference(data, one) for one in section["identifiers"]]
            links += conforming if section["type"] == "conformingTypes" else []
            main.append(f'<h2 id="{section["type"]}">{text(section["title"])}</h2><p>{", ".join(links)}</p>')
        for section in data.get("seeAlsoSections", []):
            main.append(f'<h2 id="see-{html.escape(section["anchor"])}">See also: {text(section["title"])}</h2>'
                        f'<dl>{"".join(self.summary(one) for one in section["identifiers"])}</dl>')
        site.shell(self.file, f"{title} · intentd", "\n".join(main), module)


def front(site):
    """The front page: README's table, with what each article is about, then the modules."""
    readme = (HERE.parent / "README.md").read_text()
    page = Page(site, "index.html")
    about = re.sub(r"\*(.+?)\*", r"<em>\1</em>", readme.split("\n\n")[1])
    main = [f'<h1>intentd</h1><p class="abstract">{about}</p>']
    for heading, links in re.findall(r"^\| \*\*(.+?)\*\* \| (.+) \|$", readme, re.M):
        names = []
        for module, article in re.findall(r"\]\(Sources/\w+/(\w+)/Documentation\.docc/(\w+)\.md\)", links):
            path = f"/documentation/{module}" + ("" if article == "Documentation" else f"/{article}")
            names.append(site.of_path[path.lower()])
        main.append(f'<h2>{heading[0].upper()}{heading[1:]}</h2><dl>{"".join(page.summary(name) for name in names)}</dl>')
    main.append(f'<h2>Modules</h2><dl>{"".join(page.summary(name) for name in site.modules)}</dl>')
    site.shell("index.html", "intentd", "\n".join(main))


def names(site):
    """All articles, their headings, and all symbols, in the order of the alphabet; a script narrows it while one types."""
    page = Page(site, "names.html")
    rows = []
    for name, data in site.data.items():
        metadata, parents = data["metadata"], site.parents(name)
        if data["kind"] == "article" and not site.has_page(name):
            continue
        place = text(site.data[parents[0]]["metadata"]["title"]) if parents else ""
        of = [text(site.data[one]["metadata"]["title"]) for one in parents[1:] if site.has_page(one)]
        shown = site.title(name) if site.has_page(name) else f'<code>{".".join([*of[-1:], text(metadata["title"])])}</code>'
        rows.append((metadata["title"], f'{page.link(name, shown)} <span>{text(metadata["roleHeading"])} {place}</span>'))
        if data["kind"] == "symbol":
            continue
        for section in data.get("primaryContentSections", []):
            for block in section["content"]:
                if block["type"] == "heading" and block["text"] != "Overview":
                    url = f'{page.href(name)}#{urllib.parse.quote(block["anchor"])}'
                    shown = text(block["text"])
                    rows.append((block["text"], f'<a href="{url}">{shown}</a> <span>{site.title(name)} {place}</span>'))
    rows.sort(key=lambda row: row[0].lower())
    site.shell("names.html", "All names · intentd", "".join([
        f'<h1>All names</h1><p id="found" role="status">{len(rows)} names</p><ul id="names">',
        *(f"<li>{row}</li>" for _, row in rows), "</ul>", f'<script>{(HERE / "names.js").read_text()}</script>',
    ]))


class Links(html.parser.HTMLParser):
    """What a written page is called, and leads to."""

    def __init__(self, file):
        super().__init__()
        self.ids, self.targets = [], []
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key == "id":
                self.ids.append(value)
            elif key in ("href", "src", "action") and not value.startswith(("https://", "data:")):
                self.targets.append(value)


def check(output):
    """Whether each link of the written pages leads to something, and something to each page; the problems."""
    pages = {file.relative_to(output).as_posix(): Links(file) for file in output.rglob("*.html")}
    others = {file.relative_to(output).as_posix() for file in output.rglob("*") if file.is_file()} - set(pages)
    problems, reached = [], {"index.html"}
    for file, page in pages.items():
        problems += [f"{file}: {one} is there twice" for one, count in collections.Counter(page.ids).items() if count > 1]
        for target in set(page.targets):
            path, _, fragment = target.partition("#")
            found = posixpath.normpath(posixpath.join(posixpath.dirname(file), urllib.parse.unquote(path))) if path else file
            there = pages[found].ids if found in pages else []
            if found not in pages.keys() | others or fragment and urllib.parse.unquote(fragment) not in there:
                problems.append(f"{file}: nothing is at {target}")
            if found != file:
                reached.add(found)
    return problems + [f"{file}: no link leads here" for file in pages.keys() | others if file not in reached]


def main():
    output, graphs = pathlib.Path(sys.argv[1]), [one for one in sys.argv[2:] if one.endswith(".symbols.json")]
    archives = [one for one in sys.argv[2:] if one not in graphs]
    site = Site(archives, graphs)
    for name in site.data:
        if site.has_page(name):
            Page(site, site.place(name)[0]).write(name)
    front(site)
    names(site)
    shutil.rmtree(output, ignore_errors=True)
    for file, written in site.files.items():
        (output / file).parent.mkdir(parents=True, exist_ok=True)
        (output / file).write_text(written)
    shutil.copy(HERE / "style.css", output)
    for archive in archives:
        shutil.copytree(pathlib.Path(archive, "images"), output / "images", dirs_exist_ok=True)
    problems = check(output)
    if problems:
        raise SystemExit("\n".join(problems))
    print(f"{len(site.files)} pages: open {output}/index.html")


if __name__ == "__main__":
    main()
