import { memoryQuerySchema, postConversationSchema } from '@annals/contracts';
import { execFileSync } from 'node:child_process';
import type { FirstKey } from '../first-key/ensure-first-key.js';
import { renderStartupBanner } from './render-startup-banner.js';

const render = (key: FirstKey, folder = '/data', provider = 'local') =>
  renderStartupBanner({
    url: 'http://127.0.0.1:8080',
    consolePath: '/console/#/start/token',
    folder,
    key,
    provider,
    docs: true,
  });
const made: FirstKey = { from: 'new', file: '/data/bootstrap-key', text: 'ann_text-of-the-key' };

/** Runs the banner's lines in a shell with a `curl` that only prints its arguments. */
function runLines(banner: string, env: NodeJS.ProcessEnv = {}): string[][] {
  const pasted = banner.slice(banner.indexOf('export '), banner.indexOf('Stop with'));
  const script = `curl() { printf '%s\\0' "$@"; printf '\\n'; }\n${pasted}`;
  const output = execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } });
  return output
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\0').slice(0, -1));
}

describe('renderStartupBanner', () => {
  it('shows that the service is ready, and its URL', () => {
    expect(render(made)).toContain('Annals is ready: http://127.0.0.1:8080\n');
  });

  it('has the one-time link to the console', () => {
    expect(render(made)).toContain(': http://127.0.0.1:8080/console/#/start/token\n');
  });

  it('contains commands that send a conversation and a query that the API accepts', () => {
    const [post, query] = runLines(render(made));
    expect(post).toContain('http://127.0.0.1:8080/v1/conversations');
    expect(post).toContain('Authorization: Bearer ann_text-of-the-key');
    expect(query).toContain('http://127.0.0.1:8080/v1/memory/query');
    expect(postConversationSchema.safeParse(JSON.parse(post!.at(-1)!)).error).toBeUndefined();
    expect(memoryQuerySchema.safeParse(JSON.parse(query!.at(-1)!)).error).toBeUndefined();
  });

  it('shows a key only when it was created at this start', () => {
    expect(render(made)).toContain('ann_text-of-the-key');
    expect(render({ from: 'file', file: '/data/bootstrap-key' })).toContain(
      `export ANNALS_KEY="$(cat '/data/bootstrap-key')"`,
    );
  });

  it('uses the key of the environment', () => {
    const [post] = runLines(render({ from: 'environment' }), { ANNALS_BOOTSTRAP_KEY: 'given-key' });
    expect(post).toContain('Authorization: Bearer given-key');
  });

  it('mentions that the local provider is in use and that a language model finds more', () => {
    expect(render(made)).toMatch(/local provider[\s\S]*language model finds more/);
    expect(render(made, '/data', 'claude')).not.toContain('local provider');
  });
});
