export { createGatewayAdapter } from './http/create-adapter.js';
export { GATEWAY_FRAGMENTS, type GatewayConfig, type GatewayOptions } from './config.js';
export { GatewayModule } from './gateway.module.js';
export { buildOpenApi, type OpenApiDocument } from './docs/build-open-api.js';
export { ConsoleLinks } from './console/console-links.js';
export { createKeyText } from './auth/key-text.js';
