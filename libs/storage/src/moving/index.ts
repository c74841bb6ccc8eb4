export type {
  ConversationToImport,
  MemoryToImport,
  MessageToImport,
  RecordsToImport,
  Refusal,
  ValueToImport,
} from './import-input.js';
export { importRecords } from './import-records.js';
export * from '../dry-runs/index.js';
