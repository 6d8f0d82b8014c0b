import { isGrave } from '../../../core/plan/index.ts';
import { judgeCommand } from '../../../core/risk/index.ts';
import { readCommand, type Simple } from '../../../core/shell/index.ts';
import { type MendingRule, operands, type SeenFailure, verbOf } from './rule.ts';

/** "Run `X` first", "To resolve this issue, run:" and a line below: the tool names the command that helps. */
const inline =
  /\b(?:(?:please|try|must|need to|should|manually|first|,|to \w+(?: \w+){0,4},?|can|you can|try to)\s+)*(?:run|running|execute|do)(?: the (?:following )?command| instead)?:?\s+[`'"‘“]([^`'"’”\n]{3,120})[`'"’”]([^\n.]*)/gi;
const below =
  /(?:\brun(?:ning)?|\bexecute|with|command|to (?:add|update|fix|resolve|install) it|to (?:add|update|fix|resolve))(?: the following(?: command)?)?(?: to [^\n:]{0,60}| command[^\n:]{0,60})?\s*:[ \t]*\n\s*\n?[ \t]+([^\s][^\n]{2,160})/gi;

const useInstead = /(?:^|[.\n]\s*)Use [`'"‘]([^`'"’\n]{3,120})[`'"’]([^\n.]*)/g;

/** Programs that prepare something. What else a tool mentions is looked at by a person. */
const helpers =
  /^(?:sudo |npx )?(?:(?:\.\/|bin\/)?(?:rails|rake|bundle|terraform|tofu|npm|pnpm|yarn|npx|corepack|go|cargo|rustup|dpkg|apt|apt-get|apk|dnf|pip|pip3|python3?|poetry|uv|pipenv|alembic|flask|django-admin|prisma|playwright|husky|composer|php|mix|dotnet|systemctl|git|make|cmake|gem|pod|brew|flutter|dart|conda|pre-commit|helm|ansible-galaxy|vagrant|nvm|rbenv|pyenv|meson|autoreconf|bootsnap|\.\/configure|\.\/gradlew|\.\/bootstrap(?:\.sh)?|\.\/autogen\.sh))(?= )/;

/** Looking, signing in, cleaning up and giving in are no preparation. */
const unhelpful =
  /(?:^|\s)(?:--?help|-h|help|man|info|list|ls|status|log|logs|show|search|doctor|audit|fund|login|auth|signin|--version|--stacktrace|--info|--debug|--verbose|-v|-vv|-X|-e|tasks|outdated|why|explain|clean|prune|reset|rm|remove|uninstall|delete|destroy|force|abort|stash|checkout|rebase|safe\.directory|config|test|--abort|--skip|--quit|edit|-D|-f|--force|force-\w+|unlock|--purge|--prune)(?=\s|$)/;
const onlyForReading = /\b(?:information|usage|details|a list|to see|to view|more log|learn|report|diagnos)/i;
const placeholder = /[<>[\]{}$…;|&]|\.\.\.|\bNAME\b|\bFILE\b|\byour[-_ ]/i;

export const toldToRun: MendingRule = {
  id: 'told-to-run',
  about: 'The tool names the command that has to run first, or in place of this one.',
  propose(seen) {
    const told = [...new Set([...suggestions(seen)])];
    if (told.length !== 1) return null;
    const command = oneMachine(told[0]!, seen);
    const own = readCommand(command).simples[0];
    const failed = seen.tree.simples.find(
      (simple) => simple.program === own?.program && verbOf(simple)?.value === verbOf(own)?.value,
    );
    if (own === undefined || command.trim() === seen.command.trim()) return null;
    const isOther = own.program === 'npx' && operands(own)[1]?.value !== operands(failed ?? own)[1]?.value;
    const failedWords =
      seen.tree.simples.length === 1 && seen.tree.simples[0]!.program === own.program
        ? others(seen.tree.simples[0]!)
        : [];
    const instead =
      seen.tree.simples.length === 1 &&
      seen.tree.simples[0]!.program === own.program &&
      new RegExp(`${RegExp.escape(command)}["'\`]? instead`).test(seen.output);
    const shared = others(readCommand(told[0]!).simples[0]!).filter((value) => failedWords.includes(value));
    const isSame = failed === undefined && shared.length > 0 && shared.length === failedWords.length;
    if (instead || isSame) {
      return {
        modify: command,
        reasoning: `${own.program} says what to run instead: \`${command}\`.`,
        confidence: 0.9,
      };
    }
    if (failed !== undefined && !isOther) {
      const kept = operands(failed).every((word) => operands(own).some(({ value }) => value === word.value));
      if (!kept) return null;
      const modify = seen.command.slice(0, failed.pos) + command + seen.command.slice(failed.end);
      return {
        modify,
        reasoning: `${own.program} says what to run instead: \`${command}\`.`,
        confidence: 0.88,
      };
    }
    return {
      steps: [{ title: `Run ${command}, as the tool asks`, command }],
      reasoning: `The output names what has to run first: \`${command}\`.`,
      confidence: 0.86,
    };
  },
};

/** `vagrant up` is about all machines; the command was about one. */
function oneMachine(command: string, { tree }: SeenFailure): string {
  const [simple] = tree.simples;
  const [name, ...more] = simple?.program === 'vagrant' && command === 'vagrant up' ? others(simple) : [];
  return name === undefined || more.length > 0 ? command : `${command} ${name}`;
}

/** What a command is about: its words without the verb. */
const others = (simple: Simple): string[] =>
  operands(simple)
    .filter((word) => word !== verbOf(simple))
    .map(({ value }) => value);

function* suggestions(seen: SeenFailure): Generator<string> {
  const output = seen.output.replace(/[║│┃]/g, ' ');
  for (const match of output.matchAll(below)) {
    const command = clean(match[1]!);
    if (isUsable(command, '')) yield command;
  }
  for (const match of [...output.matchAll(inline), ...output.matchAll(useInstead)]) {
    const command = clean(match[1]!);
    if (isUsable(command, match[2] ?? '')) yield command;
  }
}

const clean = (text: string): string =>
  text
    .trim()
    .replace(/^\$ /, '')
    .replace(/^[`'"]|[`'"]$/g, '')
    .replace(/\s+#.*$/, '');

/** `db:drop`, `migrate:fresh`: whatever a tool asks for, this is for a person. To migrate is what it asks for rightly. */
const undoes = (word: string): boolean =>
  word
    .split(/[:=._/-]/)
    .some(
      (part) =>
        /^(?:reset|fresh|flush|rollback|downgrade|recreate|wipe|nuke)$/.test(part) ||
        (part !== 'migrate' && isGrave(part)),
    );

function isUsable(command: string, rest: string): boolean {
  if (!helpers.test(`${command} `) || unhelpful.test(command) || placeholder.test(command)) return false;
  if (onlyForReading.test(rest) || command.split(/\s+/).some(undoes)) return false;
  return judgeCommand(command).level !== 'blocked' && !readCommand(command).broken;
}
