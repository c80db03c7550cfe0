/*
 * Two seats, one chain of records, a line that may do anything, and machines that fall over.
 *
 * This is the session of p2pdurak without its cards: who may sign what when, what is on disk before it is sent, what is
 * repeated, and how a seat that starts again finds back. It is checked in full by `scripts/check-model`.
 *
 *   in the model        in the program                                          in the specification
 *   Player              fairdeck.session, fairdeck.referee, table.one_game      State machine, Write ahead
 *   Sender, Receiver    fairdeck.channel, fairdeck.streams                      Channel
 *   Clock               fairdeck.epochs.Backoff                                 Channel
 *   Handshake           fairdeck.epochs                                         Channel: Epochs
 *   Line                any broker                                              (none: nothing is asked of it)
 *   Mishaps             a process that dies, a disk that comes back older       Write ahead
 *
 * What is left out, and why it may be. Proofs, signatures and encryption are taken as perfect: a packet that comes out
 * of `sealing` was made by the peer. The replay window of `sealing` is missing, so this line can do more than a real
 * one. HELLOs are folded into the one thing they bring about: both running processes hold a fresh epoch, sooner or later
 * and one after the other. Records that come early are dropped here and kept there: both are asked for again. All
 * timers strike together, when nothing is under way. Reading the peer's record and writing it down is one step: a crash
 * between the two is a lost packet.
 *
 * A record is the number of its place and of the attempt: a seat that signs a place again signs something else, because
 * its player may decide otherwise and its proofs draw fresh randomness.
 *
 * Faults have budgets, so that the state space ends: FAULTS packets are lost, doubled or swapped, CRASHES processes die.
 * OLDER_DISK lets a restart find the log without its last record, as from a backup. IN_PLAY lets one seat speak twice in
 * a row, as a bout does. Each mutant below breaks one rule, and must be caught:
 *
 *   SEND_BEFORE_WRITE   a record leaves before it is on disk
 *   NO_SYNC             a seat that starts again signs without asking what the peer holds
 *   UNSEEN_SYNC         ... and believes an answer that the peer gave while it still listened to the dead process
 *   ACKS_ONLY_GROW      a peer who says he has less than before is not believed
 *   NO_RETRANSMIT       every record is sent once an epoch
 *   NO_PLACE_CHECK      whatever comes is the next record
 */

#ifndef FAULTS
#define FAULTS 1
#endif
#ifndef CRASHES
#define CRASHES 2
#endif

#define N 4          /* records in the whole game */
#define ROOM 4       /* packets on their way in one direction */
#define ATTEMPTS 3   /* as many as CRASHES + 1 */
#define UNKNOWN 9    /* more than N */

/* Referee.owed: one seat may speak, and no other. start0 by the host, start1 by the guest, shuffle0, shuffle1. */
#ifdef IN_PLAY
#define OWED(place) ((place) == 1 || (place) == 2)
#else
#define OWED(place) ((place) % 2)
#endif

mtype = { SYNC, RECORD, PING, ACK };

typedef Chain {
    byte n;
    byte record[N]
};

Chain memory[2];     /* Session.records */
Chain disk[2];       /* the log, after fsync */
byte attempts[N];    /* how often a place was signed, for fresh contents */
byte left_as[N];     /* what was sent for a place: to be one thing for ever */

/* One packet: kind, epoch, how many records the sender has on disk, then place and record, or `seen` of a SYNC. */
chan line[2] = [ROOM] of { mtype, byte, byte, byte, byte };

/* Channel and Epochs of each seat: all of it is gone after a crash. */
byte current[2];     /* the epoch in which the peer was heard last; 0 for none */
byte pending[2];     /* an open epoch in which he was not heard yet */
bool pending_due[2]; /* a SYNC is to go out in the pending epoch */
bool synced[2];      /* his SYNC of the current epoch is here */
bool sync_due[2];    /* ours is to go out, for the first time or again */
bool ack_due[2];
bool ping_due[2];
byte peer_next[2];   /* how many records he says are on his disk */
byte sent[2];        /* records below this were sent, or need not be */
byte goal[2];        /* sign nothing before so many records are here; UNKNOWN until the peer has said it */

