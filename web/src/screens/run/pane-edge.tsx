import type { CSSProperties, PointerEvent } from 'react';
import { setLook, useLook } from '../../api/look.ts';
import { spineWidth } from '../../model/pane-width.ts';

/** The width of the spine as the grid of the run takes it. */
export const spineStyle = (width: number | null): CSSProperties => ({
  ['--spine' as string]: width === null ? 'clamp(320px, 33vw, 520px)' : `min(${width}px, 70vw)`,
});

/** Between the spine and the step: dragged, or moved by the arrow keys; a double click gives it back to the page. */
export function PaneEdge() {
  const width = useLook((look) => look.spine);
  const to = (px: number) => setLook({ spine: spineWidth(px, innerWidth) });
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) to(event.clientX);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the steps"
      aria-valuenow={width ?? Math.round(innerWidth / 3)}
      aria-valuemin={240}
      aria-valuemax={innerWidth}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onDoubleClick={() => setLook({ spine: null })}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowRight' ? 24 : event.key === 'ArrowLeft' ? -24 : 0;
        if (by === 0) return;
        event.preventDefault();
        to(event.currentTarget.getBoundingClientRect().left + by);
      }}
      className="relative w-px cursor-col-resize touch-none bg-line before:absolute before:inset-y-0 before:-left-1.5 before:z-10 before:w-3 hover:bg-line-strong focus-visible:bg-text max-md:hidden"
    />
  );
}
