import {
  type AnnalsSystem,
  ApiClient,
  type CollectedSpan,
  type OtlpCollector,
  startOtlpCollector,
  startSystem,
  waitForBatches,
  waitUntil,
  TEST_METRICS_TOKEN,
} from '@annals/testing';

/** Canary words, one for each field that can contain a person's text or a secret. */
const CANARIES = {
  said: 'quixotrium',
  answered: 'velmorphic',
  byHand: 'brindlewax',
  asked: 'ostrivane',
  refusedText: 'plumgrackle',
  refusedField: 'wexfordian',
  brokenJson: 'tarnsquill',
  queryString: 'morvexian',
  email: 'canary-address',
  actor: 'nimbleford',
} as const;

describe('personal data and secrets', () => {
  let collector: OtlpCollector;
  let system: AnnalsSystem;
  let client: ApiClient;
  let batchId: string;
  let madeKey: string;

  beforeAll(async () => {
    collector = await startOtlpCollector();
    system = await startSystem({
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '200' },
    });
    client = new ApiClient(() => system.nextUrl(), system.tenantKey);
    await postCanaries();
  });
  afterAll(async () => {
    await system?.close();
    await collector?.close();
  });

  async function postCanaries(): Promise<void> {
    const accepted = await client.must('postConversation', {
      body: {
        user_id: 'ada',
        thread_id: 'talk',
        flush: true,
        messages: [
          {
            role: 'user',
            actor_id: CANARIES.actor,
            content: `I like ${CANARIES.said} tea. Write to ${CANARIES.email}@example.com.`,
          },
          { role: 'assistant', content: `Is ${CANARIES.answered} better?` },
        ],
      },
    });
    batchId = accepted.batch_ids[0]!;
    await client.must('addMemory', {
      body: { user_id: 'ada', content: `The user plays ${CANARIES.byHand}.`, category: 'profile' },
    });
    await client.must('queryMemory', { body: { query: CANARIES.asked, filters: { user_id: 'ada' } } });
    await client.send('POST', '/v1/conversations', {
      body: { user_id: 'ada', messages: [{ role: CANARIES.refusedText, content: 7 }], [CANARIES.refusedField]: 1 },
    });
    await client.send('POST', '/v1/conversations', { body: `{"user_id": "${CANARIES.brokenJson}` });
    await client.send('GET', `/v1/memories?nothing=${CANARIES.queryString}`);
    madeKey = (await client.must('createKey', { body: { name: 'second', scopes: ['query'] } })).key!;
    await client.withKey('ann_wrong-key-of-someone').send('GET', '/v1/memories');
    const [batch] = await waitForBatches(client, [batchId], { explain: () => system.lastLines });
    expect(batch).toMatchObject({ status: 'done', inserted: 1 });
  }

  const secrets = () => [
    ...Object.values(CANARIES),
    system.tenantKey,
    system.operatorKey,
    madeKey,
    'ann_wrong-key-of-someone',
  ];
  const findIn = (text: string) => secrets().filter((secret) => text.includes(secret));
  const commitSpan = () => collector.spans.find(({ name }) => name === 'persist_batch');

  it('are not in the traces, which run from the request through both queues to the commit', async () => {
    const commit = await waitUntil(commitSpan, { describe: 'the span of the commit is received' });
    const request = await waitUntil(() => ofTrace(commit).find(({ name }) => name === 'POST /v1/conversations'), {
      describe: 'the span of the request is in the same trace',
    });
    const expected =
      system.profile === 'services'
        ? ['annals-gateway', 'annals-extraction', 'annals-persistence']
        : ['annals-standalone'];
    const services = () => new Set(ofTrace(commit).map(({ service }) => service));
    // Every process exports its spans independently, so that spans in between may arrive last.
    const isWhole = () => ancestors(commit).includes(request.spanId) && services().size >= expected.length;
    await waitUntil(isWhole, { describe: 'all spans from the request to the commit are received' });
    expect(ancestors(commit)).toContain(request.spanId);
    expect(services()).toEqual(new Set(expected));
    expect(findIn(collector.received)).toEqual([]);
  });

  it('are not in the logs at the most detailed level', async () => {
    await waitUntil(() => system.logs.includes(batchId), { describe: 'the logs contain the batch id' });
    expect(findIn(system.logs)).toEqual([]);
  });

  it('are not in the metrics', async () => {
    for (const { url } of system.processes) {
      const { text } = await new ApiClient(url, TEST_METRICS_TOKEN).send('GET', '/metrics');
      expect(text).toContain('memory_llm_');
      expect(findIn(text)).toEqual([]);
    }
  });

  it('are not in the queues', async () => {
    const dump = await system.dumpQueues();
    expect(dump).toContain(batchId);
    expect(findIn(dump)).toEqual([]);
  });

  it('are in the database only in the intended columns, and secrets in none', async () => {
    await system.inspect(async (query) => {
      const tables = await query<{ name: string }>(
        `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'annals'`,
      );
      const found: Record<string, string[]> = {};
      for (const { name } of tables) {
        const text = JSON.stringify(await query(`SELECT to_jsonb(t) AS row FROM annals.${name} t`));
        for (const secret of findIn(text)) (found[secret] ??= []).push(name);
      }
      const allowed: Record<string, RegExp> = {
        [CANARIES.said]: /^(messages|extractions|memories|memory_sources|lexical_postings|history)$/,
        [CANARIES.answered]: /^(messages|lexical_postings)$/,
        [CANARIES.byHand]: /^(memories|lexical_postings|history)$/,
        [CANARIES.actor]: /^(messages|memories|memory_sources|lexical_postings|extractions|history)$/,
      };
      const misplaced = Object.entries(found).flatMap(([secret, places]) =>
        places.filter((place) => !allowed[secret]?.test(place)).map((place) => `${secret} in ${place}`),
      );
      expect(misplaced).toEqual([]);
      expect(found[CANARIES.said]).toContain('memories');
    });
  });

  function ofTrace({ traceId }: CollectedSpan): CollectedSpan[] {
    return collector.spans.filter((span) => span.traceId === traceId);
  }

  function ancestors(span: CollectedSpan): string[] {
    const parent = ofTrace(span).find(({ spanId }) => spanId === span.parentSpanId);
    return parent ? [parent.spanId, ...ancestors(parent)] : [];
  }
});
