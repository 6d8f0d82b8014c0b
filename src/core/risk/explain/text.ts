import type { CommandTable } from './types.ts';

/** Text and search. */
export const textCommands: CommandTable = {
  cat: {
    does: 'Prints files one after the other.',
    operands: 'files to print',
    options: {
      '-n, --number': 'number the lines',
      '-A, --show-all': 'show tabs and line ends',
      '-s': 'squeeze empty lines',
    },
  },
  head: {
    does: 'Prints the first lines of a file.',
    operands: 'files',
    options: { '-n NUM, --lines NUM': 'how many lines', '-c NUM': 'how many bytes' },
  },
  tail: {
    does: 'Prints the last lines of a file.',
    operands: 'files',
    options: {
      '-n NUM, --lines NUM': 'how many lines',
      '-f, --follow': 'keep printing what is added',
      '-F': 'follow the name, even if the file is replaced',
      '-c NUM': 'how many bytes',
    },
  },
  grep: {
    does: 'Prints the lines that match a pattern.',
    operands: 'the pattern, then the files',
    options: {
      '-r, -R, --recursive': 'in all files of a folder',
      '-i, --ignore-case': 'ignoring case',
      '-n, --line-number': 'with line numbers',
      '-v, --invert-match': 'lines that do not match',
      '-l, --files-with-matches': 'only the names of the files',
      '-c, --count': 'only how many',
      '-E, --extended-regexp': 'the pattern is an extended regular expression',
      '-F, --fixed-strings': 'the pattern is plain text',
      '-o, --only-matching': 'only what matched',
      '-w': 'whole words',
      '-q, --quiet': 'print nothing; just say whether it was found',
      '-e PATTERN': 'the pattern',
      '-A NUM': 'and so many lines after',
      '-B NUM': 'and so many lines before',
      '-C NUM': 'and so many lines around',
    },
  },
  rg: {
    does: 'Searches files for a pattern, quickly; skips what git ignores.',
    operands: 'the pattern, then where',
    options: {
      '-i, --ignore-case': 'ignoring case',
      '-n': 'with line numbers',
      '-l': 'only the names of the files',
      '-t TYPE, --type TYPE': 'only files of this type',
      '-g GLOB, --glob GLOB': 'only files with such names',
      '--hidden': 'hidden files too',
      '-F': 'the pattern is plain text',
      '-c': 'only how many',
    },
  },
  sed: {
    does: 'Changes text line by line with a small script.',
    operands: 'the script, then the files',
    options: {
      '-i, --in-place': 'change the files themselves',
      '-n, --quiet': 'print only what the script says',
      '-e SCRIPT': 'the script',
      '-E, -r': 'extended regular expressions',
    },
  },
  awk: {
    does: 'Runs a small program on each line of text.',
    operands: 'the program, then the files',
    options: {
      '-F SEP': 'what separates the fields',
      '-v VAR': 'set a variable',
      '-f FILE': 'the program is in this file',
    },
  },
  sort: {
    does: 'Sorts lines.',
    operands: 'files',
    options: {
      '-n, --numeric-sort': 'as numbers',
      '-r, --reverse': 'in reverse order',
      '-u, --unique': 'each line once',
      '-k KEY': 'by this field',
      '-t SEP': 'what separates the fields',
      '-h': 'sizes such as 2K and 1G',
      '-o FILE': 'write to this file',
    },
  },
  uniq: {
    does: 'Drops repeated lines that follow each other.',
    operands: 'the input, then the file to write',
    options: {
      '-c, --count': 'with how often each occurs',
      '-d, --repeated': 'only repeated ones',
      '-u': 'only those that occur once',
    },
  },
  wc: {
    does: 'Counts lines, words and bytes.',
    operands: 'files',
    options: { '-l, --lines': 'lines', '-w, --words': 'words', '-c, --bytes': 'bytes', '-m': 'characters' },
  },
  cut: {
    does: 'Cuts columns out of lines.',
    operands: 'files',
    options: {
      '-d SEP, --delimiter SEP': 'what separates the fields',
      '-f LIST, --fields LIST': 'which fields',
      '-c LIST': 'which characters',
    },
  },
  tr: {
    does: 'Replaces or deletes characters.',
    operands: 'the characters, then their replacements',
    options: { '-d': 'delete them', '-s': 'squeeze repeated ones' },
  },
  tee: {
    does: 'Writes what it reads both to files and onwards.',
    operands: 'files to write',
    options: { '-a, --append': 'add to the files' },
  },
  xargs: {
    does: 'Runs a command with the lines it reads as arguments.',
    operands: 'the command',
    options: {
      '-0, --null': 'they end with a zero byte',
      '-n NUM': 'so many at a time',
      '-I WORD': 'put each in place of this word',
      '-P NUM': 'so many at once',
      '-r': 'not if there are none',
    },
  },
  diff: {
    does: 'Shows how two files differ.',
    operands: 'the two files',
    options: {
      '-u': 'with lines around',
      '-r': 'folders with all they hold',
      '-q': 'only whether they differ',
    },
  },
  jq: {
    does: 'Picks parts out of JSON.',
    operands: 'what to pick, then the files',
    options: {
      '-r, --raw-output': 'text without quotes',
      '-c': 'on one line',
      '-s': 'all inputs as one list',
      '-e': 'fail if the result is null',
    },
  },
  echo: {
    does: 'Prints its arguments.',
    operands: 'text',
    options: { '-n': 'without a line end', '-e': 'reading \\n and the like' },
  },
  printf: { does: 'Prints text in a format.', operands: 'the format, then the values' },
};
