export { orderItems } from './order-items.js';
export { remapRelations } from './remap-relations.js';
