export { createSecretFilter } from './filter.ts';
export { findSecretLiteral } from './find.ts';
export type { SecretFilter } from './types.ts';
export { secretValues } from './values.ts';
