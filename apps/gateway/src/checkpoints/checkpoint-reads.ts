import type { CheckpointPage, routes } from '@annals/contracts';
import { DATABASE } from '@annals/runtime';
import { type Database, listCheckpoints, loadCheckpoint, type LoadedCheckpoint } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import { type Call, STREAMED } from '../http/call.js';
import { etagOf } from '../http/if-match.js';
import { bindCheckpoint, checkpointNotFound } from './bind-checkpoint.js';

const CLOSING = Buffer.from('}');

/** Reads and lists checkpoints. */
@Injectable()
export class CheckpointReads {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  /** Sends the stored bytes: parsing and serialising the state again would round large numbers. */
  async get({ params, query, caller, raw }: Call<typeof routes.getCheckpoint>): Promise<typeof STREAMED> {
    const userId = bindCheckpoint(caller, params.user_id);
    const loaded = await this.database.readTenantPipelined(tenantOf(caller), (tx) =>
      loadCheckpoint(tx, { userId, threadId: params.thread_id, version: query.version }),
    );
    if (!loaded) throw checkpointNotFound();
    raw.reply
      .code(200)
      .headers({ 'content-type': 'application/json; charset=utf-8', ...etagOf({ revision: loaded.version }) })
      .send(renderCheckpoint(loaded));
    return STREAMED;
  }

  async list({ params, query, caller }: Call<typeof routes.listCheckpoints>): Promise<CheckpointPage> {
    const userId = bindCheckpoint(caller, params.user_id);
    return this.database.readTenantPipelined(tenantOf(caller), (tx) => listCheckpoints(tx, userId, query));
  }
}

function renderCheckpoint({ info, version, savedAt, state }: LoadedCheckpoint): Buffer {
  const fields = JSON.stringify({ ...info, version, bytes: state.length, saved_at: savedAt });
  return Buffer.concat([Buffer.from(`${fields.slice(0, -1)},"data":`), state, CLOSING]);
}