byte newest;         /* number of the newest epoch */
bool outdated = true;  /* a process has started since, so that a new one must be agreed */

byte faults = FAULTS;
byte crashes = CRASHES;

hidden byte i;       /* counts within one step, and is no part of a state */

#define finished (disk[0].n == N && disk[1].n == N)

/* Two different records for one place never leave a seat whose disk keeps what was written to it. */
inline check_left_once(signed) {
#ifndef OLDER_DISK
    assert(left_as[signed / ATTEMPTS] == 0 || left_as[signed / ATTEMPTS] == signed + 1);
    left_as[signed / ATTEMPTS] = signed + 1;
#endif
    skip
}

/* Both chains say the same as far as both go, and each record stands in its own place. */
inline check_agreement() {
    i = 0;
    do
    :: i == N -> break
    :: else ->
        assert(i >= memory[0].n || i >= memory[1].n || memory[0].record[i] == memory[1].record[i]);
        assert(i >= memory[0].n || memory[0].record[i] / ATTEMPTS == i);
        assert(i >= memory[1].n || memory[1].record[i] / ATTEMPTS == i);
        i++
    od;
    i = 0
}

inline copy(to, from) {
    i = 0;
    to.n = from.n;
    do
    :: i == N -> break
    :: else -> to.record[i] = from.record[i]; i++
    od;
    i = 0
}

/* Every kind of process comes once for each seat: processes 0 and 1, 2 and 3, 4 and 5. */
#define me (_pid % 2)
#define peer (1 - me)

/* --- the player: signs when it is his turn, and writes before anything else ------------------------------------- */

#ifdef NO_SYNC
#define MAY_SIGN true
#else
#define MAY_SIGN (goal[me] <= memory[me].n)
#endif
#define WRITTEN (memory[me].n == disk[me].n)

active [2] proctype Player() {
end:
    do
    :: d_step {
        memory[me].n < N && OWED(memory[me].n) == me && WRITTEN && MAY_SIGN ->
        memory[me].record[memory[me].n] = memory[me].n * ATTEMPTS + attempts[memory[me].n];
        attempts[memory[me].n]++;
        memory[me].n++;
        check_agreement()
       }
    :: d_step { !WRITTEN -> copy(disk[me], memory[me]) }
    od
}

/* --- the sender: SYNC first, then what the peer lacks, then questions and bare acknowledgements ---------------- */

#ifdef SEND_BEFORE_WRITE
#define READY memory[me].n
#else
#define READY disk[me].n
#endif

#define PENDING_SYNC (pending[me] != 0 && pending_due[me])
#define CURRENT_SYNC (current[me] != 0 && sync_due[me])
#define NEW_RECORD (synced[me] && sent[me] < READY)

active [2] proctype Sender() {
end:
    do
    :: d_step {
        nfull(line[peer]) && PENDING_SYNC ->
        line[peer]!SYNC, pending[me], disk[me].n, false, 0;
        pending_due[me] = false
       }
    :: d_step {
        nfull(line[peer]) && !PENDING_SYNC && CURRENT_SYNC ->
        line[peer]!SYNC, current[me], disk[me].n, synced[me], 0;
        sync_due[me] = false
       }
    :: d_step {
        nfull(line[peer]) && !PENDING_SYNC && !CURRENT_SYNC && NEW_RECORD ->
        line[peer]!RECORD, current[me], disk[me].n, sent[me], memory[me].record[sent[me]];
        check_left_once(memory[me].record[sent[me]]);
        sent[me]++;
        ack_due[me] = false
       }
    :: d_step {
        nfull(line[peer]) && !PENDING_SYNC && !CURRENT_SYNC && !NEW_RECORD && synced[me] && ping_due[me] ->
        line[peer]!PING, current[me], disk[me].n, 0, 0;
        ping_due[me] = false;
        ack_due[me] = false
       }
    :: d_step {
        nfull(line[peer]) && !PENDING_SYNC && !CURRENT_SYNC && !NEW_RECORD && synced[me] && !ping_due[me] && ack_due[me] ->
        line[peer]!ACK, current[me], disk[me].n, 0, 0;
        ack_due[me] = false
       }
    od
}

