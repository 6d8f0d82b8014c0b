import { quoteWord, type Redirection } from '../../../core/shell/index.ts';
import { expandWord } from './expand-word.ts';
import { expansionOf, type Interpreter } from './interpreter.ts';
import type { ShellState } from './shell-state.ts';
import { isStream, noteTouch } from './touch.ts';
import { noteSeen, noteUnknown, whys } from './unknown-paths.ts';
import { editParts, visit } from './visit.ts';

/** Reads where redirections lead, and puts what their targets stand for in their place. */
export function readRedirects(
  redirects: readonly Redirection[],
  state: ShellState,
  outer: Interpreter,
): void {
  for (const redirect of redirects) {
    const it: Interpreter = { ...outer, at: outer.within ?? [redirect.pos, redirect.end] };

    visit(redirect, state, it);
    if (redirect.type === 'HereDoc') {
      editParts(redirect.body, true, state, it);
      continue;
    }
    const { target } = redirect;
    if (!target) continue;
    const fields = expandWord(target, expansionOf(it, state));
    const field = fields?.length === 1 ? fields[0] : undefined;
    if (!field) editParts(target, false, state, it);
    if (redirect.type === 'HereString') {
      if (field && target.parts) it.edits.add(target.pos, target.end, quoteWord(field.value));
      continue;
    }
    if (/^[<>]&$/.test(redirect.operator) && /^(?:\d+-?|-)$/.test(target.text)) continue;
    if (/^[<>]\(/.test(target.text) || (field && isStream(field.value))) continue;
    if (!field || (state.cwd === null && !field.value.startsWith('/'))) {
      it.found.unresolved.add(target.text);
      noteUnknown(it, field ? whys.folder(target.text) : whys.word(target.text));
      continue;
    }
    const how = { skip: 0, follow: true, below: false, writes: redirect.operator !== '<' };
    noteSeen(it, true);
    const real = noteTouch(field, how, state.cwd ?? '/', it.real, it.found);
    if (real !== undefined || field.value !== target.text)
      it.edits.add(target.pos, target.end, quoteWord(real ?? field.value));
  }
}
