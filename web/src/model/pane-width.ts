const least = 240;
/** Of the window: the step has to have room, too. */
const most = 0.7;

/** How wide the spine may be made in a window of this width. */
export const spineWidth = (px: number, window: number): number =>
  Math.round(Math.max(least, Math.min(px, window * most)));
