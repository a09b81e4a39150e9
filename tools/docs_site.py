"""What the documentation site gets at build time: pictures, a page for each edition, the reference, and sources.

A hook of mkdocs (mkdocs.yml), so that nothing drawn or listed here can become stale.
"""

from __future__ import annotations

import posixpath
import re
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import quiltwork
from quiltwork import (
    Advance,
    Edition,
    Game,
    NotationError,
    PlaceSpecialPatch,
    Position,
    Replenish,
    TakePatch,
    available_editions,
    envs,
    load_edition,
)
from quiltwork.render.svg import patch_svg
from quiltwork.speech import Speech, capital
from quiltwork.terminal.rules import rules_paragraphs
from quiltwork.themes import load_theme

ROOT = Path(__file__).parents[1]
FENCE = re.compile(r"^```position\n(.*?)\n```$", re.MULTILINE | re.DOTALL)
LINK_OUTSIDE = re.compile(r"\[([^\]]*)\]\(\.\./([^)#\s]+)\)")
LOADED_FROM_ELSEWHERE = re.compile(
    r"""<(?!a\b)[^<>]*\s(?:src|href|srcset|data)=["']?(?:https?:)?//[^<>]*>|@import[^;]*//|url\(["']?(?:https?:)?//[^)]*"""
)
PUBLIC_NAMES = "<!-- public names -->"
NAMES_OF_ENVIRONMENTS = "<!-- public names of the environments -->"
GYMNASIUM = ("quiltwork.envs.single.QuiltworkEnv", "quiltwork.envs.vector.QuiltworkVectorEnv")
LANGUAGES = {".py": "python", ".toml": "toml", ".md": "markdown"}


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Adds a page for each edition, and one for each source to which a page links."""
    for name in available_editions():
        files.append(File.generated(config, f"editions/{name}.md", content=edition_page(name, files, config)))
    linked = {
        path
        for file in files.documentation_pages()
        for _, path in LINK_OUTSIDE.findall(file.content_string)
        if (ROOT / path).is_file()
    }
    for path in sorted(linked):
        text = (ROOT / path).read_text("utf-8")
        code = fenced(text, LANGUAGES.get(Path(path).suffix, "text"))
        page = f"---\nsearch:\n  exclude: true\n---\n# {path}\n\n{code}\n"
        source = File.generated(config, f"sources/{path}.md", content=page)
        source.inclusion = source.inclusion.NOT_IN_NAV
        files.append(source)
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Draws positions, lists the public names, and leads links out of docs/ to the copies of sources."""
    folder = posixpath.dirname(page.file.src_uri)

    def drawn(fence: re.Match[str]) -> str:
        try:
            position = Position.parse(fence[1].strip())
        except NotationError as error:
            raise PluginError(f"{page.file.src_uri}: {error}") from error
        address = add_picture(position.svg(size=880), files, config)
        return f"![{position.text}]({posixpath.relpath(address, folder or '.')})\n\n`{position.text}`"

    def inside(link: re.Match[str]) -> str:
        return f"[{link[1]}](sources/{link[2]}.md)" if (ROOT / link[2]).is_file() else link[1]

    markdown = FENCE.sub(drawn, markdown)
    if not folder:  # "../" leads out of docs/ only from its top
        markdown = LINK_OUTSIDE.sub(inside, markdown)
    markdown = markdown.replace(NAMES_OF_ENVIRONMENTS, directives(environment_names()))
    return markdown.replace(PUBLIC_NAMES, directives(public_names()))


def on_post_build(*, config: MkDocsConfig) -> None:
    """Refuses a site that loads anything from elsewhere."""
    site = Path(config.site_dir)
    for path in sorted([*site.rglob("*.html"), *site.rglob("*.css")]):
        if found := LOADED_FROM_ELSEWHERE.search(path.read_text("utf-8")):
            raise PluginError(f"{path.relative_to(site)} loads from elsewhere: {found[0]}")


def public_names() -> list[str]:
    """Where each public name of the library is defined."""
    names = [name for name in quiltwork.__all__ if not name.startswith("_")]
    return [f"quiltwork.{quiltwork._MODULE_OF[name]}.{name}" for name in names]


