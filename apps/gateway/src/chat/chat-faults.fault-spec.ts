import { waitUntil } from '@annals/testing';
import pg from 'pg';
import type OpenAI from 'openai';
import { type ChatSystem, OPENAI_MODEL, startChatSystem } from './chat.fixture.js';

const QUESTION = 'What is the name of my dog?';

describe('a memory that fails', () => {
  let system: ChatSystem;
  let admin: pg.Client;
  let client: OpenAI;
  beforeAll(async () => {
    system = await startChatSystem({ env: { ANNALS_CHAT_MEMORY_TIMEOUT_MS: '1000' } });
    admin = new pg.Client({ connectionString: system.gateway.testDatabase.admin.url });
    await admin.connect();
    client = system.connect({ 'x-annals-user': 'ada', 'x-annals-thread': 't' });
    await complete('Hello');
  });
  afterAll(async () => {
    await admin?.end();
    await system?.close();
  });

  const complete = (content: string) =>
    client.chat.completions.create({ model: OPENAI_MODEL, messages: [{ role: 'user', content }] }).withResponse();
  const readStatus = ({ headers }: Response) => [headers.get('x-annals-memory'), headers.get('x-annals-ingest')];

  it('never fails the chat, and tells nobody what was said', async () => {
    await admin.query('ALTER TABLE annals.messages RENAME TO messages_away');
    try {
      const { data, response } = await complete(QUESTION);
      expect(data.choices[0]!.message.content).toBe('Hello.');
      expect(readStatus(response)).toEqual(['unavailable', 'failed']);
    } finally {
      await admin.query('ALTER TABLE annals.messages_away RENAME TO messages');
    }
    expect(system.gateway.logged('chat_memory_failed').length).toBeGreaterThan(0);
    expect(system.gateway.log.join('')).not.toContain(QUESTION);
  });

  it('is left out when it takes too long, and what was said is stored all the same', async () => {
    await admin.query('BEGIN');
    await admin.query('LOCK TABLE annals.messages IN ACCESS EXCLUSIVE MODE');
    try {
      const { data, response } = await complete('Remember the milk.');
      expect(data.choices[0]!.message.content).toBe('Hello.');
      expect(readStatus(response)).toEqual(['unavailable', 'failed']);
    } finally {
      await admin.query('ROLLBACK');
    }
    const stored = await waitUntil(
      async () => {
        const said = await system.listSaid('ada', 't');
        return said.includes('user: Remember the milk.') && said.at(-1) === 'assistant: Hello.' ? said : null;
      },
      { describe: 'both turns are stored' },
    );
    expect(stored.slice(-2)).toEqual(['user: Remember the milk.', 'assistant: Hello.']);
  });
});