/* --- the receiver ------------------------------------------------------------------------------------------------ */


/* The peer was heard in the pending epoch: it is the current one now, and the one before is heard no more. */
inline confirm(number) {
    current[me] = number;
    pending[me] = 0;
    synced[me] = false;
    sync_due[me] = pending_due[me];
    pending_due[me] = false
}

inline hear_has(count) {
    peer_next[me] = (count > peer_next[me] -> count : peer_next[me]);
    sent[me] = (count > sent[me] -> count : sent[me])
}

inline set_anew(count) {
#ifdef ACKS_ONLY_GROW
    hear_has(count)
#else
    peer_next[me] = count;
    sent[me] = count
#endif
}

/* What a seat that has started again waits for (Channel.peer_moved_on). Only who speaks in the new epoch alone says all
   that he has: until he has heard us in it, he may still take in a record of our dead process, which he does not have
   while he speaks. */
inline hear_where(count) {
    if
    :: goal[me] == UNKNOWN -> goal[me] = count
    :: else
    fi
}

/* The first SYNC of an epoch may say less than before: the peer has come back with an older log. What a seat that has
   started again was waiting for may be gone with it, so it asks anew. */
inline hear_sync(count, seen) {
    if
    :: !seen -> sync_due[me] = true
    :: else
    fi;
    if
    :: synced[me] -> hear_has(count)
    :: else ->
        synced[me] = true;
        set_anew(count);
        goal[me] = (goal[me] > memory[me].n -> UNKNOWN : 0);
        ping_due[me] = goal[me] == UNKNOWN
    fi;
#ifndef UNSEEN_SYNC
    if
    :: seen -> hear_where(count)
    :: else
    fi
#else
    hear_where(count)
#endif
}

inline take(signed) {
    memory[me].record[memory[me].n] = signed;
    memory[me].n++;
    copy(disk[me], memory[me]);
    check_agreement()
}

/* A record of the peer, or one of ours that only he still had. */
inline hear_record(at, signed) {
#ifdef NO_PLACE_CHECK
    if
    :: memory[me].n < N -> take(signed)
    :: else
    fi;
#else
    if
    :: at < memory[me].n -> assert(signed == memory[me].record[at]) /* else the peer, who is honest, stands accused */
    :: at == memory[me].n -> take(signed)
    :: at > memory[me].n /* he sends it again */
    fi;
#endif
    ack_due[me] = true
}

active [2] proctype Receiver() {
    mtype kind;
    byte epoch, place, what, record;
end:
    do
    :: d_step {
        WRITTEN && nempty(line[me]) ->
        line[me]?kind, epoch, place, what, record;
        if
        :: epoch == pending[me] && epoch != 0 -> confirm(epoch)
        :: else
        fi;
        if
        :: epoch == current[me] && epoch != 0 && kind == SYNC -> hear_sync(place, what)
        :: epoch == current[me] && epoch != 0 && kind != SYNC && synced[me] ->
            hear_has(place);
            hear_where(place);
            if
            :: kind == RECORD -> hear_record(what, record)
            :: kind == PING -> ack_due[me] = true
            :: kind == ACK
            fi
        :: else /* of a dead epoch, or it has overtaken its SYNC: as good as lost */
        fi;
        kind = 0; epoch = 0; place = 0; what = 0; record = 0
       }
    od
}

/* --- the clock ----------------------------------------------------------------------------------------------- */

/* Time passes: nothing is on its way any more, and what was not answered is sent again. That a repeat may also come too
   early, beside the packet it repeats, is what the line's doubling stands for. */
#define SILENCE (empty(line[0]) && empty(line[1]))
#define LACKS_PENDING(s) (pending[s] != 0 && !pending_due[s])
#define LACKS_SYNC(s) (current[s] != 0 && !synced[s] && !sync_due[s])
#define LACKS_PONG(s) (synced[s] && goal[s] == UNKNOWN && !ping_due[s])
#ifdef NO_RETRANSMIT
#define LACKS_ACK(s) false
#else
#define LACKS_ACK(s) (synced[s] && sent[s] > peer_next[s])
#endif
#define LACKS(s) (LACKS_PENDING(s) || LACKS_SYNC(s) || LACKS_PONG(s) || LACKS_ACK(s))

