"""The page of a review: whole, on its own, and inert whatever the names are."""

import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from guesswork import guesswork

from bgnet.engine.cube_search import CubeSearch
from bgnet.engine.review import Review, review
from bgnet.frontends.review_html import page
from bgnet.frontends.review_plot import plot
from bgnet.game.variants import STANDARD
from bgnet.notation.mat import parse_mat
from bgnet.notation.record import MatchRecord

EVIL = ('<script>alert(1)</script>"onload="x', "</title><img src=x onerror=alert(1)>&amp;\x1b")
VOID = {"meta", "br", "img", "link", "input"}
MATCH = parse_mat((Path(__file__).parent / "golden" / "match.mat").read_text())


class Page(HTMLParser):
    """The tags of a page, which must be closed in the order in which they were opened."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str]] = []
        self.text = ""
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def named(self, name: str) -> list[str]:
        """The values of all attributes of this name."""
        return [value for key, value in self.attributes if key == name]


@pytest.fixture(scope="module")
def reviewed() -> Review:
    record = replace(MATCH, games=MATCH.games[2:4], players=EVIL)
    return review(record, CubeSearch(guesswork(STANDARD)))


def test_the_page_is_whole(reviewed: Review) -> None:
    read = Page(page(reviewed, "guesswork"))
    assert read.open == []
    errors = reviewed.errors
    assert read.tags["article"] == len(errors) > 5
    assert read.tags["svg"] == len(errors) + 1  # a board each, and the course of the match
    places = read.named("id")
    assert len(set(places)) == len(places)
    assert {link.removeprefix("#") for link in read.named("href")} == set(places)
    for word in ("performance rating (PR)", "blunder from 0.08", "Game 2, at 1 : 3", "guesswork"):
        assert word in read.text


def test_names_are_inert_and_nothing_is_loaded(reviewed: Review) -> None:
    text = page(reviewed, "<script>net</script>")
    read = Page(text)
    assert not read.tags.keys() & {"script", "img", "link", "iframe", "object", "base", "form"}
    assert not [name for name, _ in read.attributes if name.startswith("on") or name == "src"]
    assert all(link.startswith("#") for link in read.named("href"))
    outside = re.sub(r'xmlns="http://www\.w3\.org/2000/svg"', "", text)
    assert "http:" not in outside and "https:" not in outside and "url(" not in outside
    assert EVIL[0] in read.text and "\x1b" not in text


def test_the_plot_is_xml_with_a_dot_for_every_error(reviewed: Review) -> None:
    places = {id(d): f"d{n}" for n, d in enumerate(reviewed.decisions)}
    drawn = ElementTree.fromstring(plot(reviewed, places))
    dots = list(drawn.iter("{http://www.w3.org/2000/svg}circle"))
    assert len(dots) == len(reviewed.errors)
    course = next(drawn.iter("{http://www.w3.org/2000/svg}polyline")).attrib["points"].split()
    assert len(course) == sum(len(game.course) for game in reviewed.games)
    heights = [float(point.partition(",")[2]) for point in course]
    assert min(heights) >= 0 and max(heights) <= 300


def test_money_and_nothing() -> None:
    empty = review(MatchRecord(("", ""), 0, ()), CubeSearch(guesswork(STANDARD)))
    read = Page(page(empty, "guesswork"))
    assert "player 1 against player 2, money" in read.text and "None." in read.text
    record = replace(MATCH, length=0, games=(replace(MATCH.games[2], scores=(3, 5)),))
    money = page(review(record, CubeSearch(guesswork(STANDARD))), "guesswork")
    assert "points that gnubg is ahead" in money and "match won" not in money
