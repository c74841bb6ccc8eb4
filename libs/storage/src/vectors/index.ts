export { halfvecLiteral, readHalfvec } from './half-vectors.js';
export {
  cosineOfSql,
  cosinesSql,
  nearestAndFirstPassSql,
  nearestOfAllSql,
  type NearestOptions,
  nearestSql,
} from './nearest.js';
export {
  MAX_INDEXED_VECTOR_BYTES,
  scanFrom,
  scanFromEach,
  vectorColumn,
  type VectorColumn,
  type VectorScan,
} from './vector-scan.js';
