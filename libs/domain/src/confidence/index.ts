export {
  clampConfidence,
  DEFAULT_CONFIDENCE,
  foldConfidence,
  mergeConfidence,
  roundConfidence,
} from './merge-confidence.js';
