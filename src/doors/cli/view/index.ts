/** The terminal view of plans and runs: pure functions from state to lines, and one live view that draws them. */
export {
  agreementChoices,
  approvalChoices,
  type Choice,
  interruptChoices,
  offerChoices,
  renderChoices,
} from './choices.ts';
export type { Glyphs } from './glyphs.ts';
export {
  createLiveView,
  type LiveView,
  type LiveViewOptions,
  systemViewClock,
  type ViewClock,
  type ViewStream,
} from './live-view.ts';
export type { Look, PrintAction } from './look.ts';
export {
  type QuestionLook,
  renderAgreement,
  renderApproval,
  renderInterrupt,
  renderOffer,
} from './questions.ts';
export { type DetailsLook, renderRunDetails, renderSpine, type SpineLook } from './render-details.ts';
export { isBookkeeping, renderEventLine } from './render-event.ts';
export { type PlanLook, renderPlan } from './render-plan.ts';
export { type RunFrame, renderRun } from './render-run.ts';
export { type RunsLook, renderRunsTable, shortIds } from './render-runs.ts';
export { renderFinal, renderSummary, type SummaryLook } from './render-summary.ts';
export { createStyle, type Environment, isLiveTerminal, type Style, type Terminal } from './style.ts';
export { createTail, type Tail } from './tail.ts';
export type { SignalSource } from './terminal-guard.ts';
export { cleanOutput, visible } from './text/clean.ts';
export { ago, duration } from './text/time.ts';
export { displayWidth } from './text/width.ts';
export { exitMeanings, stateSentence } from './words.ts';
