export { createSecretFilter } from './filter.ts';
export { findSecretLiteral } from './find.ts';
export type { SecretByteStream, SecretFilter, SecretFilterOptions, SecretStream } from './types.ts';
export { secretValues } from './values.ts';
