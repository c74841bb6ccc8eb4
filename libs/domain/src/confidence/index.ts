export {
  clampConfidence,
  DEFAULT_CONFIDENCE,
  mergeConfidences,
  mergeConfidence,
  roundConfidence,
} from './merge-confidence.js';