def environment_names() -> list[str]:
    """The public names of the environments, and the classes that Gymnasium makes."""
    return [*(f"quiltwork.envs.{name}" for name in envs.__all__), *GYMNASIUM]


def directives(paths: list[str]) -> str:
    """A directive for each path; mkdocstrings writes what it says."""
    return "\n\n".join(f"::: {path}" for path in paths)


def add_picture(svg: str, files: Files, config: MkDocsConfig) -> str:
    """Adds a picture to the site; its address there."""
    address = f"pictures/{sha256(svg.encode()).hexdigest()[:16]}.svg"
    if address not in files.src_uris:
        files.append(File.generated(config, address, content=svg))
    return address


def edition_page(name: str, files: Files, config: MkDocsConfig) -> str:
    """The rules of an edition in its own words, its table at the start, and its patches."""
    edition = load_edition(name)
    speech = Speech(edition, load_theme(edition.theme))
    drawn = {
        capital(speech.say(f"rules.{key}.head")): rule_picture(svg, files, config)
        for key, svg in rule_pictures(name).items()
    }
    rules = [f"## {heading}\n\n{text}{drawn.get(heading, '')}" for heading, text in rules_paragraphs(speech)]
    start = f"```position\n{Position.initial(name, deal=1).text}\n```"
    unverified = [f"* {sentence}" for sentence in edition.source.unverified]
    return "\n\n".join(
        [
            f"# {edition.title}",
            start,
            *rules,
            "\n".join(unverified),
            "## Patches",
            patch_table(edition, files, config),
            "The rulings with their sources are in [the rules as implemented](../rules.md).",
        ]
    )


def rule_pictures(name: str) -> dict[str, str]:
    """A picture (SVG) for each rule that has one, from the example record of an edition."""
    record = Game.parse((ROOT / f"tests/data/{name}.quilt").read_text("utf-8"))
    nodes = list(record.root.main_line())
    edition = record.edition
    example = next((p for p in edition.patches.values() if p.income), next(iter(edition.patches.values())))
    pictures = {"patch": patch_svg(example, load_theme(edition.theme), size=120)}
    for before, node in pairwise(nodes):
        position, move, mover = before.position, node.move, node.mover
        take = (
            isinstance(move, TakePatch) and move.placement is not None and len(position.player(1).placements) > 1
        )
        if take and "take" not in pictures:
            pictures["take"] = position.svg(size=880, ghost=move)
        if isinstance(move, Advance) and move.spaces > 1:
            pictures.setdefault("advance", position.circle_svg(size=440))
        if isinstance(move, PlaceSpecialPatch) and move.cell is not None:
            pictures.setdefault("special", position.svg(size=440, player=mover, ghost=move))
        if isinstance(move, Replenish):
            pictures.setdefault("reserve", node.position.circle_svg(size=440))
        if node.position.tile is not None:
            pictures.setdefault("tile", node.position.svg(size=440, player=node.position.tile))
    return pictures | {"end": nodes[-1].position.svg(size=880)}


def rule_picture(svg: str, files: Files, config: MkDocsConfig) -> str:
    """A picture below the text of its rule, told by the picture's own title."""
    told = re.search(r"<title>(.*?)</title>", svg)
    return f"\n\n![{told[1] if told else ''}]({posixpath.relpath(add_picture(svg, files, config), 'editions')})"


def patch_table(edition: Edition, files: Files, config: MkDocsConfig) -> str:
    """Every patch with its picture and figures."""
    theme = load_theme(edition.theme)
    rows = ["| code | patch | cost | time | income | |", "|---|---|---|---|---|---|"]
    for patch in edition.patches.values():
        address = add_picture(
            patch_svg(patch, theme, size=18 * max(len(row) for row in patch.shape)), files, config
        )
        where = "reserve" if patch.reserve else "start patch" if patch.code == edition.start_patch else ""
        picture = f"![{patch.code}]({posixpath.relpath(address, 'editions')})"
        rows.append(f"| `{patch.code}` | {picture} | {patch.buttons} | {patch.time} | {patch.income} | {where} |")
    return "\n".join(rows)


def fenced(text: str, language: str) -> str:
    """A text as a block of code, whatever fences it has itself."""
    return f"````{language}\n{text.rstrip()}\n````"
