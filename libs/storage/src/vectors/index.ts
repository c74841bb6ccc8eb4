export { bindVector, bindVectors, type BoundVectors } from './bind-vectors.js';
export { distancesSql, nearestSql, type VectorScan } from './nearest.js';
