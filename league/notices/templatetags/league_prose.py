"""Texts of the league on a page: paragraphs, headings and lists from plain text; nothing in it is markup of ours."""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def prose(text: str) -> SafeString:
    """Blank lines part paragraphs, ``## `` begins a heading, ``- `` an item of a list."""
    blocks = ("\n".join(line.strip() for line in text.splitlines())).split("\n\n")
    return format_html_join("\n", "{}", ((_block(block),) for block in blocks if block.strip()))


def _block(block: str) -> SafeString:
    lines = [line for line in block.splitlines() if line]
    if lines[0].startswith("## "):
        head = format_html("<h2>{}</h2>", lines[0][3:])
        return format_html("{}\n{}", head, _block("\n".join(lines[1:]))) if lines[1:] else head
    if all(line.startswith("- ") for line in lines):
        return format_html("<ul>{}</ul>", format_html_join("", "<li>{}</li>", ((line[2:],) for line in lines)))
    return format_html("<p>{}</p>", format_html_join(format_html("<br{}>", ""), "{}", ((line,) for line in lines)))
