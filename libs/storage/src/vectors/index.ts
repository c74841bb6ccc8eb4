export { halfvecLiteral, readHalfvec } from './half-vectors.js';
export {
  distanceOfSql,
  distancesSql,
  nearestAndTriedSql,
  nearestOfAllSql,
  nearestSql,
  type NearestWish,
} from './nearest.js';
export { NARROW_BYTES, vectorColumn, type VectorColumn } from './vector-column.js';
export { scanFrom, scanFromEach, type VectorScan } from './vector-scan.js';
