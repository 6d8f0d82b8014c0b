import type { Tone } from '@told';

export const toneText: Record<Tone, string> = {
  done: 'text-done',
  fail: 'text-fail',
  wait: 'text-wait',
  mind: 'text-mind',
  going: 'text-text',
  quiet: 'text-faint',
};
