# shellcheck shell=sh
# Read by the scripts one folder up, which set `root`: makes sure that $root/.venv holds what they need.
# It knows how to see that nothing is to be done, and how to find a Python; the work itself is in setup.py.

venv=${root:?}/.venv
python=$venv/bin/python

say() {
    printf 'p2pdurak: %s\n' "$*" >&2
}

# set_up EXTRA: returns at once when .venv is ready for EXTRA (broker, test or dev), else makes it so or exits.
set_up() {
    # A moved checkout needs a new set-up as much as a changed pyproject.toml does: the install points at the folder.
    setup_state="$(cksum <"$root/pyproject.toml") $root"
    if ! is_ready "$1"; then
        setup_python=$(find_python) || exit 1
        "$setup_python" "$root/scripts/lib/setup.py" "$1" "$setup_state" || exit
    fi
}

# The stamp's two lines: the state that was installed, and the Python (links resolved) that it was installed for.
is_ready() {
    { IFS= read -r made_from && IFS= read -r made_with; } 2>/dev/null <"$venv/ready-$1" || return 1
    [ "$made_from" = "$setup_state" ] && [ "$python" -ef "$made_with" ]
}

# Prints the first Python that will do. `python3` comes first: it is the one that the owner of the machine chose.
# The one in .venv comes last: it may be half made.
find_python() {
    too_old=''
    no_venv=''
    for candidate in python3 python3.13 python3.12 python3.11 "$python"; do
        facts=$("$candidate" -c '
import importlib.util, sys
parts = [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name)]
print("%d.%d" % sys.version_info[:2], "new" if sys.version_info >= (3, 11) else "old", len(parts))
' 2>/dev/null) || continue
        case $facts in
        *" old "*) too_old=$too_old${too_old:+, }${facts%% *} ;;
        *" new 2") printf '%s\n' "$candidate" && return ;;
        *" new "*) no_venv=${facts%% *} ;;
        esac
    done
    if [ -n "$no_venv" ]; then
        say "Python $no_venv is here without its venv part: install it (Debian, Ubuntu: apt install python3-venv)" \
            "and start again."
    elif [ -n "$too_old" ]; then
        say "needs Python 3.11 or newer and finds only $too_old: install a newer one (https://www.python.org/downloads)" \
            "and start again."
    else
        say "needs Python 3.11 or newer and finds none: install it (Debian, Ubuntu: apt install python3 python3-venv;" \
            "others: https://www.python.org/downloads) and start again."
    fi
    return 1
}
