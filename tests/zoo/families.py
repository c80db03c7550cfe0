"""All families of the zoo, in the order in which a game offers the occasion."""

from __future__ import annotations

from typing import Final

from tests.zoo import chain, decks, denials, introductions, notes, openings, remasks, shares

FAMILIES: Final = (
    *introductions.FAMILIES,
    *decks.FAMILIES,
    *shares.FAMILIES,
    *openings.FAMILIES,
    *remasks.FAMILIES,
    *denials.FAMILIES,
    *chain.FAMILIES,
    *notes.FAMILIES,
)
