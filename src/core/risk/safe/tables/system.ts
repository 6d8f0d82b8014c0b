import { UNKNOWN } from '../../../shell/index.ts';
import { programs, verbs } from '../table.ts';

/** Variables that say how a shell is set up, and hold no secret. */
const told =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|PWD|OLDPWD|TERM|LANG|LANGUAGE|LC_\w+|TZ|EDITOR|VISUAL|PAGER|HOSTNAME|SHLVL|TMPDIR|DISPLAY|COLORTERM|XDG_\w+_(?:HOME|DIRS)|JAVA_HOME|GOPATH|GOROOT|NODE_ENV|VIRTUAL_ENV|CONDA_PREFIX|CI)$/;

/** In these places, and no others, a word that is only known when it runs is not taken for an operator of test. */
const binary = /^(?:=|==|!=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef|a|o)|\])$/;

/** Programs that tell the state of the machine and of the shell. */
export const systemRows = [
  ...programs(
    `
    whoami logname tty nproc uptime ; -psV --all --help --ignore= --pretty --quiet --since --silent --version ; any
    id groups ; -agGnruzZpPFAc --context --group --groups --help --name --real --user --version --zero ; any
    users who w ; -abdfhHilmnopqrstTuws --all --boot --count --dead --from --heading --help --ip-addr --login --lookup
      --mesg --message --no-header --old-style --process --runlevel --short --time --users --version --writable ; any
    uname ; -aimnoprsvK --all --hardware-platform --help --kernel-name --kernel-release --kernel-version --machine
      --nodename --operating-system --processor --version ; any
    free ; -bghklmtvVwL -cs? --bytes --count= --giga --gibi --help --human --kilo --kibi --lohi --mega --mebi --seconds=
      --si --tebi --total --version --wide ; any
    lscpu lsmem lsblk ; -aAbBcCdDefhiIJklmnNopOPrsStTvVyzx --all --bytes --caches? --extended? --fs --help --inverse --json
      --list --merge --nodeps --noempty --noheadings --online --offline --output= --pairs --parse? --paths --perms --raw
      --scsi --sort= --summary? --topology --tree? --version ; any
    getconf locale sw_vers vm_stat cal ncal ; -13AabcehjJkmMNpvVwy --all-locales --buildVersion --category-name --help
      --keyword-name --productName --productVersion --version ; any
    expr ; * ; any
    lsusb lspci ; -bDkmnPtvVx -ds= --help --tree --verbose --version ;
    arch lsmod ; --help --version ;
    mount ; -l --help --version ;
    nvidia-smi ; -L --help ;
    findmnt ; -aAbcdDefhiJklnoOPrRstTuUvV --all --bytes --df --evaluate --fstab --help --json --kernel --list --noheadings
      --output= --pairs --raw --real --submounts --target= --tree --types= --uniq --version ; words
    hostname ; -adfiIAsy --all-fqdns --all-ip-addresses --domain --fqdn --help --ip-address --long --short --version ;
    ssh-add ; !-lL -E=name ;
    ssh ; !-V ;
    gpg gpg2 ; !-kK !--list-keys !--list-public-keys !--list-secret-keys !--list-sigs !--fingerprint !--version --batch
      --keyid-format= --no-tty --with-colons --with-fingerprint --with-subkey-fingerprint ; name
    sudo ; !-l !--list -n --non-interactive ;
    pgrep ; -acfilnovwx -dgGPstuU= --count --delimiter= --euid= --exact --full --group= --help --ignore-case --inverse
      --list-full --list-name --newest --oldest --parent= --pgroup= --session= --terminal= --uid= --version ; words
    pidof ; -cnqswxz -oS= ; words
    lsof ; -abClhnNOPRtUvV -cdgpsu= -iF? ; words
    vmstat iostat mpstat ; -acdDfhkmnNpsStwxyVz --active --disk --disk-sum --forks --help --human --one-header --slabs
      --stats --timestamp --unit= --version --wide ; words
    top ; !-bvV !-l=num -1Hcis -dn=num -opuUw= ;
    whereis ; -abBflmMsSu ; name
    which ; -as --all --help --read-alias --skip-alias --show-dot --show-tilde --tty-only --version ; words
    locate plocate mlocate ; -0bceiwSr -ln=num --all --basename --count --existing --ignore-case --limit=num --null --regex
      --version --wholename ; words
    type ; -aftpP ; words
    help ; -dms ; words
    hash ; -t ; words 1+
    ulimit ; !-a -HS ;
    hostnamectl timedatectl ; ;
    jobs dirs alias ; -lp ;
    umask ; -pS ;
    command ; . !-vV ; words 1
    cd ; . -LPe@ - ; words 1
    date ; -uR -dr= -I? --date= --debug --help --iso-8601? --reference= --rfc-2822 --rfc-3339= --rfc-email --universal --utc
      --version ; shape 1
    ss ; -aehilmnoprstuwxz46OEVbd0HQST --all --extended --help --info --ipv4 --ipv6 --listening --memory --numeric
      --options --processes --resolve --summary --tcp --udp --unix --version ; words
    netstat ; -aegilnoprstuvwxWMFC46 --all --extend --groups --help --interfaces --listening --numeric --program --route
      --statistics --symbolic --tcp --timers --udp --unix --verbose --version --wide ;
    arp ; -aen ; name
    route ; -neF46 --extend --numeric ;
    ifconfig ; -asv ; name 1
    crontab ; !-l ;
    mktemp ; !-u !--dry-run -dqt -p= --directory --quiet --suffix= --tmpdir? ; words 1
    tee ; -aip --append --help --ignore-interrupts --version ; terminal
    sysctl ; -aAnNebq --all --help --names --values --version ; key
    man ; -afkwW --all --apropos --help --path --version --whatis --where ; page
    whatis apropos ; -r --help --version ; page
    dmesg ; -HTwxtukLrePdSWJ -lf=name -s=num --color? --ctime --decode --facility= --follow --force-prefix --help --human
      --json --kernel --level= --nopager --notime --raw --reltime --show-delta --since= --time-format= --until= --userspace
      --version ;
    journalctl ; -aefklmNqrx# -b? -cgnoptSuU= --all --boot? --case-sensitive? --catalog --cursor= --disk-usage --dmesg
      --facility= --field= --fields --follow --full --grep= --header --help --identifier= --lines? --list-boots
      --list-catalog --merge --no-full --no-hostname --no-pager --no-tail --output= --output-fields= --pager-end
      --priority= --quiet --reverse --show-cursor --since= --system --unit= --until= --user --user-unit= --utc --version
      ; match
    printenv ; ; told 1+
    ps ; -aAcdefFHjlLmMNTVwxy -CgGkoOpqstuU=column --cols= --columns= --context --deselect --forest --format=column
      --group= --headers --help --no-headers --pid= --ppid= --rows= --sort= --tty= --user= --version ; process
  `,
    {
      kinds: {
        told,
        shape: /^\+/,
        page: /^[\w.+:-]+$/,
        key: /^[\w.*/-]+$/,
        terminal: /^(?:-|\/dev\/(?:null|stdout|stderr))$/,
        match: /^[A-Z_]+=\S+$|^\+$/,
        column: /^(?!.*environ)[\w,:=%+-]+$/,
        // Without a dash, `e` shows the environment of processes.
        process: /^(?:[aAcfHjlLmNrSTuUvwxX]+|[\d,]+)$/,
      },
    },
  ),
  ...programs('screen ; !-ls !-list !-v', { single: true }),
  ...programs('printf ; . ; any', {
    // `%n` sets a variable; a width is memory.
    also: ({ operands: [shape] }) =>
      !shape?.value.startsWith(UNKNOWN) && !/%[^%a-mo-zA-Z]*(?:n|\d{5})/.test(shape?.value ?? ''),
  }),
  ...programs('test [ ; * ; any', {
    also: ({ operands }) =>
      operands.every(
        ({ value }, i) =>
          !/^-[vR]$/.test(value) &&
          (!value.startsWith(UNKNOWN) ||
            i + 1 === operands.length ||
            binary.test(operands[i + 1]?.value ?? '')),
      ),
  }),
  ...verbs(
    'timedatectl loginctl hostnamectl',
    '--no-pager --all -a',
    `
    status, show, list-timezones, list-sessions, list-users, list-seats ; --help ;
  `,
  ),
  ...verbs('tmux', '', 'ls, list-sessions, list-windows, list-panes ; -a -F=name'),
  ...verbs(
    'getent',
    '',
    `
    passwd, group, hosts, ahosts, ahostsv4, ahostsv6, services, protocols, networks, rpc, ethers, netgroup ; ; words
  `,
  ),
  ...verbs(
    'ip',
    '-4 -6 -0 -M -B -s -stats -statistics -d -details -br -brief -o -oneline -j -json -p -pretty -c? -color? -h -human -r -resolve -t -timestamp -f= -family= -n= -netns= -rc=',
    `
    a|addr|address, l|link, r|ro|route, n|neigh|neighbour, ru|rule, maddr|maddress, mroute, netconf, stats, tunnel, tuntap, netns, tcp_metrics, token, ntable, vrf, addrlabel, nexthop ; ;
    a|addr|address show|list|ls|lst, l|link show|list|ls|lst, r|ro|route show|list|ls|lst|get, n|neigh|neighbour show|list|ls|lst|get, ru|rule show|list|ls|lst, maddr|maddress show|list|ls, mroute show|list|ls, netconf show, stats show, tunnel show|list|ls, tuntap show|list|ls, netns list|ls|identify|pids, tcp_metrics show, vrf show, nexthop show|list|ls ; ; words
  `,
    { single: true },
  ),
  ...verbs(
    'systemctl',
    '--no-pager --no-legend --full -l --all -a --user --system --quiet -q --plain --output= -o= --lines= -n=',
    `
    status, is-active, is-enabled, is-failed, list-units, list-unit-files, list-timers, list-sockets, cat, list-dependencies, get-default, is-system-running, list-jobs ; --type= -t= --state= --property= -p= --value --reverse --failed -r --recursive ; words
    show ; !--property=property !-p=property --value --type= -t= --state= ; words
  `,
    { kinds: { property: /^(?!.*(?:Environment|Credential))/i } },
  ),
  ...programs('service ; ; words 2-2', {
    also: ({ operands }) => operands[1]?.value === 'status' && /^[\w@.-]+$/.test(operands[0]?.value ?? ''),
  }),
];
