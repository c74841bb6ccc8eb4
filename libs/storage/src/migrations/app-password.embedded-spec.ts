import pg from 'pg';
import { openEmbeddedDatabase } from '../embedded/open-embedded-database.js';
import { migrate } from '../migrate.js';

describe('migrate', () => {
  // A role belongs to the whole server, so this one is changed on a server of its own.
  it('gives services the password they log in with, whatever is in it', async () => {
    const embedded = await openEmbeddedDatabase({ location: 'memory' });
    const connection = { stream: embedded.createStream };
    const client = new pg.Client(connection);
    await client.connect();
    const readPassword = async () => {
      const sql = "SELECT rolpassword FROM pg_authid WHERE rolname = 'annals_app'";
      return (await client.query<{ rolpassword: string | null }>(sql)).rows[0]!.rolpassword;
    };
    await migrate(connection);
    expect(await readPassword()).toBeNull();
    await migrate(connection, { appPassword: `it's a "word"; DROP SCHEMA annals CASCADE; --` });
    expect(await readPassword()).toMatch(/^SCRAM-SHA-256\$/);
    await client.query('SELECT FROM annals.tenants');
    await client.end();
    await embedded.close();
  });
});
