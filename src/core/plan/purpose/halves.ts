import { readCommand, type Simple } from '../../shell/index.ts';
import { deedsOf, namesGrave } from './deeds.ts';

/**
 * The first command of a text that would be done a second time, and shows it, if the whole were attempted again after one
 * behind it failed: it adds to a file, sends, commits, publishes. Null where all that comes before the last can be
 * repeated, as far as the words tell.
 */
export function doneTwice(text: string): string | null {
  const last = deedsOf(readCommand(text)).at(-1);
  const found = readCommand(text).simples.find(
    (simple) => simple.end < (last?.pos ?? 0) && isCounted(simple),
  );
  return found === undefined ? null : text.slice(found.pos, found.end).trim();
}

const sends =
  /^(?:-d|-F|-T|--data\S*|--form\S*|--json|--post-\S+|--upload-file|-X?(?:POST|PUT|PATCH|DELETE))$/;
const changes = /\b(?:insert|update|delete|alter|drop|create)\b/i;

function isCounted({ program, args, redirects }: Simple): boolean {
  const words = args.map(({ value }) => value);
  if (redirects.some(({ operator }) => operator === '>>' || operator === '&>>')) return true;
  switch (program) {
    case 'tee':
      return words.some((word) => /^(?:-a|--append)$/.test(word));
    case 'git':
      return ['commit', 'push', 'merge', 'cherry-pick', 'revert', 'am'].includes(words[0] ?? '');
    case 'curl':
    case 'wget':
    case 'http':
      return words.some((word) => sends.test(word));
    case 'psql':
    case 'mysql':
    case 'sqlite3':
      return words.some((word) => changes.test(word));
    case 'mail':
    case 'sendmail':
      return true;
    default:
      return (
        !['rm', 'rmdir', 'unlink', 'kill', 'pkill', 'killall'].includes(program) &&
        [program, ...words.slice(0, 2)].some(namesGrave)
      );
  }
}
