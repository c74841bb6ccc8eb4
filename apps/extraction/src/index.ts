export { EXTRACTION_FRAGMENTS, ExtractionModule, type ExtractionOptions } from './extraction/extraction.module.js';
