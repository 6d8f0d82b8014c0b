export {
  type Brain,
  type BrainCalls,
  type BrainContext,
  type EarlierAttempt,
  emptyContext,
  type FailedResult,
  type Failure,
} from './brain.ts';
export { CONFIDENT, chainBrains } from './chain.ts';
export { createMind, type MindOptions } from './consult.ts';
export {
  type AgentContext,
  type ContextEntry,
  type ContextState,
  createAgentContext,
  digest,
  type Summarise,
} from './context/context.ts';
export { type Diagnosed, DiagnoseLine, diagnoseBatch, failureOf } from './diagnose.ts';
export { applyRemembered, type Generalised, generalise } from './memory/generalise.ts';
export { createInMemoryFixes, type FixMemory, FORGET_AFTER, type RememberedFix } from './memory/memory.ts';
export { createRememberedBrain } from './memory/remembered.ts';
export { type Signature, signatureOf } from './memory/signature.ts';
export { createModelBrain, type ModelBrainOptions } from './model/brain.ts';
export { explainWith, type InWords, type ToExplain } from './model/explain.ts';
export { createModelSummarise } from './model/summarise.ts';
export { createProbe, type ProbeOptions } from './probe/create.ts';
export type { ProbeLimits } from './probe/files.ts';
export { precheck, type StepProbe } from './probe/precheck.ts';
export { type GitFacts, type Listener, nullProbe, type Probe } from './probe/probe.ts';
export { createProgramBrain, type ProgramOptions } from './program.ts';
export { createRulesBrain, type RulesOptions } from './rules/brain.ts';
export { rules } from './rules/catalogue.ts';
export { weakens } from './rules/purpose.ts';
export type { Proposal, Rule, Seen } from './rules/rule.ts';
