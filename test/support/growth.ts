import { expect } from 'vitest';

/**
 * Counts work by the CPU time of this thread: on a busy machine one waits longer and works no more. Nothing is held
 * against a clock: a text is compared with a shorter one of the same make, in the same run.
 */
const cpuSpent = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Some plain work, against which what is too short to be compared is measured. */
const plainWork = (): unknown => {
  const text = JSON.stringify(Array.from({ length: 8_000 }, (_, n) => ({ n, text: `${n}` })));
  return JSON.parse(text);
};

/** Some kernels count the processor's time in ticks: what is shorter than one says nothing. */
const TICK_MS = 4;

const TIMES = 8;
const TRIES = 3;

interface Growth {
  /** Where 2 is granted it may grow with the square: a debt, and never more. */
  power?: 1 | 2;
  /** What has been spent so far. */
  spent?: () => number;
}

/**
 * The work grows with its size, and not with the square of it: eight times the size may cost four times what eight
 * single ones do. (Twice the work with each further character never comes to its end.) Resolves with what came of the
 * whole.
 */
export async function expectLinear<T>(
  size: number,
  work: (size: number) => T,
  { power = 1, spent = cpuSpent }: Growth = {},
): Promise<Awaited<T>> {
  const measured = async <R>(what: () => R) => {
    const before = spent();
    const result = await what();
    return { cost: spent() - before, result };
  };
  const small = Math.max(1, Math.floor(size / TIMES));
  // So that both find the code compiled.
  await work(small);
  const seen: string[] = [];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const plain = Math.max(TICK_MS, (await measured(plainWork)).cost);
    const unit = Math.max((await measured(() => work(small))).cost, plain);
    const whole = await measured(() => work(size));
    if (whole.cost <= 4 * TIMES ** power * unit) return whole.result;
    seen.push(`${Math.round(whole.cost)} ms for ${size}, ${Math.round(unit)} ms for ${small}`);
  }
  return expect.fail(`it grows faster than what it is given: ${seen.join('; ')}`);
}
