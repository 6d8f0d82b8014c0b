import {
  type Action,
  fingerprint,
  isLoop,
  type Session,
  type Shell,
  type SingleAction,
  type Subject,
  shellText,
  type Verdict,
  withShellText,
} from '../../../core/contract/index.ts';
import { definitionsInView, type InView } from '../../../core/shell/index.ts';
import type { VerdictPort } from '../ports.ts';

interface Place {
  session: Session;
  shell: Shell;
}

/** What earlier steps defined and this text uses; null where it uses nothing of it. */
export function definitionsFor(text: string | null, { session, shell }: Place): InView | null {
  if (text === null || shell !== 'bash' || session.defined === undefined) return null;
  const view = definitionsInView(session.defined, text);
  return view.text === '' ? null : view;
}

/** What an approval is bound to besides: change a definition that the action uses, and it is void. */
export function boundDefinitions(place: Place, action: Action): Pick<Subject, 'definitions'> {
  const view = definitionsFor(shellText(isLoop(action) ? action.do : action), place);
  return view === null ? {} : { definitions: fingerprint({ text: view.text }) };
}

/** Judges an action together with the definitions that it uses; places in the text are those of the action's own. */
export async function judgeInView(
  port: VerdictPort,
  action: SingleAction,
  place: Parameters<VerdictPort>[1],
): Promise<Verdict> {
  const text = shellText(action);
  const view = definitionsFor(text, place);
  if (text === null || view === null) return port(action, place);
  const verdict = await port(withShellText(action, `${view.text}\n${text}`), place);
  const before = view.text.length + 1;
  const reasons = verdict.reasons.map(({ span, ...reason }): Verdict['reasons'][number] =>
    span === undefined || span[0] < before
      ? reason
      : { ...reason, span: [span[0] - before, span[1] - before] },
  );
  const bodies = view.functions.map((name) => place.session.defined?.functions[name] ?? name);
  const shown = [...view.variables, ...bodies.map((body) => body.replace(/\s+/g, ' '))].join(', ');
  // Names alone of variables: a value may be nobody's to see. A function is what would run.
  const sentence = `Uses what earlier steps defined: ${shown}`;
  return {
    ...verdict,
    reasons: [...reasons, { rule: 'definitions-in-view', level: verdict.level, sentence }],
  };
}
