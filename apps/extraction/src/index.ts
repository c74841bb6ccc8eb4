export { EXTRACTION_FRAGMENTS } from './extraction/extraction.config.js';
export { ExtractionModule, type ExtractionOptions } from './extraction/extraction.module.js';
