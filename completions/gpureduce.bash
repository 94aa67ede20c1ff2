# SPDX-License-Identifier: MIT
# Completion for bash. The program says what a word may become, so that there is
# no list of options here; src/plan/complete.h has the form. No text of the line
# or of a file is evaluated.

# Sets plain to a word of the line without its quotes, quote to the one that is
# open at its end, and inside to what follows that.
_gpureduce_unquote() {
    local text=$1 c
    plain='' quote='' inside=$1
    if [[ $text == \~/* ]]; then
        plain=$HOME text=${text:1}
    fi
    while [[ $text ]]; do
        c=${text:0:1} text=${text:1}
        case $quote$c in
        \\ | \"\\) plain+=${text:0:1} text=${text:1} ;;
        \' | \") quote=$c inside=$text ;;
        \'\' | \"\") quote='' ;;
        *) plain+=$c ;;
        esac
    done
}

# Sets quoted to the text as it has to be typed after that quote.
_gpureduce_quote() {
    local text=$1 c
    quoted=''
    while [[ $text ]]; do
        c=${text:0:1} text=${text:1}
        case $quote$c in
        \'\') c="'\\''" ;;
        \"[\$\`\"\\]) c=\\$c ;;
        [\'\"]? | [[:alnum:]_.,:=/@%+-] | [^\ -~]) ;;
        *) c=\\$c ;;
        esac
        quoted+=$c
    done
}

# Of the line, which bash has split at each : and =: sets words, count to how
# many come before the one that is typed, last to that, as it is, up to the
# cursor, and piece to the part of it that readline replaces.
_gpureduce_words() {
    local line=$1 typed=$2 i
    words=() count=-1
    for i in "${!COMP_WORDS[@]}"; do
        if [[ $i == 0 || $line == [[:blank:]]* ]]; then
            words+=('')
            line=${line#"${line%%[![:blank:]]*}"}
        fi
        if ((i == COMP_CWORD)); then
            count=$((${#words[@]} - 2))
            piece=${typed:${#1}-${#line}}
            last=${words[-1]}$piece
            # Of a cursor between blanks bash gives the word after it.
            ((${#1} - ${#line} <= ${#typed})) || words+=('')
        fi
        line=${line#"${COMP_WORDS[i]}"}
        words[-1]+=${COMP_WORDS[i]}
    done
    words[count + 1]=$last
    [[ ${piece//["$COMP_WORDBREAKS"]/} ]] || piece=''
}

_gpureduce() {
    local typed=${COMP_LINE:0:COMP_POINT}
    local LC_ALL=C # bytes from here on, not characters
    local program=gpureduce words count last piece plain quote inside quoted
    local answer i
    COMPREPLY=()
    _gpureduce_words "$COMP_LINE" "$typed"
    for i in "${!words[@]}"; do
        _gpureduce_unquote "${words[i]}"
        words[i]=$plain
    done
    [[ ${words[0]} != */* ]] || program=${words[0]}
    _gpureduce_unquote "$last"
    [[ ! $quote ]] || piece=$inside
    while IFS= read -r answer; do
        case $answer in
        files) return ;; # readline's own completion, by -o default
        list) compopt -o nospace 2>/dev/null ;;
        *)
            answer=${answer%%$'\t'*}
            # A history event even between these quotes.
            [[ $quote != \" || $answer != *!* ]] || continue
            _gpureduce_quote "${answer#"$plain"}"
            COMPREPLY+=("$piece$quoted")
            ;;
        esac
    done < <(command "$program" --complete "$count" "${words[@]:1}" 2>/dev/null)
    compopt +o default +o bashdefault 2>/dev/null
}

complete -o bashdefault -o default -F _gpureduce gpureduce
