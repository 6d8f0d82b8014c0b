import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** A run's id: 60 random bits, lower case, no letters that read alike. A few first characters tell runs apart. */
export const newRunId = (): string => Array.from(randomBytes(12), (byte) => alphabet[byte & 31]).join('');

/** Names an append or a request, unique for ever. */
export const newKey = (): string => randomBytes(16).toString('base64url');
