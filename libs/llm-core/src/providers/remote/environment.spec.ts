import { sampleRequest } from '../../provider/llm-request.fixture.js';
import { connectClaude, connectOpenAI, useServers } from './connect.fixture.js';

const start = useServers();

/** Variables that the SDKs read from the environment if an option is not set. */
const SDK_VARIABLES = {
  ANTHROPIC_API_KEY: 'sk-env',
  ANTHROPIC_AUTH_TOKEN: 'sk-env',
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
  ANTHROPIC_LOG: 'debug',
  ANTHROPIC_PROFILE: 'nobody',
  OPENAI_API_KEY: 'sk-env',
  OPENAI_ADMIN_KEY: 'sk-env',
  OPENAI_BASE_URL: 'http://127.0.0.1:1',
  OPENAI_ORG_ID: 'org-env',
  OPENAI_PROJECT_ID: 'proj-env',
  OPENAI_LOG: 'debug',
};

describe('the environment variables of the SDKs', () => {
  const before = { ...process.env };
  beforeEach(() => void Object.assign(process.env, SDK_VARIABLES));
  afterEach(() => {
    process.env = before;
  });

  it.each(['claude', 'openai'] as const)('do not affect %s, and nothing is printed', async (name) => {
    const printed = (['debug', 'info', 'log', 'warn', 'error'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => {}),
    );
    const server = await start();
    const provider = name === 'claude' ? connectClaude(server) : connectOpenAI(server);
    // The server accepts the configured key only.
    expect((await provider.send(sampleRequest())).finishReason).toBe('stop');
    const { headers } = server.journal.entries.at(-1)!.request;
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['openai-organization']));
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['openai-project']));
    for (const spy of printed) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });
});
