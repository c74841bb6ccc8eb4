import { randomBytes } from 'node:crypto';
import { type MemoryChange, SeededRng } from '@annals/domain';
import { writeMemories } from '@annals/storage';
import { type Browser, newMemory, type Page, startBrowser } from '@annals/testing';
import { type BenchEnvironment } from '../frame/bench-environment.ts';
import { withDeployment } from '../frame/deployment.ts';
import { atMost, type Row } from '../frame/row.ts';
import { median } from '../frame/statistics.ts';
import type { Suite } from '../frame/suite.ts';

const USER = 'console';
const WRITE_BATCH = 200;
/** As the page asks for them. */
const LIST = `/v1/memories?user_id=${USER}&limit=200`;
const SCROLLED_PAGES = 5;
/** What people take as at once. */
const MAX_SHOWN_MS = 1_000;
/** A frame that takes longer is seen as a jerk. */
const MAX_FRAME_MS = 100;

interface Times {
  /** `GET /v1/memories` of the first page, by the same browser without the console. */
  readonly api: number;
  /** From opening the user's page to its first memories, painted. */
  readonly shown: number;
  /** From requesting the console to the first painted content, nothing cached. */
  readonly firstPaint: number;
  /** The longest frame while it is scrolled through a thousand memories, with all that is loaded for it. */
  readonly longestFrame: number;
}

/** The user's page of the console with 10 000 memories, in Chromium, beside the API's own time. */
export const benchConsole: Suite = (options) =>
  withDeployment(options, async ({ environment, startGateway }) => {
    const memories = options.quick ? 1_000 : 10_000;
    for (let start = 0; start < memories; start += WRITE_BATCH) await addMemories(environment, start, WRITE_BATCH);
    const gateway = await startGateway();
    const browser = await startBrowser();
    try {
      const times: Times[] = [];
      const rounds = options.quick ? 2 : 9;
      for (let round = 0; round < rounds; round += 1)
        times.push(await measure(browser, gateway.url, environment.apiKey));
      return toRows(times, memories);
    } finally {
      await browser.close();
    }
  });

function toRows(times: readonly Times[], memories: number): Row[] {
  const of = (name: keyof Times) => median(times.map((one) => one[name]));
  const what = `${memories.toLocaleString('en')} memories`;
  const [shown, longestFrame] = [of('shown'), of('longestFrame')];
  return [
    { id: 'CONSOLE', what: 'sign-in page, first content painted, nothing cached', value: of('firstPaint'), unit: 'ms' },
    {
      id: 'CONSOLE',
      what: `a user's page with ${what}: first memories painted`,
      value: shown,
      unit: 'ms',
      raw: { what: 'the same page of memories by fetch', value: of('api') },
      target: atMost(shown, MAX_SHOWN_MS, '≤ 1 s'),
    },
    {
      id: 'CONSOLE',
      what: `longest frame while 1,000 of ${what} are scrolled through`,
      value: longestFrame,
      unit: 'ms',
      target: atMost(longestFrame, MAX_FRAME_MS, '≤ 100 ms'),
    },
  ];
}

async function measure(browser: Browser, url: string, apiKey: string): Promise<Times> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
  try {
    const page = await context.newPage();
    await page.goto(`${url}/console/`);
    await page.getByLabel('API key').fill(apiKey);
    const firstPaint = await evaluate(page, "performance.getEntriesByName('first-contentful-paint')[0].startTime");
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: USER }).waitFor();
    const headers = JSON.stringify({ authorization: `Bearer ${apiKey}` });
    const api = await evaluate(
      page,
      `(async () => {
        const started = performance.now();
        await (await fetch('${LIST}', { headers: ${headers} })).json();
        return performance.now() - started;
      })()`,
    );
    // The page's own files are loaded in the background by then, as for somebody who looks at the list first.
    await page.waitForLoadState('networkidle');
    const shown = await evaluate(
      page,
      `(async () => {
        const started = performance.now();
        location.hash = '#/users/${USER}';
        while (!document.querySelector('.list li')) await new Promise(requestAnimationFrame);
        await new Promise(requestAnimationFrame);
        return performance.now() - started;
      })()`,
    );
    return { api, shown, firstPaint, longestFrame: await scroll(page) };
  } finally {
    await context.close();
  }
}

/** As somebody scrolls who looks for something: some rows with each frame. */
function scroll(page: Page): Promise<number> {
  return evaluate(
    page,
    `(async () => {
      const list = document.querySelector('.list');
      const rows = ${SCROLLED_PAGES} * 200;
      let longest = 0;
      let before = await new Promise(requestAnimationFrame);
      for (;;) {
        list.scrollTop += 400;
        const now = await new Promise(requestAnimationFrame);
        longest = Math.max(longest, now - before);
        before = now;
        const last = list.querySelector('li:last-child');
        if (Number(last.dataset.index) >= rows - 20) return longest;
      }
    })()`,
  );
}

async function evaluate(page: Page, script: string): Promise<number> {
  return Number(await page.evaluate(script));
}

async function addMemories(environment: BenchEnvironment, start: number, count: number): Promise<void> {
  const { database, tenantId, clock, ids } = environment;
  const rng = new SeededRng(start);
  const word = () => Math.floor(rng.nextFloat() * 1e12).toString(36);
  const changes = Array.from({ length: count }, (_, n): MemoryChange => {
    const content = `The user keeps ${word()} and ${word()} in place ${start + n} of the ${word()} shelf.`;
    return { kind: 'observe', memory: newMemory(content, clock.now()) };
  });
  const written = await database.inTenant(tenantId, (tx) => {
    tx.allowBulk();
    return writeMemories(tx, { userId: USER, actor: 'bench', node: 'api', changes }, { clock, ids, randomBytes });
  });
  if (written.outcome !== 'applied') throw new Error(`The write is ${written.outcome}.`);
}
