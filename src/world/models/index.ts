export type { SentCall } from './call.ts';
export type { FoundProvider } from './discover.ts';
export { extractJson } from './extract/extract.ts';
export { type TextLog, withLiveText } from './live.ts';
export { type Chosen, type Models, type ModelsOptions, openModels } from './models.ts';
export { parseNames } from './name.ts';
export { readPrices } from './price/prices.ts';
export type { Price } from './price/table.ts';
export { createFileRecordings } from './recordings.ts';
export type { ModelSettings } from './settings.ts';
export { jsonSchemaOf } from './structured.ts';
export type {
  Acceptance,
  Answer,
  Message,
  ModelChain,
  OfferedTool,
  SentPicture,
  StructuredRequest,
} from './types.ts';
