import type { ServiceView } from '../../../core/contract/index.ts';
import { ago } from '../../../core/contract/told/index.ts';
import { type Look, short, tildePath } from './look.ts';
import { visible } from './text/clean.ts';

export interface ServicesLook extends Look {
  now: number;
}

/** `planwright services`: two lines each, what it is and where it comes from. */
export function renderServices(services: readonly ServiceView[], look: ServicesLook): string[] {
  const { style, now, width } = look;
  return services.flatMap(({ name, alive, ports, since, keep, run, workspace, command }) => {
    const state = alive === null ? 'on another host' : alive ? 'running' : 'gone';
    const facts = [
      state,
      ...ports.map((port) => `port ${port}`),
      ...(since === null ? [] : [ago(since, now)]),
      ...(keep ? ['kept beyond the run'] : []),
      `run ${run}`,
    ];
    const glyph = alive === false ? style.dim(style.glyphs.step.skipped) : style.done(style.glyphs.step.done);
    return [
      short(
        ` ${glyph} ${style.strong(visible(name))}  ${facts.join(` ${style.glyphs.separator} `)}`,
        width,
        look,
      ),
      short(style.dim(`   ${tildePath(workspace, look)}: ${visible(command)}`), width, look),
    ];
  });
}
