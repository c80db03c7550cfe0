"""How two programs with one join code find each other and agree on a secret, over a place that everybody can see.

It owns two machines, their packets and their sentences; it does no I/O and knows no clock, broker or game.

    guest                                   host
      OPEN    his PAKE message     --->       a run is open; others are told BUSY
      <---    ANSWER  her PAKE message
      CONFIRM his proof of the key --->       right: Met. Wrong: a try is used up
      <---    ACCEPT  her proof, or WRONG

Every attempt of a guest is a fresh run of the PAKE, and a host grants eight runs a code, one at a time and one a
second. So whoever has only the nameplate can be a nuisance, and guesses the words with a chance of 8 in 2^33.
Nothing depends on the arrival of a packet: the guest repeats his until he is answered, and the host answers a copy
as she answered the first. BUSY, WRONG and GONE prove nothing about their sender.
"""

from p2pdurak.rendezvous.guest import GuestMeeting
from p2pdurak.rendezvous.host import HostMeeting
from p2pdurak.rendezvous.packets import RendezvousTopics, topics

__all__ = ["GuestMeeting", "HostMeeting", "RendezvousTopics", "topics"]
