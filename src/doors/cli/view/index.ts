/** The terminal view of plans and runs: pure functions from state to lines, and one live view that draws them. */
export {
  agreementChoices,
  approvalChoices,
  type Choice,
  draftChoices,
  failureChoices,
  grantChoices,
  interruptChoices,
  keepChoices,
  manualChoices,
  offerChoices,
  plannedChoices,
} from './choices.ts';
export { createLiveView } from './live-view.ts';
export type { Look } from './look.ts';
export {
  renderAgreement,
  renderAsked,
  renderDenial,
  renderOpen,
  renderVerdict,
} from './questions.ts';
export { callsOf, renderCost } from './render-cost.ts';
export { renderRunDetails } from './render-details.ts';
export { isBookkeeping, isOfPlanning, renderDraftDiff, renderEventLine } from './render-event.ts';
export { renderFailure } from './render-failure.ts';
export { renderPlan } from './render-plan.ts';
export { renderProposal } from './render-proposal.ts';
export { renderReach } from './render-reach.ts';
export { renderRunsTable } from './render-runs.ts';
export { renderStory } from './render-story.ts';
export { renderFinal, renderSummary } from './render-summary.ts';
export { diffNotes, renderChanges, renderDiff, renderUndo } from './render-undo.ts';
export { renderWords } from './render-words.ts';
export { createStyle, isLiveTerminal } from './style.ts';
export { createTail } from './tail.ts';
