import { fieldsOf, type SimpleAction, shellText } from '../../contract/index.ts';
import type { Problem } from '../problem.ts';
import { type PlanRule, problemOf } from './rule.ts';

/** Text that stands for text that somebody was going to write. */

const SECRETISH =
  'API|KEY|TOKEN|PASSWORD|PASSWD|SECRET|HOST|HOSTNAME|USER|USERNAME|EMAIL|DOMAIN|BUCKET|REGION|PROJECT|ACCOUNT';

/** Wherever they stand, these are never meant as they are. */
const NEVER_REAL: readonly RegExp[] = [
  /<(?:your|my|insert|enter|replace|add|put|some)[-_ ][^<>\n]{1,60}>/i,
  new RegExp(`<(?:[A-Z0-9]+[_-])*(?:${SECRETISH})(?:[_-][A-Z0-9]+)*>`),
  /<(?:placeholder|api[-_ ]?key|token|password|secret|username|hostname|path[-_ ]to[-_ ][^<>\n]{1,40})>/i,
  /\[(?:your|insert|enter|replace)[-_ ][^\][\n]{1,60}\]/i,
  /\b(?:YOUR|INSERT|REPLACE)_[A-Z0-9_]{0,60}(?:HERE|ME|KEY|TOKEN|PASSWORD|SECRET|NAME|ID|URL|HOST|USER|VALUE|WITH)\b/,
  /\byour[-_](?:api[-_])?(?:key|token|password|secret|username)(?:[-_]here)?\b/i,
  /\blorem ipsum\b/i,
];

/** Fine in a text that explains something, not in a command. */
const EXAMPLE_PATH = /(?:^|[\s"'=:])\/?path\/to\/[\w./-]+/i;

/** Spaces are counted: texts may be made of nothing else. */
const LINE_START = '^[ \\t]{0,40}(?:#|//|/\\*|<!--|--|;|%|\\*)?[ \\t]{0,8}';
const LINE_END = '[ \\t]{0,8}(?:\\*/|-->)?[ \\t]{0,40}$';
/** A whole text that is one line about what should be there. */
const WHOLE = new RegExp(
  `${LINE_START}(?:(?:todo|tbd|fixme|xxx)\\b[^\\n]{0,100}|placeholder|your (?:code|content|text)(?: here)?|(?:content|text) goes here|(?:add|insert|put|write) [^\\n]{0,60} here)[.!]?${LINE_END}`,
  'i',
);
const ELLIPSIS_ONLY = /^(?:\.{3,}|…)$/;
const MAX_WHOLE = 200;
/** A line that says that something was left out. */
const LEFT_OUT = new RegExp(
  `${LINE_START}(?:(?:\\.{3}|…) ?(?:rest|existing|other|more|remaining|previous|same|your|the)\\b[^\\n]{0,100}|(?:rest of|remaining|existing) [^\\n]{0,40}(?:\\.{3}|…))${LINE_END}`,
  'im',
);
const OPEN_LINE = new RegExp(`${LINE_START}(?:TODO|TBD|FIXME)\\b`, 'm');

const writtenText = (action: SimpleAction): string | null => {
  const found = fieldsOf(action).find(({ slot }) => slot.slot === 'string' && slot.kept);
  return found === undefined ? null : String(found.value);
};

/** The placeholder that a text has in place of something real, or null. */
function standIn(text: string): string | null {
  for (const pattern of NEVER_REAL) {
    const match = pattern.exec(text);
    if (match !== null && !isElement(text, match[0])) return match[0].trim();
  }
  return null;
}

/** `<password>` with an end tag is an element of a document. */
const isElement = (text: string, found: string) =>
  found.startsWith('<') && text.includes(`</${found.slice(1)}`);

export const realContent: PlanRule = ({ steps }) => {
  const problems: Problem[] = [];
  for (const view of steps) {
    for (const { action } of view.actions) {
      const written = writtenText(action);
      const text = written ?? shellText(action);
      if (text === null) continue;
      const found =
        standIn(text) ?? (written === null ? (EXAMPLE_PATH.exec(text)?.[0].trim() ?? null) : null);
      if (found !== null) {
        const mend = 'Write the real text, or declare an input and use {name}.';
        problems.push(
          problemOf(view, 'placeholder-content', 'error', `\`${found}\` stands for something real.`, mend),
        );
      } else if (written !== null) {
        const trimmed = written.trim();
        const whole = trimmed.length <= MAX_WHOLE && (WHOLE.test(trimmed) || ELLIPSIS_ONLY.test(trimmed));
        if (whole || LEFT_OUT.test(written)) {
          const message = whole
            ? 'its text only says what should be there.'
            : 'its text leaves something out.';
          problems.push(
            problemOf(view, 'placeholder-content', 'error', message, 'Write the whole real text.'),
          );
        } else if (OPEN_LINE.test(written)) {
          const message = 'its text has a line that is still to be done.';
          problems.push(
            problemOf(view, 'placeholder-content', 'warning', message, 'Write it, if it is needed now.'),
          );
        }
      } else if (/(?:^|\s)(?:\.{3}|…)(?=\s|$)/.test(text)) {
        const mend = 'Write the real arguments.';
        problems.push(
          problemOf(view, 'placeholder-content', 'warning', 'its command has `...` as a word.', mend),
        );
      }
    }
  }
  return problems;
};
