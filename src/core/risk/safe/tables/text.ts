import type { ShellScope } from '../../scope.ts';
import type { Arg } from '../../types.ts';
import { programs } from '../table.ts';
import { isInside } from '../trust.ts';

const trees = ['-r', '-R', '-d', '--recursive', '--dereference-recursive', '--directories'];
const isBelow = (operands: readonly Arg[], scope: ShellScope): boolean =>
  isInside('.', scope) && operands.every((arg) => isInside(arg.value, scope));

/** Programs that show files, or what is known about them. */
export const textRows = [
  // Nothing that they could be given does harm: not even an option that is only known when it runs.
  ...programs(`
    echo true false : ; * ; any
    pwd ; -LP --logical --physical ; any
    basename ; -azs? --multiple --zero --suffix= --help --version ; any
    dirname ; -z --zero --help --version ; any
    sleep ; --help --version ; any
    ls dir vdir ; -aAbBcCdDfFgGhHiIklLmnNopqQrRsStTuUvwxXZ1@Oe%W --all --almost-all --author --block-size= --classify?
      --color? --context --dereference --dereference-command-line --dereference-command-line-symlink-to-dir --directory
      --escape --file-type --format= --full-time --group-directories-first --help --hide= --hide-control-chars
      --human-readable --hyperlink? --ignore= --ignore-backups --indicator-style= --inode --kibibytes --literal --no-group
      --numeric-uid-gid --quote-name --quoting-style= --recursive --reverse --show-control-chars --si --size --sort=
      --tabsize= --time= --time-style= --version --width= --zero ; any
    eza exa lsd ; -1aAbBdDfFgGhHiIlLmnoPRrsSTtuUxX@ --accessed --all --almost-all --binary --blocks --bytes --changed
      --classify? --color= --colour= --color-scale? --created --across --extended --git --git-ignore --grid --group
      --group-directories-first --header --help --human-readable --icon= --icons? --ignore-glob= --inode --level= --links
      --list-dirs --long --modified --no-filesize --no-icons --no-permissions --no-time --no-user --oneline --only-dirs
      --only-files --recurse --reverse --sort= --time= --time-style= --total-size --tree --version ; any
    stat ; -fFLlnqrstxct? -c= --cached= --dereference --file-system --format= --help --printf= --terse --version ; any
    du ; -0aAbBcdDgHhIkLlmnPsStxr? --all --apparent-size --block-size= --bytes --count-links --dereference
      --dereference-args --exclude= --help --human-readable --inodes --max-depth= --no-dereference --null --one-file-system
      --separate-dirs --si --summarize --threshold= --time? --time-style= --total --version ; any
    df ; -aBbghHiIklmnPtTvxY? --all --block-size= --exclude-type= --help --human-readable --inodes --local --no-sync
      --output? --portability --print-type --si --total --type= --version ; any
    realpath ; -ePLmqszE --canonicalize --canonicalize-existing --canonicalize-missing --help --logical --no-symlinks
      --physical --quiet --relative-base= --relative-to= --strip --version --zero ; any
    readlink ; -efmnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --help --no-newline --quiet
      --silent --verbose --version --zero ; any
    wc ; -clLmw --bytes --chars --help --lines --max-line-length --total= --version --words ; any
    cksum sum ; -abrsoz? --algorithm= --base64 --help --length= --raw --sysv --tag --untagged --version --zero ; any
    md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum ; -btz --binary --help --length= --tag --text --version
      --zero ; any
    shasum ; -ab0U? --algorithm= --binary --help --portable --text --UNIVERSAL --version ; any
    md5 ; -npqrx ; any
  `),
  ...programs(`
    cat tac ; -AbeEnstTuvrl --before --help --number --number-nonblank --regex --separator= --show-all --show-ends
      --show-nonprinting --show-tabs --squeeze-blank --version ; files
    head tail ; -fFqrvz# -bcns=num --bytes= --follow? --help --lines= --max-unchanged-stats=num --pid=num --quiet --retry
      --silent --sleep-interval=num --verbose --version --zero-terminated ; files
    nl ; -bdfhilnsvw= -p --body-numbering= --footer-numbering= --header-numbering= --help --line-increment=
      --number-format= --number-separator= --number-width= --starting-line-number= --version ; files
    cut ; -bcdf= -nswz --bytes= --characters= --complement --delimiter= --fields= --help --only-delimited
      --output-delimiter= --version --zero-terminated ; files
    tr ; -cCdstu --complement --delete --help --squeeze-repeats --truncate-set1 --version ; words 2
    cmp ; -bchlsxz -in= --bytes= --help --ignore-initial= --print-bytes --quiet --silent --verbose --version ; files
    comm ; -123iz --check-order --help --nocheck-order --output-delimiter= --total --version --zero-terminated ; files 2
    paste ; -dD= -sz --delimiters= --help --serial --version --zero-terminated ; files
    fold fmt ; -bcsut -gwp= -# --bytes --crown-margin --goal= --help --prefix= --spaces --split-only --tagged-paragraph
      --uniform-spacing --version --width= ; files
    expand unexpand ; -ai -t= -# --all --first-only --help --initial --tabs= --version ; files
    rev ; -0hV --help --version --zero ; files
    join ; -12aeojtv= -iz --check-order --header --help --ignore-case --nocheck-order --version --zero-terminated ; files
    od ; -abcdfhilosxXvDFHIOL -ANjtSw? --address-radix= --endian= --format= --help --output-duplicates --read-bytes=
      --skip-bytes= --strings? --traditional --version --width? ; files
    hexdump hd ; -bcCdovx -ns=num -e= --canonical --help --length= --no-squeezing --skip= --version ; files
    strings ; -afov# -ents= --all --bytes= --encoding= --help --include-all-whitespace --output-separator=
      --print-file-name --radix= --version ; shown
    column ; -eJLtVx -cCdHilNoOprRsTW= --columns= --fillrows --help --json --keep-empty-lines --output-separator=
      --output-width= --separator= --table --table-columns= --table-hide= --table-name= --table-noheadings --table-order=
      --table-right= --table-truncate= --version ; files
    look tsort factor ; -abdfhw --alternative --alphanum --help --ignore-case --version ; files
    numfmt ; -dz= --debug --delimiter= --field= --format= --from= --from-unit= --grouping --header? --help --invalid=
      --padding= --round= --suffix= --to= --to-unit= --version ; words
    sort ; -bcCdfghiMmnrRsuVz -kt= -S=num --batch-size=num --buffer-size=num --check? --debug --dictionary-order
      --field-separator= --general-numeric-sort --help --human-numeric-sort --ignore-case --ignore-leading-blanks
      --ignore-nonprinting --key= --merge --month-sort --numeric-sort --parallel=num --random-sort --reverse
      --sort= --stable --unique --version --version-sort --zero-terminated ; files
    uniq ; -cdDiuz -fsw=num --all-repeated? --check-chars=num --count --group? --help --ignore-case --repeated
      --skip-chars=num --skip-fields=num --unique --version --zero-terminated ; files 1
    shuf ; -erz -n=num -i= --echo --head-count=num --help --input-range= --repeat --version --zero-terminated ; files
    file ; -bEhikLNnrsv0I --apple --brief --checking-printout --debug --dereference --extension --help --keep-going
      --mime --mime-encoding --mime-type --no-buffer --no-dereference --no-pad --print0 --raw --separator= --version ; files
    tree ; -adDfFghilnNpqQrsStuUvxXACJc -L:int -PI: --charset= --dirsfirst --du --filelimit= --filesfirst --gitignore --help
      --ignore-case --inodes --matchdirs --metafirst --noreport --prune --si --sort= --timefmt= --version ; files
    base64 base32 ; -dDi -bw=num --break=num --copyright --decode --help --ignore-garbage --version --wrap=num -u ; files 1
    iconv ; -cls -ft= --from-code= --help --list --silent --to-code= --version ; files
    zcat bzcat xzcat zstdcat gzcat ; -fqv --help --quiet --verbose --version ; files
    bat batcat ; -Apnu -Hlr= --color= --decorations= --diff --diff-context= --file-name= --force-colorization --help
      --highlight-line= --italic-text= --paging=pager --language= --line-range= --list-languages --list-themes --number
      --plain --show-all --style= --tabs= --terminal-width= --theme= --unbuffered --version --wrap= ; shown
    less more ; -eEFgiIJKmMnNqQrRsSuUwWXdfcl# -jxyzh=int --chop-long-lines --help --ignore-case --line-numbers
      --no-init --quit-if-one-screen --raw-control-chars --RAW-CONTROL-CHARS --squeeze-blank-lines --tabs= --version
      ; shown 1+
    fd fdfind ; -aHIuLpgFisl01q -tedEScjo= --absolute-path --and= --case-sensitive --changed-before= --changed-within=
      --color= --exact-depth= --exclude= --extension= --fixed-strings --follow --full-path --glob --help --hidden
      --ignore-case --list-details --max-depth= --max-results= --min-depth= --no-ignore --no-ignore-vcs --one-file-system
      --owner= --print0 --prune --quiet --regex --show-errors --size= --strip-cwd-prefix --threads= --type= --unrestricted
      --version ; files
  `),
  ...programs(
    'seq ; -w -fst=shape -# --format=shape --separator=shape --equal-width --help --version ; any',
    {
      kinds: { shape: /^(?!.*\d{5})/s },
    },
  ),
  // Its letters never stand together: `-pl 5 f` is `-p`, reads 5 and writes f.
  ...programs(
    `xxd ; -a -autoskip -b -bits -c=num -cols=num -C -capitalize -d -e -E -EBCDIC -g=num -groupsize=num -h -help -i -include
      -l=num -len=num -n=name -name=name -o=num -p -ps -plain -postscript -s=num -seek=num -u -uppercase -v -version
      ; files 1`,
    { single: true },
  ),
  // What is searched as a tree shows what its reader may not have thought of: only below the workspace.
  ...programs(
    `
    diff ; -abBcdeEfiHnNpPqrstTuvwyZ# -CDFILSUxW= --brief --color? --context? --exclude= --expand-tabs --help
      --ignore-all-space --ignore-blank-lines --ignore-case --ignore-file-name-case --ignore-matching-lines=
      --ignore-space-change --ignore-tab-expansion --ignore-trailing-space --label= --left-column --minimal --new-file
      --no-dereference --normal --recursive --report-identical-files --show-c-function --side-by-side --speed-large-files
      --strip-trailing-cr --suppress-common-lines --text --unified? --version --width= ; files
    grep egrep fgrep zgrep ; -abcEFGhHiIlLnopPqrRsTuUvVwxyzZO# -ABCdDem= --after-context= --basic-regexp
      --before-context= --binary --binary-files= --byte-offset --color? --colour? --context= --count --devices=
      --directories= --exclude= --exclude-dir= --extended-regexp --files-with-matches --files-without-match --fixed-strings
      --help --ignore-case --include= --include-dir= --initial-tab --invert-match --label= --line-buffered --line-number
      --line-regexp --max-count= --no-filename --no-group-separator --no-ignore-case --no-messages --null --null-data
      --only-matching --perl-regexp --quiet --recursive --dereference-recursive --regexp= --silent --text --version
      --with-filename --word-regexp ; files
  `,
    {
      also: ({ values, operands }, _, scope) =>
        !trees.some((name) => values.has(name)) || isBelow(operands, scope),
    },
  ),
  ...programs(
    `
    rg ; -abcFhHiIlLnNopqsSuUvVwx0P. -ABCEegmMtTdjr= --after-context= --before-context= --binary --block-buffered
      --byte-offset --case-sensitive --color= --colors= --column --context= --context-separator= --count --count-matches
      --crlf --debug --encoding= --engine= --files --files-with-matches --files-without-match --fixed-strings --follow
      --glob= --glob-case-insensitive --heading --help --hidden --iglob= --ignore-case --include-zero --invert-match --json
      --line-buffered --line-number --line-regexp --max-columns= --max-count= --max-depth= --max-filesize= --multiline
      --multiline-dotall --no-config --no-filename --no-heading --no-ignore --no-ignore-vcs --no-ignore-parent
      --no-ignore-global --no-ignore-dot --no-line-number --no-messages --null --null-data --one-file-system
      --only-matching --passthru --pcre2 --pretty --quiet --regexp= --replace= --smart-case --sort= --sortr= --stats --text
      --threads= --trim --type= --type-list --type-not= --unrestricted --version --vimgrep --with-filename --word-regexp
      ; files
    ag ; -acCfFilLnoQsSuUvwDrR0 -ABCmG= --after= --before= --case-sensitive --color --column --context= --count --depth=
      --file-search-regex= --files-with-matches --files-without-matches --fixed-strings --follow --help --hidden --ignore=
      --ignore-case --invert-match --literal --max-count= --nocolor --nogroup --nofilename --numbers --only-matching
      --recurse --smart-case --stats --version --word-regexp ; files
  `,
    {
      also: ({ operands, values }, _, scope) =>
        isBelow(
          ['-e', '--regexp', '--files'].some((name) => values.has(name)) ? operands : operands.slice(1),
          scope,
        ),
    },
  ),
];
