export { findPlaceholders, type Values } from './placeholders.ts';
export { quoteWord } from './quote.ts';
export {
  type Refusal,
  substitute,
  substituteText,
} from './substitute.ts';
