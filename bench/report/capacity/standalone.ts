import { SeededRng } from '@annals/domain';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConversation } from '../../data/conversations.ts';
import { ApiClient } from '../../frame/load.ts';
import { startServiceProcess } from '../../frame/service-process.ts';
import type { Kind } from './kind.ts';
import type { Offered } from './offer.ts';
import { offerRequests } from './requests.ts';

const USERS = 50;
const KEY = 'bench-key-of-a-throw-away-folder';
const SATURATING = 40;
const POLL_MS = 100;
const PAGE = 200;

interface BatchPage {
  readonly items: readonly { readonly id: string; readonly accepted_at: string; readonly finished_at: string | null }[];
}

export const STANDALONE: Kind = {
  title: 'standalone, everything in one process',
  unit: 'conversations',
  limitMs: 5_000,
  work: 'a conversation of 10 messages is accepted and becomes memories by the local rules, in the embedded database; from accepted to stored',
  async prepare() {
    const folder = mkdtempSync(path.join(tmpdir(), 'annals-report-'));
    const process = await startServiceProcess({
      name: 'standalone',
      script: 'apps/standalone/dist/main.js',
      env: {
        ANNALS_DATA_DIR: folder,
        ANNALS_BOOTSTRAP_KEY: KEY,
        ANNALS_MINDS: 'off',
        ANNALS_LOG_LEVEL: 'warn',
        ANNALS_RATE_LIMIT_PER_MINUTE: '100000000',
      },
      portVariable: 'ANNALS_HTTP_PORT',
    });
    const client = new ApiClient(process.url, KEY);
    const rng = new SeededRng(4);
    let serial = 0;
    const post = async (): Promise<string> => {
      const body = { ...createConversation(rng, serial++, USERS), flush: true };
      const answer = await client.post('/v1/conversations', JSON.stringify(body));
      return (JSON.parse(answer) as { batch_ids: string[] }).batch_ids[0]!;
    };
    const offer = async (perSecond: number, seconds: number): Promise<Offered> => {
      const ids = new Set<string>();
      await offerRequests(perSecond, seconds, async () => ids.add(await post()));
      return waitForMemories(client, ids);
    };
    return {
      process,
      saturate: async () => {
        const { done } = await offer(10_000, SATURATING / 10_000);
        return ((done.length - 1) * 1_000) / (Math.max(...done) - Math.min(...done));
      },
      offer,
      async close() {
        client.close();
        await process.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
};

/** When these batches were accepted and done. */
async function waitForMemories(client: ApiClient, ids: ReadonlySet<string>): Promise<Offered> {
  for (;;) {
    const page = JSON.parse(await client.get(`/v1/batches?limit=${PAGE}`)) as BatchPage;
    const ours = page.items.filter(({ id }) => ids.has(id));
    if (ours.length < ids.size) throw new Error(`Only ${ours.length} of ${ids.size} batches are on a page of ${PAGE}.`);
    const done = ours.flatMap(({ finished_at: at }) => (at === null ? [] : [Date.parse(at)]));
    if (done.length === ids.size) return { due: ours.map(({ accepted_at: at }) => Date.parse(at)), done };
    await sleep(POLL_MS);
  }
}