inline repeat(seat) {
    pending_due[seat] = pending_due[seat] || LACKS_PENDING(seat);
    sync_due[seat] = sync_due[seat] || LACKS_SYNC(seat);
    ping_due[seat] = ping_due[seat] || LACKS_PONG(seat);
    sent[seat] = (LACKS_ACK(seat) -> peer_next[seat] : sent[seat])
}

active proctype Clock() {
end:
    do
    :: d_step { SILENCE && (LACKS(0) || LACKS(1)) -> repeat(0); repeat(1) }
    od
}

/* --- agreeing on epochs ------------------------------------------------------------------------------------------ */

active proctype Handshake() {
end:
    do
    :: d_step { outdated -> newest++; outdated = false }
    :: d_step { !outdated && current[0] != newest && pending[0] != newest -> pending[0] = newest; pending_due[0] = true }
    :: d_step { !outdated && current[1] != newest && pending[1] != newest -> pending[1] = newest; pending_due[1] = true }
    od
}

/* --- the line: loses, doubles and swaps, as often as its budgets allow --------------------------------------------- */

#define ANY(way) line[way]?kind, epoch, place, what, record
#define AGAIN(way) line[way]!kind, epoch, place, what, record
#define FORGET kind = 0; epoch = 0; place = 0; what = 0; record = 0

active proctype Line() {
    mtype kind;
    byte epoch, place, what, record;
end:
    do
    :: d_step { faults > 0 && nempty(line[0]) -> ANY(0); FORGET; faults-- }
    :: d_step { faults > 0 && nempty(line[1]) -> ANY(1); FORGET; faults-- }
    :: d_step { faults > 0 && nempty(line[0]) && nfull(line[0]) -> ANY(0); AGAIN(0); AGAIN(0); FORGET; faults-- }
    :: d_step { faults > 0 && nempty(line[1]) && nfull(line[1]) -> ANY(1); AGAIN(1); AGAIN(1); FORGET; faults-- }
    :: d_step { faults > 0 && len(line[0]) > 1 -> ANY(0); AGAIN(0); FORGET; faults-- }
    :: d_step { faults > 0 && len(line[1]) > 1 -> ANY(1); AGAIN(1); FORGET; faults-- }
    :: d_step { faults > 0 -> faults = 0 } /* it may also behave from now on */
    od
}

/* --- mishaps: a process dies and starts again with what is on its disk ---------------------------------------------- */

inline lose_last(seat) {
    disk[seat].n--;
    disk[seat].record[disk[seat].n] = 0
}

/* What was on its way to the dead process is of a dead epoch, so it is taken off the line at once. */
inline restart(seat) {
    crashes--;
    do
    :: nempty(line[seat]) -> line[seat]?_, _, _, _, _
    :: else -> break
    od;
    copy(memory[seat], disk[seat]);
    current[seat] = 0;
    pending[seat] = 0;
    pending_due[seat] = false;
    synced[seat] = false;
    sync_due[seat] = false;
    ack_due[seat] = false;
    ping_due[seat] = false;
    peer_next[seat] = 0;
    sent[seat] = 0;
    goal[seat] = UNKNOWN;
    outdated = true
}

active proctype Mishaps() {
end:
    do
    :: d_step { crashes > 0 -> restart(0) }
    :: d_step { crashes > 0 -> restart(1) }
#ifdef OLDER_DISK
    :: d_step { crashes > 0 && disk[0].n > 0 -> lose_last(0); restart(0) }
    :: d_step { crashes > 0 && disk[1].n > 0 -> lose_last(1); restart(1) }
#endif
    :: d_step { crashes > 0 -> crashes = 0 } /* or none dies any more */
    od
}

/* --- what must hold --------------------------------------------------------------------------------------------- */

/* Nothing moves any more: then both have the whole game. */
active proctype Watch() {
end:
    do
    :: timeout -> assert(finished); break
    od
}

/* Whatever happens, in the end both have the whole game and keep it. */
ltl ends { <>[] finished }
