export { halfvecLiteral, readHalfvec } from './half-vectors.js';
export {
  cosineOfSql,
  cosinesSql,
  nearestAndFirstPassSql,
  nearestOfAllSql,
  nearestSql,
  type NearestOptions,
} from './nearest.js';
export { MAX_INDEXED_VECTOR_BYTES, vectorColumn, type VectorColumn } from './vector-column.js';
export { scanFrom, scanFromEach, type VectorScan } from './vector-scan.js';
