"""The scripts about files that the tools run in a desktop: POSIX shell with GNU's file programs.

Each is a constant; what it is about comes as arguments, in words as `_names` makes them. The invariant: no script is
ever put together from anything that a user or a desktop gave, so there is nothing to quote. A script ends with a status
of `_refusals`, or with a failed program's status and, as its last words, what the system said in the C locale.

They are nested conditions without `exit`, so that what a program complained about is never lost on the way out.
"""

from __future__ import annotations

from typing import Final

WORD: Final = r"""
w() {
    case $1 in
        l*) v=${1#?} ;;
        h) v=$HOME ;;
        h*) v=$HOME/${1#?} ;;
        *) v=$(printf %s "${1#?}" | base64 -d; echo .)
           v=${v%.}
           case $1 in H*) v=$HOME/$v ;; esac ;;
    esac
}
there() { [ -e "$1" ] || [ -L "$1" ]; }
"""
"""`w WORD` puts what a word means into `$v`; `there PATH` tells whether there is anything, be it a dangling link."""

_FILES = (
    WORD
    + r"""
export LC_ALL=C
unset CDPATH
umask 022
miss() { ls -d -- "$1" >/dev/null; }
sum() {
    s=$(sha256sum -- "$1")
    s=${s#\\}
    s=${s%% *}
}
told() {
    printf %s "$1" | base64 -w 0
    echo
    find $2 "$1" -maxdepth 0 -printf '%y %s %m %T@ %u\0%l\0\0' | base64 -w 0
}
"""
)
"""`told PATH [-L]` prints a path and what is there, both in base64; `miss PATH` makes the system say what it lacks;
`sum PATH` puts the SHA-256 of a file into `$s`. (Where the name has a backslash, sha256sum puts one before the sum.)"""

STAT: Final = (
    _FILES
    + r"""
w "$1"
if [ "$2" = follow ]; then
    if [ -e "$v" ]; then told "$v" -L; else miss "$v/."; fi
elif there "$v"; then told "$v"; else miss "$v"; fi
"""
)
"""WORD follow|itself: what is there."""

EXISTS: Final = (
    _FILES
    + r"""
w "$1"
if there "$v"; then echo yes; else echo no; fi
"""
)
"""WORD: `yes` or `no`."""

LIST: Final = (
    _FILES
    + r"""
w "$1"
if ! [ -d "$v" ]; then
    if there "$v"; then (exit 43); else miss "$v"; fi
elif ! [ -r "$v" ] || ! [ -x "$v" ]; then
    (exit 45)
else
    printf %s "$v" | base64 -w 0
    echo
    find "$v/" -mindepth 1 -maxdepth "$2" -printf '%y %s %m %T@ %u\0%l\0%P\0' 2>/dev/null | head -c "$3" | base64 -w 0
fi
"""
)
"""WORD DEPTH BYTES: the folder's path, and what is in it down to a depth, as much as goes into so many bytes."""

READ: Final = (
    _FILES
    + r"""
w "$1"
if [ -d "$v" ]; then
    (exit 44)
elif ! [ -e "$v" ]; then
    miss "$v/."
elif ! [ -f "$v" ]; then
    (exit 47)
elif ! [ -r "$v" ]; then
    (exit 45)
else
    told "$v" -L
    echo
    dd if="$v" bs=1M iflag=skip_bytes,count_bytes,fullblock skip="$2" count="$3" status=none | base64 -w 0
fi
"""
)
"""WORD OFFSET LENGTH: what is there, and a part of its content."""

SUM: Final = (
    _FILES
    + r"""
w "$1"
if [ -f "$v" ]; then sum "$v" && echo "$s"; else miss "$v/."; fi
"""
)
"""WORD: the sum of a file's content."""

DEEPEST: Final = 1000
"""Folders below each other that a recursive listing goes down."""
LIST_BYTES: Final = 10 * 1024 * 1024
"""Bytes of a listing; in base64 they are less than a server's limit for what a command prints."""

_WRITING = (
    _FILES
    + r"""
aim() {
    w "$2"
    d=$v
    w "$1"
    t=$v
    p=$d/.drums-$5.part
    if [ -L "$t" ]; then
        (exit 50)
    elif [ -d "$t" ]; then
        (exit 44)
    elif [ -e "$t" ] && [ "$4" != yes ]; then
        (exit 42)
    elif [ -e "$t" ] && ! [ -w "$t" ]; then
        (exit 45)
    elif [ -d "$d" ]; then
        :
    elif there "$d"; then
        (exit 43)
    elif [ "$3" = yes ]; then
        mkdir -p -- "$d"
    else
        miss "$d"
    fi
}
part() { ( umask 077; set -C; : >"$p" ); }
fill() { for a in "$@"; do printf %s "$a"; done | base64 -d; }
finish() {
    sum "$p"
    m=$2
    if [ -z "$m" ]; then m=$(stat -c %a -- "$t" 2>/dev/null); fi
    if [ "$s" != "$1" ]; then
        rm -f -- "$p"
        (exit 46)
    elif ! chmod "${m:-644}" -- "$p"; then
        rm -f -- "$p"
        (exit 45)
    elif [ "$3" = yes ]; then
        mv -T -f -- "$p" "$t" && told "$t"
    elif ln -T -- "$p" "$t"; then
        rm -f -- "$p"
        told "$t"
    else
        rm -f -- "$p"
        (exit 42)
    fi
}
"""
)
"""A file is written beside its place as `$p`, and renamed when its sum is right: nobody ever sees half of it."""

