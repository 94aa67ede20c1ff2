# SPDX-License-Identifier: MIT
# Completion for fish. The program says what a word may become, so that there is
# no list of options here; src/plan/complete.h has the form. No text of the line
# or of a file is evaluated. fish does not show what stands after the cursor.

function __gpureduce_complete
    set -l program gpureduce
    set -l before (commandline -opc)
    set -l word (commandline -ct)
    # With the quote that is still open closed.
    set -l plain (string unescape -- $word
        or string unescape -- $word\'
        or string unescape -- $word\")
    if string match -q '*/*' -- $before[1]
        set program $before[1]
    end
    set -e before[1]
    set -l words (string replace -r '^~/' $HOME/ -- $before "$plain")
    for answer in (command $program --complete (count $before) $words 2>/dev/null)
        switch $answer
            case list
            case '~*' # fish would leave it to be expanded
            case files
                set -l option (string match -r '^--[^=]+=' -- $plain)
                for file in (__fish_complete_path (string replace -r '^--[^=]+=' '' -- $plain))
                    echo "$option"$file
                end
            case '*'
                echo $answer
        end
    end
end

complete -c gpureduce -f -a '(__gpureduce_complete)'
