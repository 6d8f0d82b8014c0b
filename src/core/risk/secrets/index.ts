export {
  createSecretFilter,
  type SecretByteStream,
  type SecretFilter,
  type SecretFilterOptions,
  type SecretStream,
} from './filter.ts';
export { findSecretLiteral } from './find.ts';
export { secretValues } from './values.ts';
