"""How people set down a rule that they quote: its text, and mostly its number, on a page."""

from __future__ import annotations

import html
import textwrap

BEFORE = "Hello all, yesterday we had an argument at the store, and the judge then read to us: "
AFTER = " So my friend believes that he has won, and I still wonder about it. What do you say?"


def wrapped(text, width, **marks):
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False, **marks)


def entities(text):
    named = {"’": "&rsquo;", "“": "&ldquo;", "”": "&#8221;", "—": "&#x2014;"}
    return "".join(named.get(character, character) for character in html.escape(text, quote=False))


def linked(text, form):
    """Set every sixth word that is one as a link."""
    words = text.split(" ")
    return " ".join(
        form.format(word) if n % 6 == 0 and word.isalpha() else word for n, word in enumerate(words)
    )


def marked(text, mark):
    return " ".join(
        f"{mark}{word}{mark}" if n % 5 == 0 else word for n, word in enumerate(text.split(" "))
    )


def gapped(text, mark):
    """Leave the middle third out."""
    words = text.split()
    third = len(words) // 3
    return " ".join([*words[:third], mark, *words[-third:]])


def put_in(text, piece):
    words = text.split(" ")
    return " ".join([*words[: len(words) // 2], piece, *words[len(words) // 2 :]])


# How it is called → number, text → what stands on the page.
KINDS = {
    "Markdown quote": lambda _, t: f"> {t}",
    "Markdown quote in a quote, no space": lambda _, t: f">>{t}",
    "Markdown quote, wrapped": lambda _, t: wrapped(
        t, 72, initial_indent=">", subsequent_indent=">"
    ),
    "Markdown, number bold": lambda n, t: f"- **{n}:** {t}",
    "Markdown, words bold": lambda _, t: marked(t, "**"),
    "Markdown, words underscored": lambda _, t: marked(t, "_"),
    "Markdown links": lambda _, t: linked(t, '[{0}](https://example.org/{0}_(game) "{0}")'),
    "Markdown table": lambda n, t: f"| {n} | {t} |",
    "HTML paragraph": lambda _, t: f'<p class="rule">{entities(t)}</p>',
    "HTML list": lambda n, t: f"<ul><li><strong>{n}</strong>&nbsp;{entities(t)}<br/></li></ul>",
    "HTML table": lambda n, t: f"<tr><td>{n}</td><td>{entities(t)}</td></tr>",
    "HTML links": lambda _, t: linked(t, '<a href="/wiki/{0}" title="{0}">{0}</a>'),
    "HTML spaces": lambda _, t: t.replace(" ", "&nbsp;", 5),
    "wikitext, number bold": lambda n, t: f":* '''{n}''' ''{t}''",
    "wikitext template": lambda n, t: f"* {{{{CR|{n}}}}} {t}",
    "wikitext template of all": lambda n, t: f"{{{{Rule|{n}|{t}}}}}",
    "wikitext links": lambda _, t: linked(linked(t, "[[{0}]]"), "[[The {0}|{0}]]"),
    "wikitext reference": lambda _, t: put_in(t, '<ref name="a">A book, page 7.</ref>'),
    "bulletin board quote": lambda n, t: f'[quote="CR {n}"][i]{t}[/i][/quote]',
    "own numbering": lambda _, t: f"1. {t}",
    "own numbering in brackets": lambda _, t: f"(3) {t}",
    "own letters": lambda _, t: f"b) {t}",
    "quotation marks, number behind": lambda n, t: f'"{t}" (CR {n})',
    "number in brackets": lambda n, t: f"({n}) {t}",
    "number with a section sign": lambda n, t: f"§{n} {t}",
    "said to say": lambda n, t: f"Rule {n} says: “{t}”",
    "amid prose": lambda _, t: f"{BEFORE}{t}{AFTER}",
    "amid prose, wrapped": lambda _, t: wrapped(f"{BEFORE}{t}{AFTER}", 72),
    "wrapped at 72": lambda n, t: wrapped(f"{n}. {t}", 72),
    "wrapped at 60, hanging": lambda n, t: wrapped(f"{n}. {t}", 60, subsequent_indent="        "),
    "wrapped at 40": lambda _, t: wrapped(t, 40),
    "comment": lambda n, t: wrapped(f"{n} {t}", 76, initial_indent="# ", subsequent_indent="# "),
    "comment with stars": lambda n, t: (
        "/**\n" + wrapped(f"{n} {t}", 76, initial_indent=" * ", subsequent_indent=" * ") + "\n */"
    ),
    "JSON": lambda _, t: '  "text": "' + t.replace('"', '\\"').replace("’", "\\u2019") + '",',
    "CSV": lambda n, t: f'{n},"' + t.replace('"', '""') + '",yes',
    "UTF-8 read as another code": lambda _, t: t.replace("’", "â€™").replace("“", "â€œ"),
    "soft hyphens": lambda _, t: t.replace("ing ", "\u00ading "),
    "characters not seen": lambda _, t: t.replace(" ", " \u200b"),
    "spaces that do not break": lambda _, t: t.replace(" ", "\u00a0"),
    "dashes in ASCII": lambda _, t: t.replace("—", "--").replace("–", "-").replace("’", "'"),
    "no stops": lambda _, t: t.replace(".", "").replace(",", ""),
    "cut in the middle": lambda n, t: gapped(f"{n} {t}", "…"),
    "cut in the middle, in brackets": lambda _, t: gapped(t, "[...]"),
    "cut at the end": lambda _, t: " ".join(t.split()[: 2 * len(t.split()) // 3]) + "...",
    "cut at the beginning": lambda _, t: "… " + " ".join(t.split()[len(t.split()) // 3 :]),
    "words put in, in brackets": lambda _, t: put_in(t, "[or so it says]"),
    "sic": lambda _, t: put_in(t, "[sic]"),
    "footnote": lambda _, t: put_in(t, "game[1]").replace(" game[1]", "[1]"),
}
