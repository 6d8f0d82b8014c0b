import type { MendingRule, SeenFailure } from './rule.ts';

/** What comes along when a command is copied from a page: fences, prompts, odd spaces, quotes of typography. */

export const fencedCommand: MendingRule = {
  id: 'fenced-command',
  about: 'The command has the fence of a Markdown code block around it, or one end of it.',
  propose(seen) {
    const inner = seen.command.replace(/^\s*```(?:[a-z]+[ \t]*(?=\n)|[ \t]*)/i, '').replace(/\n?```\s*$/, '');
    if (inner === seen.command || inner.includes('```') || inner.trim() === '') return null;
    return {
      modify: inner.trim(),
      reasoning: 'The command has the fence of a code block on it, which the shell takes for a substitution.',
      confidence: 0.9,
    };
  },
};

/** Quotes as text editors make them, where the shell reads them: not within quotes of its own. */
const curly = /[“”„‟‘’‚‛]/;
const unquoted = (command: string): string => command.replace(/\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs, '');

export const typographicQuotes: MendingRule = {
  id: 'typographic-quotes',
  about: 'The command is quoted with the marks of typography, which are letters to the shell.',
  propose(seen) {
    if (!curly.test(unquoted(seen.command)) || !blamesQuotes(seen)) return null;
    const plain = seen.command.replace(/[“”„‟]/g, '"').replace(/[‘’‚‛]/g, "'");
    return {
      modify: plain,
      reasoning: 'The quotes of the command are those of a text editor; the shell knows straight ones only.',
      confidence: 0.92,
    };
  },
};

/** The output shows one of them, as it is or byte by byte; or the command went wrong as it does when quotes are lost. */
const blamesQuotes = ({ output }: SeenFailure): boolean =>
  curly.test(output) ||
  /\\342\\200\\23|\\u20[12]|\\xe2\\x80|not found|No such|unexpected|invalid|unknown|syntax|expected|usage/i.test(
    output,
  );

export const promptInCommand: MendingRule = {
  id: 'prompt-in-command',
  about: 'The command was copied together with the prompt before it.',
  propose(seen) {
    const found = /^\s*(?:(?:\$|%|>)\s+)+(?=[\w./~-])/.exec(seen.command);
    if (
      found === null ||
      !/\$: command not found|command not found: \$|\$: not found|%: |no such job|syntax error/.test(
        seen.output,
      )
    )
      return null;
    return {
      modify: seen.command.slice(found[0].length),
      reasoning: 'The command begins with the prompt of a terminal.',
      confidence: 0.9,
    };
  },
};

export const nonBreakingSpace: MendingRule = {
  id: 'odd-space',
  about: 'The command has a space in it that is none to the shell: non-breaking, or of no width.',
  propose(seen) {
    if (
      !/[\u00a0\u200b\u202f\ufeff]/.test(seen.command) ||
      !/not found|No such file|invalid|unrecognized|unknown|cannot/i.test(seen.output)
    )
      return null;
    const plain = seen.command.replace(/[\u00a0\u202f]/g, ' ').replace(/[\u200b\ufeff]/g, '');
    if (plain.trim() === '') return null;
    return {
      modify: plain,
      reasoning: 'There is a space in the command that the shell does not take for one.',
      confidence: 0.9,
    };
  },
};
