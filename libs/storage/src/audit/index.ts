export { appendHistory, type HistoryAppendix } from './append-history.js';
