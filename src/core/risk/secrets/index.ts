export {
  createSecretFilter,
  type SecretFilter,
} from './filter.ts';
export { findSecretLiteral } from './find.ts';
export { secretValues } from './values.ts';
