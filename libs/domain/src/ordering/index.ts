export { orderItems } from './order-items.js';
export { pointRelationsTo } from './point-relations-to.js';
