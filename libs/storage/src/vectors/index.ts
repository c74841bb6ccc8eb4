export { halfvecBytes, halfvecLiteral, readHalfvec } from './half-vectors.js';
export { cosineOfSql, nearestAndFirstPassSql, nearestOfAllSql, nearestSql, vectorOfSql } from './nearest.js';
export { MAX_INDEXED_VECTOR_BYTES, scanFrom, scanFromEach, vectorColumn, type VectorScan } from './vector-scan.js';
