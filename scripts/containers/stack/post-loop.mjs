import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { connect } from '../../demo/api.mjs';
import { post } from './conversation.mjs';

const POST_EVERY_MS = 250;
const RETRY_MS = 500;

// Sends conversations of new users, until the message 'stop', and tells of each that is acknowledged. A post that fails, as a
// gateway is replaced, is repeated with the same message id until it is acknowledged, as a client does.
const { prefix, environment } = workerData;
const api = await connect(environment);
const stopping = new AbortController();
parentPort.once('message', () => stopping.abort());

for (let number = 1; !stopping.signal.aborted; number += 1) {
  parentPort.postMessage(await postUntilAcknowledged(number));
  await pause(POST_EVERY_MS);
}

async function postUntilAcknowledged(number) {
  const userId = `${prefix}-${number}`;
  const body = post(userId, `message-${number}`, 'I am allergic to peanuts. I live in Lisbon.');
  for (let repeated = 0; ; repeated += 1) {
    try {
      const accepted = await api.call('POST', '/v1/conversations', body);
      return { userId, batchIds: accepted.batch_ids, repeated };
    } catch (error) {
      // No answer, or 5xx: whether it was committed is unknown.
      if (error.status !== undefined && error.status < 500) throw error;
      await pause(RETRY_MS);
    }
  }
}
