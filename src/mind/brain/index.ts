export {
  type Brain,
  emptyContext,
  type Failure,
} from './brain.ts';
export { chainBrains } from './chain.ts';
export { createMind } from './consult.ts';

export { diagnoseBatch, failureOf } from './diagnose.ts';
export { type Generalised, generalise } from './memory/generalise.ts';
export { createRememberedBrain } from './memory/remembered.ts';

export { createModelBrain } from './model/brain.ts';
export { explainWith, type InWords, type ToExplain } from './model/explain.ts';
export { summariseWithModel } from './model/summarise.ts';
export { createProgramBrain } from './program.ts';
export { createRulesBrain, type RulesOptions } from './rules/brain.ts';
export { rules } from './rules/catalogue.ts';
export { weakens } from './rules/purpose.ts';
