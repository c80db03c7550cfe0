"""What each flag of a test means: the attack or the slip that it shows, in one sentence.

It owns the words; it knows no test.
"""

from __future__ import annotations

from typing import Final

NOTES: Final[dict[str, tuple[str, str]]] = {
    # Bytes
    "NoFraming": ("MISSING_STEP", "Items are hashed without their lengths, so that two lists can collide."),
    "WrongFraming": ("WRONG_PRIMITIVE", "A length or a number has another width or byte order."),
    "WrongLabel": ("WRONG_PRIMITIVE", "Another label: a hash or signature of one use would serve another."),
    "WrongOrder": ("WRONG_PRIMITIVE", "The right parts in another order."),
    "WrongHash": ("WRONG_PRIMITIVE", "Another hash, or another part of it."),
    "WrongReduction": ("WRONG_PRIMITIVE", "A number is not the hash, little-endian, modulo the order; or is clamped."),
    "WrongLength": ("MODIFIED_PARAMETER", "Bytes are missing or too many."),
    # Points and scalars
    "Identity": ("MISSING_STEP", "The neutral element: with it a mask masks nothing and a proof proves nothing."),
    "SmallOrder": ("MISSING_STEP", "A point of order 2, 4 or 8: its multiples tell the secret modulo 8."),
    "NonCanonicalPoint": ("MISSING_STEP", "A second encoding of a point, or an encoding of a field element above p."),
    "OffCurve": ("MISSING_STEP", "Bytes that are no point of the curve."),
    "MarkedPoint": (
        "AUTH_BYPASS",
        "An element plus a point of small order: a shuffler marks a card and follows it through the honest shuffle.",
    ),
    "CofactorCleared": ("WRONG_PRIMITIVE", "A result is multiplied by the cofactor."),
    "ScalarNotReduced": ("SIGNATURE_MALLEABILITY", "A scalar not below the order: a second form of the same proof."),
    "NotUniform": ("WRONG_PRIMITIVE", "Not the sum of both maps: such a point is not uniform in the group."),
    "KnownLogarithms": (
        "AUTH_BYPASS",
        "Constants with known logarithms: with them a deck that is no shuffle can be proven.",
    ),
    # Signatures
    "ModifiedMessage": ("MODIFIED_PARAMETER", "The signature is of another message."),
    "ModifiedSignature": ("MODIFIED_PARAMETER", "A bit or a word of the signature is altered."),
    "CofactoredOnly": (
        "CAN_OF_WORMS",
        "Holds only where the equation is multiplied by the cofactor: readers would differ over a record.",
    ),
    "SmallOrderKey": (
        "AUTH_BYPASS",
        "A key of small order: one signature fits many messages, so its owner could disown all of them.",
    ),
    "MixedOrderKey": (
        "AUTH_BYPASS",
        "A key outside the prime-order subgroup, with a signature that libsodium takes: only the door stops it.",
    ),
    # Proofs
    "ModifiedProof": ("MODIFIED_PARAMETER", "A word of a proof is altered."),
    "SwappedWords": ("MODIFIED_PARAMETER", "Two words are swapped."),
    "WrongSession": ("AUTH_BYPASS", "Made for another game."),
    "WrongSeat": ("AUTH_BYPASS", "Made by or for the other seat."),
    "WrongPurpose": ("AUTH_BYPASS", "Made for another use of the same proof."),
    "WrongKey": ("AUTH_BYPASS", "Made with or for another key."),
    "WrongStatement": ("AUTH_BYPASS", "A right proof of something else."),
    "WrongProof": ("AUTH_BYPASS", "A proof of another kind."),
    "RogueKey": ("AUTH_BYPASS", "A key made of the other player's key; its owner does not know its logarithm."),
    "WeakChallenge": (
        "AUTH_BYPASS",
        "A forgery that holds where the challenge leaves out a part of the statement or of the commitment.",
    ),
    "WrongShare": ("AUTH_BYPASS", "A share or an opening that is not the secret times the point."),
    "CancellingErrors": (
        "AUTH_BYPASS",
        "Wrong shares whose errors cancel in the weighted sum, as the weights do not depend on them.",
    ),
    # Cards
    "DuplicateCard": ("AUTH_BYPASS", "One card is there twice."),
    "ReplacedCard": ("AUTH_BYPASS", "A card is replaced by another, or by something that is no card."),
    "EqualHalves": (
        "AUTH_BYPASS",
        "A point stands twice in a list: the share for one card would be the share for another.",
    ),
    "ScaledCards": ("AUTH_BYPASS", "All ciphertexts are multiplied by one factor."),
    "HeldCard": ("AUTH_BYPASS", "A card is denied that is held."),
    "OtherCard": ("AUTH_BYPASS", "One card is named and another opened."),
    "WrongIndex": ("AUTH_BYPASS", "The opening is of another place in the hand."),
    "OldHand": ("AUTH_BYPASS", "Bound to the hand before or after this step."),
    "MissingRemask": ("AUTH_BYPASS", "A hand of two or more batches must be remasked before a card leaves it."),
    "SurplusRemask": ("AUTH_BYPASS", "A hand of one batch must not be remasked."),
    "WrongBatch": ("WRONG_PRIMITIVE", "The list with other batch numbers: its hash is another."),
    # Encoding
    "TrailingBytes": ("CAN_OF_WORMS", "Bytes behind the value: the same message would have many forms."),
    "NonCanonical": ("CAN_OF_WORMS", "A longer form than needed: the same message would have many forms and hashes."),
    "TooLong": ("DENIAL_OF_SERVICE", "Longer than the cap, or claiming to be."),
    "TooDeep": ("DENIAL_OF_SERVICE", "Nested deeper than any message is."),
    "WrongType": (
        "MISSING_STEP",
        "A part of another type: an int is no bool is no float, text is no bytes, nil is nothing.",
    ),
    "WrongArity": ("MISSING_STEP", "Too few or too many parts."),
    "OutOfBounds": ("MISSING_STEP", "A number or a length beyond its bounds."),
    "BadText": ("MISSING_STEP", "Text that is no UTF-8."),
    # The game
    "FalseDigest": ("AUTH_BYPASS", "A digest of another state than the one that follows."),
    "NoAction": ("MISSING_STEP", "Bytes that are no action of the game."),
    "NoOptions": ("MISSING_STEP", "Options that this version does not know, or not in their canonical text."),
    # Logs and notes
    "Truncated": ("MODIFIED_PARAMETER", "The end is missing."),
    "ModifiedFile": (
        "MODIFIED_PARAMETER",
        "A bit of the file is altered; the hashes tell before any proof is looked at.",
    ),
    "NoLog": ("MODIFIED_PARAMETER", "No log at all."),
    "OtherVersion": ("LEGACY", "Of another version of the file or of the protocol; nobody is to blame."),
    "NoEntry": ("MODIFIED_PARAMETER", "An entry that cannot be, or holds neither a record nor a note where it must."),
    "EditedChain": ("AUTH_BYPASS", "Records edited by one who can hash anew but not sign."),
    "SplicedChain": ("AUTH_BYPASS", "Records of another game, each rightly signed there."),
    "Equivocation": ("AUTH_BYPASS", "One seat has signed two different records for one place."),
    "Unknown": ("LEGACY", "A proposal that another version may know: nobody is to blame."),
    "WrongOpener": ("AUTH_BYPASS", "Who opens does not follow from the options."),
    "WrongLink": ("AUTH_BYPASS", "The first game of a match follows none, and every later one does."),
    "OutOfTurn": ("AUTH_BYPASS", "A signed record of a seat or a kind that is not owed now."),
    "WrongSignature": ("AUTH_BYPASS", "Not signed by the seat that it names; proves nothing about anybody."),
    "WrongPlace": ("AUTH_BYPASS", "Names another place in the chain, or another course of the game."),
    "WrongCommitment": (
        "AUTH_BYPASS",
        "The host opens his commitment to something else, chosen after the guest's key.",
    ),
    "MissingShares": ("AUTH_BYPASS", "Shares that are owed are not given."),
    "SurplusShares": ("AUTH_BYPASS", "Shares that are not owed are given."),
    "MissingProof": ("AUTH_BYPASS", "A hidden card is played or denied without its proof."),
    "SurplusProof": ("AUTH_BYPASS", "A proof where none is due."),
    "IllegalMove": ("AUTH_BYPASS", "A rightly proven move that the rules of the game refuse."),
    "SecondNote": ("AUTH_BYPASS", "A second note of one kind by one seat."),
    "WrongClaim": ("AUTH_BYPASS", "The win is claimed by the seat whose turn it is."),
    "EarlyKey": ("AUTH_BYPASS", "A game key is shown before there is a result."),
    "AfterLastWords": ("AUTH_BYPASS", "A record by a seat that had resigned or claimed the win."),
    # The line
    "WrongCode": ("AUTH_BYPASS", "The two sides do not have the same words."),
    "Reflection": ("AUTH_BYPASS", "What a side has sent is sent back to it."),
    "ModifiedPacket": ("MODIFIED_PARAMETER", "A bit of a packet is altered."),
    "Replay": ("AUTH_BYPASS", "Among the packets are some that were opened before, or were never made in this epoch."),
}
