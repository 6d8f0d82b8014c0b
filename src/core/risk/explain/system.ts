import type { CommandTable } from './types.ts';

const aptGet = {
  does: 'Manages packages of Debian and Ubuntu.',
  verbs: {
    install: 'Installs packages.',
    remove: 'Removes packages.',
    purge: 'Removes packages and their settings.',
    update: 'Fetches the list of packages.',
    upgrade: 'Installs newer versions of everything.',
    autoremove: 'Removes what nothing needs any more.',
  },
  options: { '-y, --yes': 'without asking' },
};

/** The machine, the network, other machines. */
export const systemCommands: CommandTable = {
  cd: { does: 'Goes to a folder; what follows happens there.', operands: 'the folder' },
  pwd: { does: 'Prints the folder one is in.' },
  id: { does: 'Prints who one is: the user and their groups.', operands: 'whose' },
  whoami: { does: 'Prints the name of the user.' },
  export: { does: 'Sets a variable that later programs see.', operands: 'name=value' },
  source: { does: 'Runs a script in this very shell.', operands: 'the script' },
  set: {
    does: 'Changes how the shell behaves.',
    options: {
      '-e': 'stop at the first failure',
      '-u': 'an unset variable is a failure',
      '-x': 'print each command before it runs',
      '-o OPTION': 'turn this on; pipefail: a pipeline fails if any part does',
    },
  },
  sudo: {
    does: 'Runs a command as root.',
    operands: 'the command',
    options: { '-u USER': 'as this user', '-i': 'a login shell', '-E': 'keeping the environment' },
  },
  env: {
    does: 'Runs a command with a changed environment, or prints it.',
    operands: 'name=value, then the command',
    options: { '-i': 'starting with none', '-u NAME': 'without this variable' },
  },
  timeout: {
    does: 'Runs a command and ends it after a time.',
    operands: 'the time, then the command',
    options: { '-k TIME': 'then kill it after this', '-s SIGNAL': 'with this signal' },
  },
  nohup: { does: 'Runs a command that goes on after the terminal is closed.', operands: 'the command' },
  time: { does: 'Says how long a command takes.', operands: 'the command' },
  sleep: { does: 'Waits.', operands: 'how long' },
  kill: {
    does: 'Sends a signal to processes, usually to end them.',
    operands: 'process ids',
    options: { '-9': 'at once, without letting it tidy up', '-15': 'politely', '-l': 'list the signals' },
  },
  pkill: {
    does: 'Ends processes by name.',
    operands: 'the name',
    options: { '-f': 'match the whole command line', '-9': 'at once', '-u USER': 'of this user' },
  },
  ps: { does: 'Lists processes.', options: { '-e': 'all', '-f': 'in full', '-u USER': 'of this user' } },
  systemctl: {
    does: 'Controls services.',
    verbs: {
      start: 'Starts a service.',
      stop: 'Stops a service.',
      restart: 'Restarts a service.',
      status: 'Shows how a service is.',
      enable: 'Starts a service at every boot.',
      disable: 'No longer starts a service at boot.',
      'daemon-reload': 'Reads the service files again.',
    },
    options: { '--user': 'services of this user', '--now': 'at once too' },
  },
  journalctl: {
    does: 'Shows the log of the system.',
    options: {
      '-u UNIT': 'of this service',
      '-f': 'keep printing',
      '-n NUM': 'the last so many lines',
      '--since TIME': 'from then on',
    },
  },
  crontab: {
    does: 'Shows or changes what runs at set times.',
    options: { '-l': 'show it', '-e': 'edit it', '-r': 'delete all of it' },
  },
  curl: {
    does: 'Fetches or sends data over the network.',
    operands: 'the address',
    options: {
      '-o FILE, --output FILE': 'save to this file',
      '-O': 'save under its own name',
      '-L, --location': 'follow redirections',
      '-s, --silent': 'quietly',
      '-S': 'but show errors',
      '-f, --fail': 'fail if the server says no',
      '-X METHOD, --request METHOD': 'with this method',
      '-H HEADER, --header HEADER': 'with this header',
      '-d DATA, --data DATA': 'send this',
      '-I, --head': 'only the headers',
      '-k, --insecure': 'without checking the certificate',
      '-u USER': 'log in so',
      '-F FIELD': 'send a form field',
      '-T FILE': 'upload this file',
      '-v': 'say what is done',
    },
  },
  wget: {
    does: 'Downloads files.',
    operands: 'the address',
    options: {
      '-O FILE': 'save to this file; - prints it',
      '-q': 'quietly',
      '-c': 'go on with a partial download',
      '-r': 'and all it links to',
      '-P DIR': 'into this folder',
    },
  },
  ssh: {
    does: 'Runs a command, or a shell, on another machine.',
    operands: 'the machine, then the command',
    options: {
      '-i FILE': 'with this key',
      '-p PORT': 'at this port',
      '-L SPEC': 'bring a port of there to here',
      '-R SPEC': 'bring a port of here to there',
      '-N': 'without a command',
      '-v': 'say what is done',
    },
  },
  scp: {
    does: 'Copies files between machines.',
    operands: 'from, then to',
    options: { '-r': 'folders with all they hold', '-P PORT': 'at this port', '-i FILE': 'with this key' },
  },
  ping: {
    does: 'Asks whether a machine answers.',
    operands: 'the machine',
    options: { '-c NUM': 'so many times' },
  },
  apt: {
    ...aptGet,
    verbs: {
      ...aptGet.verbs,
      list: 'Lists packages.',
      search: 'Searches for packages.',
      show: 'Shows a package.',
    },
  },
  'apt-get': aptGet,
  brew: {
    does: 'Manages packages of Homebrew.',
    verbs: {
      install: 'Installs packages.',
      uninstall: 'Removes packages.',
      upgrade: 'Installs newer versions.',
      list: 'Lists packages.',
      info: 'Shows a package.',
      search: 'Searches for packages.',
    },
  },
  bash: {
    does: 'Runs shell commands or a script.',
    operands: 'the script',
    options: {
      '-c TEXT': 'the commands',
      '-e': 'stop at the first failure',
      '-x': 'print each command before it runs',
    },
  },
  sh: {
    does: 'Runs shell commands or a script.',
    operands: 'the script',
    options: { '-c TEXT': 'the commands', '-e': 'stop at the first failure' },
  },
  test: {
    does: 'Tests a condition; the answer is the exit code.',
    options: {
      '-f FILE': 'it is a file',
      '-d FILE': 'it is a folder',
      '-e FILE': 'it exists',
      '-x FILE': 'it can be run',
      '-z TEXT': 'the text is empty',
      '-n TEXT': 'the text is not empty',
    },
  },
  which: { does: 'Says which program a name stands for.', operands: 'names' },
  uname: {
    does: 'Says what system this is.',
    options: { '-a': 'everything', '-r': 'the version of the kernel', '-m': 'the kind of machine' },
  },
  date: {
    does: 'Prints the date and time.',
    operands: 'the format',
    options: { '-u': 'in universal time', '-d TEXT': 'of that moment', '-s TEXT': 'set the clock' },
  },
  iptables: {
    does: 'Changes the firewall.',
    options: {
      '-L': 'list the rules',
      '-F': 'delete all rules',
      '-A CHAIN': 'add a rule',
      '-D CHAIN': 'delete a rule',
      '-t TABLE': 'of this table',
    },
  },
  openssl: {
    does: 'Works with keys and certificates.',
    verbs: {
      x509: 'Shows or signs a certificate.',
      genrsa: 'Makes a private key.',
      req: 'Makes a certificate request.',
      rand: 'Makes random bytes.',
      s_client: 'Connects and shows the certificate.',
    },
    options: {
      '-in FILE': 'read this',
      '-out FILE': 'write this',
      '-noout': 'do not print the encoded form',
      '-text': 'as text',
    },
  },
};
