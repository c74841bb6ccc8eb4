import { type CheckpointDeleted, type CheckpointInfo, ProblemError, type routes } from '@annals/contracts';
import { type Clock, findJsonMember } from '@annals/domain';
import { CLOCK, CONFIG } from '@annals/runtime';
import { deleteCheckpoint, saveCheckpoint } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import type { GatewayConfig } from '../config.js';
import { type Answer, type Call, ok } from '../http/call.js';
import { resolveExpectedVersion, versionConflict } from '../http/expected-version.js';
import { etagOf } from '../http/if-match.js';
import { IdempotentWrites } from '../idempotency/idempotent-writes.js';
import { bindCheckpoint, checkpointNotFound } from './bind-checkpoint.js';

/** Saves and deletes checkpoints. */
@Injectable()
export class CheckpointWrites {
  constructor(
    @Inject(IdempotentWrites) private readonly writes: IdempotentWrites,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async put(call: Call<typeof routes.putCheckpoint>): Promise<Answer<CheckpointInfo>> {
    const { params, body, caller, idempotency } = call;
    const userId = bindCheckpoint(caller, params.user_id);
    const expectedVersion = resolveExpectedVersion(call.expectedRevision, body.version);
    const { maxBytes, keepVersions } = this.config.checkpoints;
    // The bytes of the request, not the parsed value: parsing rounds large numbers.
    const state = findJsonMember(idempotency.body!, 'data')!;
    if (state.length > maxBytes) throw tooLarge(state.length, maxBytes);
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

  async delete(call: Call<typeof routes.deleteCheckpoint>): Promise<Answer<CheckpointDeleted>> {
    const { params, caller, expectedRevision: expectedVersion } = call;
    const userId = bindCheckpoint(caller, params.user_id);
    return this.writes.run(call, async (tx) => {
      const deleted = await deleteCheckpoint(tx, { userId, threadId: params.thread_id, expectedVersion });
      if (deleted.outcome === 'not_found') throw checkpointNotFound();
      if (deleted.outcome === 'conflict') throw versionConflict(deleted.version, { inHeader: true });
      return { userId, answer: ok({ version: deleted.version, versions: deleted.versions }) };
    });
  }
}

function tooLarge(bytes: number, maxBytes: number): ProblemError {
  return new ProblemError(
    'checkpoint_too_large',
    `body.data is ${bytes} bytes of JSON, and the maximum is ${maxBytes}: store less in it, or raise ` +
      'ANNALS_CHECKPOINT_MAX_BYTES (and ANNALS_BODY_LIMIT_BYTES above it).',
  );
}
