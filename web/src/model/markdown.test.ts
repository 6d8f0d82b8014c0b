import { expect, test } from 'vitest';
import { markdownStart, markdownToken } from './markdown.ts';

/** A line as an editor hands it out. */
class Line {
  at = 0;
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  sol = () => this.at === 0;
  skipToEnd = () => {
    this.at = this.text.length;
  };
  next = () => this.text[this.at++];
  match = (pattern: RegExp) => {
    const found = this.text.slice(this.at).match(pattern);
    if (found !== null) this.at += found[0].length;
    return found;
  };
}

test('headings, fences, front matter and code of a runbook are told apart', () => {
  const state = markdownStart();
  const text =
    '---\ngoal: x\n---\n# Deploy\nRun `make` **now**\n```sh\n# no heading\necho hi\n```\n> note\n- one';
  const told = text.split('\n').map((raw) => {
    const line = new Line(raw);
    const names: (string | null)[] = [];
    for (let n = 0; line.at < raw.length && n < 99; n += 1) names.push(markdownToken(line, state));
    return names.filter((name) => name !== null);
  });
  expect(told).toEqual([
    ['meta'],
    ['meta'],
    ['meta'],
    ['heading'],
    ['monospace', 'strong'],
    ['comment'],
    ['monospace'],
    ['monospace'],
    ['comment'],
    ['quote'],
    ['list'],
  ]);
});
