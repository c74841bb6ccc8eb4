export { startPrivatePostgres, startPrivateRedis, type PrivateServer } from './services/private-server.js';
