export { importStore } from './importing.ts';
export { limitRoles } from './roles.ts';
export { openPostgres } from './store.ts';