PUT: Final = (
    _WRITING
    + r"""
aim "$1" "$2" "$3" "$4" "$5"
code=$?
if [ "$code" != 0 ]; then
    (exit "$code")
elif part; then
    over=$4 sum=$6 mode=$7
    shift 7
    fill "$@" >"$p"
    finish "$sum" "$mode" "$over"
else
    (exit 49)
fi
"""
)
"""WORD FOLDER PARENTS OVERWRITE TOKEN SUM MODE DATA…: write a file at once."""

BEGIN: Final = (
    _WRITING
    + r"""
aim "$1" "$2" "$3" "$4" "$5"
code=$?
if [ "$code" != 0 ]; then
    (exit "$code")
else
    part && printf %s "$p" | base64 -w 0
fi
"""
)
"""WORD FOLDER PARENTS OVERWRITE TOKEN: make room for a file; prints where its parts go."""

RESOLVE: Final = (
    _FILES
    + r"""
w "$1"
if readlink -f -- "$v" >/dev/null; then readlink -f -- "$v" | base64 -w 0; else miss "$v/."; fi
"""
)
"""WORD: where a link leads, with a line end behind it."""

FILL: Final = (
    _WRITING
    + r"""
w "$1"
seek=$2
shift 2
fill "$@" | dd of="$v" bs=1M iflag=fullblock oflag=seek_bytes conv=notrunc,nocreat seek="$seek" status=none
"""
)
"""WORD OFFSET DATA…: a part of a file."""

FINISH: Final = (
    _WRITING
    + r"""
w "$1"
p=$v
w "$2"
t=$v
finish "$3" "$4" "$5"
"""
)
"""WORD WORD SUM MODE OVERWRITE: all parts are there; put the file in its place."""

APPEND: Final = (
    _WRITING
    + r"""
w "$1"
if [ -d "$v" ]; then
    (exit 44)
else
    shift
    fill "$@" >>"$v" && told "$v" -L
fi
"""
)
"""WORD DATA…: add to a file."""

JOIN: Final = (
    _WRITING
    + r"""
w "$1"
p=$v
w "$2"
sum "$p"
if [ -d "$v" ]; then
    rm -f -- "$p"
    (exit 44)
elif [ "$s" != "$3" ]; then
    rm -f -- "$p"
    (exit 46)
elif cat -- "$p" >>"$v"; then
    rm -f -- "$p"
    told "$v" -L
else
    rm -f -- "$p"
    (exit 45)
fi
"""
)
"""WORD WORD SUM: all parts are there; add them to a file."""

DROP: Final = _FILES + 'w "$1"\nrm -f -- "$v"\n'
"""WORD: forget a file that was begun."""

MKDIR: Final = (
    _FILES
    + r"""
w "$1"
if [ -d "$v" ] && [ "$3" = yes ]; then
    told "$v" -L
elif there "$v"; then
    (exit 42)
elif [ "$2" = yes ]; then
    mkdir -p -- "$v" && told "$v"
else
    mkdir -- "$v" && told "$v"
fi
"""
)
"""WORD PARENTS EXIST_OK: make a folder."""

_TWO = (
    _FILES
    + r"""
w "$1"
s=$v
w "$3"
d=$v
w "$2"
t=$v
p=$d/.drums-$5.part
clear() {
    if ! there "$s"; then
        miss "$s"
    elif [ -d "$t" ]; then
        (exit 42)
    elif there "$t" && [ "$1" != yes ]; then
        (exit 42)
    elif there "$t" && [ -d "$s" ] && ! [ -L "$s" ]; then
        (exit 42)
    elif ! [ -d "$d" ]; then
        (exit 48)
    else
        :
    fi
}
"""
)

MOVE: Final = (
    _TWO
    + r"""
clear "$4"
code=$?
if [ "$code" = 0 ]; then mv -T -f -- "$s" "$t" && told "$t"; else (exit "$code"); fi
"""
)
"""WORD WORD FOLDER OVERWRITE TOKEN: rename; the folder is that of the second."""

COPY: Final = (
    _TWO
    + r"""
clear "$4"
code=$?
if [ "$code" = 0 ]; then
    if cp -a -T -- "$s" "$p" && mv -T -f -- "$p" "$t"; then
        told "$t"
    else
        rm -rf -- "$p"
        (exit 49)
    fi
else
    (exit "$code")
fi
"""
)
"""WORD WORD FOLDER OVERWRITE TOKEN: copy beside the new place, then rename."""

REMOVE: Final = (
    _FILES
    + r"""
w "$1"
if ! there "$v"; then
    miss "$v"
elif ! [ -d "$v" ] || [ -L "$v" ]; then
    rm -f -- "$v"
elif [ "$2" = yes ]; then
    rm -rf -- "$v"
else
    rmdir -- "$v"
fi
"""
)
"""WORD RECURSIVE: remove."""

OPEN: Final = (
    WORD
    + r"""
w "$1"
if ! [ -e "$v" ]; then
    LC_ALL=C ls -d -- "$v/." >/dev/null
elif ! command -v xdg-open >/dev/null; then
    (exit 127)
else
    setsid xdg-open "$v" </dev/null >/dev/null 2>&1 &
fi
"""
)
"""WORD: open with the program that is made for it, and don't wait for it."""

PYTHON: Final = (
    WORD
    + r"""
unset NO_AT_BRIDGE
w "$2"
if command -v python3 >/dev/null; then python3 -I -c "$1" "$v" "$3" "$4"; else (exit 127); fi
"""
)
"""PROGRAM WORD NUMBER NUMBER: run a Python program of ours."""
