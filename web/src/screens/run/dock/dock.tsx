import type { Help, Question } from '@told';
import { questionKey } from '../../../model/run-questions.ts';
import { Needs } from '../../../shell/needs.tsx';
import type { Shown } from '../shown.ts';
import { AnswerDock } from './answer-dock.tsx';
import { ApprovalDock } from './approval-dock.tsx';
import { GrantDock } from './grant-dock.tsx';
import { InterruptDock } from './interrupt-dock.tsx';
import { OfferDock } from './offer-dock.tsx';
import { StuckDock } from './stuck-dock.tsx';

/** The open question, docked under its evidence. It goes when the question goes, whoever answered it. */
export function Dock(given: { shown: Shown; question: Question | Help }) {
  return (
    <Needs scope={given.question.kind === 'stuck' ? 'ask' : 'decide'}>
      <OpenQuestion {...given} />
    </Needs>
  );
}

function OpenQuestion({ shown, question }: { shown: Shown; question: Question | Help }) {
  const key = questionKey(shown.run, question);
  switch (question.kind) {
    case 'approval':
      return <ApprovalDock key={key} shown={shown} step={question.step} approval={question.approval} />;
    case 'offer':
      return <OfferDock key={key} shown={shown} step={question.step} failed={question.failed} />;
    case 'ask':
    case 'manual':
      return <AnswerDock key={key} shown={shown} question={question} />;
    case 'interrupt':
      return <InterruptDock key={key} shown={shown} question={question} />;
    case 'grant':
      return <GrantDock key={key} shown={shown} question={question} />;
    case 'stuck':
      return <StuckDock key={key} shown={shown} question={question} />;
    // Asked where the plan is shown.
    case 'planner':
    case 'agreement':
      return null;
  }
}
