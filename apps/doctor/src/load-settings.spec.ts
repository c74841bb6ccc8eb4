import { ConfigError } from '@annals/config';
import { detectProfile, loadSettings } from './load-settings.js';

const SERVERS = {
  ANNALS_DATABASE_URL: 'postgres://annals_app:pw@db/annals',
  ANNALS_REDIS_URL: 'redis://cache',
  ANNALS_SECRET_KEY: 's'.repeat(32),
};

describe('loadSettings', () => {
  it('uses the distributed profile when the address of a server is set', () => {
    expect([detectProfile({}), detectProfile({ ANNALS_REDIS_URL: 'redis://cache' }), detectProfile(SERVERS)]).toEqual([
      'embedded',
      'distributed',
      'distributed',
    ]);
  });

  it('loads the configuration of the services of a profile', () => {
    expect(loadSettings('embedded', {}).config.llm.primary).toBe('local');
    expect(loadSettings('distributed', SERVERS)).toMatchObject({ config: { redis: { url: 'redis://cache' } } });
  });

  it('reports all problems in one error', () => {
    const load = () => loadSettings('distributed', { ANNALS_LOG_LEVEL: 'loud', MEMORY_LLM_PRIMARY: 'gpt' });
    expect(load).toThrow(ConfigError);
    for (const name of [
      'ANNALS_DATABASE_URL',
      'ANNALS_REDIS_URL',
      'ANNALS_SECRET_KEY',
      'ANNALS_LOG_LEVEL',
      'MEMORY_LLM_PRIMARY',
    ]) {
      expect(load).toThrow(name);
    }
  });
});
