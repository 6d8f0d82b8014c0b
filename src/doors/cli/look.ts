import type { Context } from './context.ts';
import { createStyle, type Style } from './view/index.ts';

/** How text may look on a stream of this process. Where the width is unknown, lines are left long. */
export function lookOf(context: Context, stream: 'stdout' | 'stderr'): { style: Style; width: number } {
  const out = context[stream];
  return {
    style: createStyle({ env: context.env, isTTY: out.isTTY === true }),
    width: out.isTTY ? out.columns || 80 : 200,
  };
}
