export { encodeCanonicalJson } from './canonical-json.js';
export type { JsonValue } from './canonical-json.js';
export { compareCodePoints } from './compare-code-points.js';
