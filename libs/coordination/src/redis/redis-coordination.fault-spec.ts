import { startPrivateRedis, type PrivateServer } from '@annals/testing';
import { describeCoordination } from '../contract/coordination.contract.js';
import { createOnRedis } from '../fixtures/create-on-redis.fixture.js';

let server: PrivateServer;

beforeAll(async () => {
  server = await startPrivateRedis();
});
afterAll(() => server.stop());

describeCoordination('coordination on Redis', (breakerPolicy) =>
  createOnRedis(server.url, breakerPolicy && { breakerPolicy }),
);
