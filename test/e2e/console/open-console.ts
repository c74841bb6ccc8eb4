import { AxeBuilder } from '@axe-core/playwright';
import {
  type AnnalsSystem,
  ApiClient,
  type Browser,
  type Page,
  startOnServices,
  startStandalone,
  waitUntilDone,
} from '@annals/testing';
import path from 'node:path';

/** `npm run docs:screens` takes the pictures of docs/console.md. */
const SCREENSHOTS = process.env['ANNALS_SCREENSHOTS'];
/** What React Aria has just told screen readers, for some seconds: of a button that may be gone by now. */
const ANNOUNCEMENTS = '[data-live-announcer]';
/** Chromium reports each answer 404: a conversation has no summary before one was written. */
const MISSING_SUMMARY = /\/summary\?.* status of 404/;
const WIDE = { width: 1200, height: 800 };

interface ProfileOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Processes of each service of minds, where services are processes. */
  readonly minds?: number;
}

/** What serves the console: each main path is tried on both. */
export const PROFILES = [
  ['one process on the embedded database', ({ env = {} }: ProfileOptions = {}) => startStandalone({ env })],
  ['separate processes on PostgreSQL and Redis', (options: ProfileOptions = {}) => startOnServices(options)],
] as const satisfies readonly (readonly [string, (options?: ProfileOptions) => Promise<AnnalsSystem>])[];

export interface Console {
  readonly page: Page;
  /** Opens a page of the console by what follows `#` in its address. */
  open(fragment: string): Promise<void>;
  signIn(key: string): Promise<void>;
  /** Serious and critical findings of axe on the page, as `rule: element`; on the embedded profile only. */
  findBarriers(): Promise<string[]>;
  takePicture(name: string): Promise<void>;
  /** What Chromium complains of: errors of scripts, and violations of the policy. */
  readonly complaints: readonly string[];
}

export async function openConsole(browser: Browser, system: AnnalsSystem): Promise<Console> {
  const url = system.nextUrl();
  const context = await browser.newContext({ viewport: WIDE, timezoneId: 'UTC', locale: 'en-GB' });
  // As for other waits: it only ends what hangs.
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    const text = `${message.location().url}: ${message.text()}`;
    if (['error', 'warning'].includes(message.type()) && !MISSING_SUMMARY.test(text)) complaints.push(text);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) complaints.push(`A request to another host: ${request.url()}`);
  });
  return {
    page,
    complaints,
    open: async (fragment) => void (await page.goto(`${url}/console/#${fragment}`)),
    async signIn(key) {
      await page.getByLabel('API key').fill(key);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
    },
    async findBarriers() {
      // The same page is served by both profiles.
      if (system.profile === 'services') return [];
      const { violations } = await new AxeBuilder({ page }).exclude(ANNOUNCEMENTS).analyze();
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    },
    async takePicture(name) {
      if (SCREENSHOTS !== undefined) await page.screenshot({ path: path.join(SCREENSHOTS, `console-${name}.png`) });
    },
  };
}

/** Sends messages of a user as one conversation, and waits until it is extracted. */
export async function tell(
  system: AnnalsSystem,
  userId: string,
  threadId: string,
  said: readonly Said[],
): Promise<void> {
  const client = new ApiClient(() => system.nextUrl(), system.tenantKey);
  const messages = said.map(([day, content]) => ({
    role: 'user' as const,
    content,
    created_at: `${day}T09:00:00Z`,
  }));
  const body = { user_id: userId, thread_id: threadId, flush: true, messages };
  await waitUntilDone(client, (await client.must('postConversation', { body })).batch_ids);
}

type Said = readonly [day: string, content: string];
