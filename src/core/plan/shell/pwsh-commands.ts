/** One command of a PowerShell script, found without PowerShell's own grammar. */
export interface PwshCommand {
  words: readonly string[];
}

/**
 * The commands of a PowerShell script: the words that start a statement, a stage of a pipeline, or a block. Strings and
 * comments are blanked first, so that nothing in them is taken for a command.
 */
export function pwshCommands(text: string): PwshCommand[] {
  const bare = blankStrings(text);
  const commands: PwshCommand[] = [];
  const starts = /(?:^|[;|&\n{(=]|\b(?:return|else|do|try|finally)\b)[ \t]*(?:&[ \t]*)?/g;
  for (let match = starts.exec(bare); match !== null; match = starts.exec(bare)) {
    const pos = match.index + match[0].length;
    if (starts.lastIndex === match.index) starts.lastIndex++;
    const segment = /^[^;|&\n{}()]*/.exec(bare.slice(pos, pos + 2_000))![0];
    const words = segment
      .trim()
      .split(/[ \t]+/)
      .filter((word) => word !== '');
    if (words.length > 0 && /^[A-Za-z_.~/\\[]/.test(words[0]!) && !/^=/.test(words[1] ?? ''))
      commands.push({ words });
  }
  return commands;
}

/** Functions that the script defines. */
export function pwshFunctions(text: string): Set<string> {
  const found = [...text.matchAll(/\b(?:function|filter)\s+([\w:-]+)/gi)];
  return new Set(found.map((match) => match[1]!.toLowerCase()));
}

/** The script with the insides of strings and comments replaced by spaces, its length kept. */
export function blankStrings(text: string): string {
  const pattern =
    /`[\s\S]|<#[\s\S]*?(?:#>|$)|(?<=^|[\s;|&(){}])#[^\n]*|@'\r?\n[\s\S]*?(?:\n'@|$)|@"\r?\n[\s\S]*?(?:\n"@|$)|'(?:[^']|'')*(?:'|$)|"(?:[^"`]|`[\s\S]|"")*(?:"|$)/g;
  return text.replace(pattern, (found) => {
    if (found.startsWith('`')) return found;
    const isComment = found[0] === '#' || found[0] === '<';
    if (isComment) return found.replace(/[^\n]/g, ' ');
    const quote = found[0] === '@' ? found[1]! : found[0]!;
    return quote + '_'.repeat(found.length - 1);
  });
}
