import { type Correction, printModelName, shellText } from '../../../core/contract/index.ts';
import { readCommand } from '../../../core/shell/index.ts';
import type { ModelChain } from '../../../world/models/index.ts';
import type { Brain, BrainCalls, BrainContext, Failure } from '../brain.ts';
import type { Probe } from '../probe/probe.ts';
import { ModelAnswer, toCorrection } from './answer.ts';
import { environmentFacts, filesOf } from './facts.ts';
import { environmentPrompt, failurePrompt, systemPrompt } from './prompt.ts';

export interface ModelBrainOptions {
  readonly chain: Pick<ModelChain, 'callStructured'>;
  /** Looks at the world where the step ran. Left out, the model is told nothing of it. */
  readonly probeAt?: (cwd: string) => Probe;
  /** Hides secrets: what is sent leaves the machine. */
  readonly redact?: (text: string) => string;
}

const maxOutputTokens = 4096;

/**
 * Asks a model. It declines where there is nobody to write its calls down, where no model answers, and where the
 * answer cannot be applied; what it proposes is judged by the gate like anything else. Never throws.
 */
export function createModelBrain({ chain, probeAt, redact = (text) => text }: ModelBrainOptions): Brain {
  return {
    async analyzeFailure(failure, context, calls) {
      if (calls === undefined || isDecided(failure)) return null;
      try {
        return await ask(failure, context, calls);
      } catch {
        return null;
      }
    },
  };

  async function ask(failure: Failure, context: BrainContext, calls: BrainCalls): Promise<Correction | null> {
    const probe = failure.cwd === undefined ? undefined : probeAt?.(failure.cwd);
    const facts = await environmentFacts(failure, probe);
    const files = await filesOf(failure, probe);
    const answer = await chain.callStructured(
      {
        system: systemPrompt(failure.shell, context.mostSteps, failure.result.selfCorrect?.fallbackTools),
        messages: [{ role: 'user', content: redact(failurePrompt(failure, context)) }],
        aside: redact(environmentPrompt(facts, context.nearMisses, files)),
        purpose: `mend "${failure.step.title.slice(0, 80)}"`,
        signal: calls.signal,
        schema: ModelAnswer.refine((value) => !context.isRepeat?.(toCorrection(value, '')), repeated),
        maxOutputTokens,
      },
      calls.ledger,
    );
    if (!answer.ok) {
      for (const sentence of troublesOf(answer)) context.noteTrouble?.(sentence);
      return null;
    }
    const correction = toCorrection(answer.value, printModelName(answer.model));
    return isApplicable(correction, failure) ? correction : null;
  }
}

type Failed = Extract<Awaited<ReturnType<ModelChain['callStructured']>>, { ok: false }>;

/** Which model failed, and how. That there is none, or that nobody wants to know any more, is no trouble. */
function troublesOf({ why, message, hops }: Failed): string[] {
  if (hops.length === 0) return why === 'error' ? [message] : [];
  return hops.map(
    ({ from, reason, message: said }) => `${printModelName(from)} ${troubles[reason]} (${said})`,
  );
}

const troubles: Record<Failed['hops'][number]['reason'], string> = {
  unauthorised: 'refused its key',
  'rate-limited': 'has a rate limit, and it is reached',
  timeout: 'took too long',
  refused: 'does not want to answer',
  invalid: 'gave an answer that cannot be used',
  rejected: 'gave an answer that cannot be used',
  error: 'could not be asked',
  aborted: 'was stopped',
};

/** A model that says the same again is told so once, and then gives way to the next. */
const repeated =
  'this was tried or refused for the same failure: answer with something else, or with a low confidence';

/** What a person or the gate decided is not worked around. */
const isDecided = ({ result }: Failure): boolean =>
  result.why !== undefined && ['aborted', 'denied'].includes(result.why);

/** A modification needs a command to modify, must be shell, and must change something. */
function isApplicable({ action, modifiedCommand }: Correction, { step, shell }: Failure): boolean {
  if (action !== 'modify' || modifiedCommand === undefined) return true;
  const command = shellText(step.action);
  if (command === null || command.trim() === modifiedCommand) return false;
  return shell !== 'bash' || !readCommand(modifiedCommand).broken;
}
