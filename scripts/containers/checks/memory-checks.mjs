import { connect } from '../../demo/api.mjs';
import { expect } from '../checklist.mjs';
import { expectRemembered, remember, waitUntil } from '../stack/conversation.mjs';
import { keepPosting } from '../stack/posts.mjs';

const FACT = { userId: 'mara', messageId: 'm1', content: 'I moved to Lisbon last month. I am allergic to peanuts.' };
const QUESTION = { ...FACT, query: 'What must we know before we book a dinner?', text: 'allergic to peanuts' };

/** A client of the gateway's published port, once it answers: connections to an earlier container break first. */
async function connectTo(stack) {
  const environment = describeGateway(stack);
  const isReady = async () =>
    (await fetch(`${environment.ANNALS_URL}/health/ready`).catch(() => undefined))?.ok || undefined;
  await waitUntil('the gateway answers', isReady);
  return connect(environment);
}

function describeGateway({ settings }) {
  return { ANNALS_URL: `http://${settings.ANNALS_PUBLISH}`, ANNALS_KEY: settings.ANNALS_BOOTSTRAP_KEY };
}

/** Posts for new users, whose ids have this prefix, until they are verified. */
export async function startPosts(stack, prefix) {
  return keepPosting(await connectTo(stack), { prefix, environment: describeGateway(stack) });
}

/** A conversation is remembered, and survives a restart of all containers. */
export async function checkMemory({ check, must }, stack) {
  const api = await connectTo(stack);
  await must('a conversation is sent, extracted and written', async () => {
    const batch = await remember(api, FACT);
    return `${batch.inserted} memories inserted`;
  });
  await check('a query returns the memory with its source', () => expectRemembered(api, QUESTION));
  await check('the pages of the API are served', async () => {
    for (const page of ['/docs', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', '/openapi.json']) {
      const response = await fetch(new URL(page, api.base));
      expect(response.ok, `${page} answers ${response.status}.`);
    }
  });
  await check('doctor finds nothing in a container', () => runDoctor(stack, ['doctor', '--offline']));
  await check('verify confirms the audit history in a container', () => runDoctor(stack, ['verify']));
}

export async function checkRestart({ check, must }, stack) {
  await must('all containers are removed and started again, volumes kept', () => {
    stack.compose(['--profile', '*', 'down', '--timeout', '60']);
    stack.up(stack.services);
  });
  const api = await connectTo(stack);
  await check('the memory is still there', () => expectRemembered(api, QUESTION));
}

export async function checkScaling({ check }, stack) {
  await check('extraction runs three times, and loses nothing', async () => {
    stack.up(['extraction'], ['--scale', 'extraction=3', '--no-recreate']);
    const replicas = stack.inspect('extraction');
    expect(replicas.length === 3, `${replicas.length} containers run.`);
    const posts = await startPosts(stack, 'scaled');
    await posts.until(40);
    return posts.stopAndVerify();
  });
}

function runDoctor(stack, args) {
  const { status, output } = stack.runOnce('persistence', ['apps/doctor/dist/main.js', ...args]);
  expect(status === 0, `It ended with ${status}:\n${output}`);
  return output.trim().split('\n').at(-1);
}
