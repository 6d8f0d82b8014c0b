export { fillPlan } from './fill-plan.ts';
export { findPlaceholders, type Values } from './placeholders.ts';
export {
  type Refusal,
  substitute,
  substituteText,
} from './substitute.ts';
