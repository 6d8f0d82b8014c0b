import type { Context } from './context.ts';
import type { Look } from './render/look.ts';
import { createStyle } from './render/style.ts';

/** How text may look on a stream of this process. Where the width is unknown, lines are left long. */
export function lookOf(context: Context, stream: 'stdout' | 'stderr'): Look {
  const out = context[stream];
  return {
    style: createStyle({ env: context.env, isTTY: out.isTTY === true }),
    width: out.isTTY ? out.columns || 80 : Number.POSITIVE_INFINITY,
    home: context.env['HOME'],
  };
}
