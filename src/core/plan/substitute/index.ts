export { findPlaceholders, type Placeholder, type Values } from './placeholders.ts';
export { quoteWord } from './quote.ts';
export {
  type Refusal,
  type Substituted,
  type SubstituteOptions,
  substitute,
  substituteText,
} from './substitute.ts';
