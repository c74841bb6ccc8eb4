import { ProblemError, type routes } from '@annals/contracts';
import { type Clock, findJsonMember } from '@annals/domain';
import { CLOCK, CONFIG, DATABASE } from '@annals/runtime';
import {
  type Database,
  deleteCheckpoint,
  listCheckpoints,
  loadCheckpoint,
  type LoadedCheckpoint,
  saveCheckpoint,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { tenantOf } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import { type Call, ok, STREAMED } from '../http/call.js';
import { resolveExpectedVersion, versionConflict } from '../http/expected-version.js';
import { etagOf } from '../http/headers.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { checkpointTooLarge } from './checkpoint-too-large.js';

@Injectable()
export class CheckpointsService {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async put(call: Call<typeof routes.putCheckpoint>) {
    const { params, body, idempotency } = call;
    const { user_id: userId } = params;
    const expectedVersion = resolveExpectedVersion(call.expectedRevision, body.version);
    const { maxBytes, keepVersions } = this.config.checkpoints;
    // The bytes of the request, not the parsed value: parsing rounds large numbers.
    const state = findJsonMember(idempotency.body!, 'data')!;
    if (state.length > maxBytes) throw checkpointTooLarge(`body.data is ${state.length} bytes of JSON`, maxBytes);
    return this.writes.run(call, async (tx) => {
      const saved = await saveCheckpoint(tx, {
        userId,
        threadId: params.thread_id,
        state,
        expectedVersion,
        keepVersions,
        now: this.clock.now(),
      });
      if (saved.outcome === 'conflict')
        throw versionConflict(saved.version, { inHeader: call.expectedRevision !== null });
      const { info, isFirst } = saved;
      return {
        userId,
        answer: { status: isFirst ? 201 : 200, body: info, headers: etagOf({ revision: info.version }) },
      };
    });
  }

  /** Sends the stored bytes: parsing and serialising the state again would round large numbers. */
  async get({ params, query, caller, raw }: Call<typeof routes.getCheckpoint>): Promise<typeof STREAMED> {
    const { user_id: userId } = params;
    const loaded = await this.database.readTenantPipelined(tenantOf(caller), (tx) =>
      loadCheckpoint(tx, { userId, threadId: params.thread_id, version: query.version }),
    );
    if (!loaded) throw notFound();
    raw.reply
      .code(200)
      .headers({ 'content-type': 'application/json; charset=utf-8', ...etagOf({ revision: loaded.version }) })
      .send(renderCheckpoint(loaded));
    return STREAMED;
  }

  async list({ params, query, caller }: Call<typeof routes.listCheckpoints>) {
    const { user_id: userId } = params;
    return this.database.readTenantPipelined(tenantOf(caller), (tx) => listCheckpoints(tx, userId, query));
  }

  async delete(call: Call<typeof routes.deleteCheckpoint>) {
    const { params, expectedRevision: expectedVersion } = call;
    const { user_id: userId } = params;
    return this.writes.run(call, async (tx) => {
      const deleted = await deleteCheckpoint(tx, {
        userId,
        threadId: params.thread_id,
        expectedVersion,
        now: this.clock.now(),
      });
      if (deleted.outcome === 'not_found') throw notFound();
      if (deleted.outcome === 'conflict') throw versionConflict(deleted.version, { inHeader: true });
      return { userId, answer: ok({ version: deleted.version, versions: deleted.versions }) };
    });
  }
}

function renderCheckpoint({ info, version, savedAt, state }: LoadedCheckpoint): Buffer {
  const fields = JSON.stringify({ ...info, version, bytes: state.length, saved_at: savedAt });
  return Buffer.concat([Buffer.from(`${fields.slice(0, -1)},"data":`), state, Buffer.from('}')]);
}

function notFound(): ProblemError {
  return new ProblemError('not_found', 'The thread has no checkpoint, or not the requested version of it.');
}
