import { type ConversationAccepted, type ConversationTrial, ProblemError, type routes } from '@annals/contracts';
import type { Clock, IdGenerator, PiiCounts } from '@annals/domain';
import type { OutboxRelay } from '@annals/messaging';
import { CLOCK, CONFIG, DATABASE, IDS, RELAY } from '@annals/runtime';
import {
  type AcceptMessagesInput,
  addDryRun,
  type Database,
  type DryRunAnswer,
  endDryRun,
  readDryRun,
  selectNewMessages,
} from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { hasScope, type Principal, tenantOf } from '../auth/principal.js';
import type { GatewayConfig } from '../config.js';
import { type Answer, type Call, ok } from '../http/call.js';
import { explainConflict } from './explain-conflict.js';
import { listRedactions } from './list-redactions.js';

type DryRunCall = Call<typeof routes.postConversation>;

/** How long a caller waits. Less than clients of the API do by default. */
const MAX_WAIT_MS = 50_000;
/** A row that nobody has taken is deleted after this time. */
const EXPIRY_MS = 120_000;
/** Callers of a process who may wait at once: each asks the database again and again. */
const MAX_WAITING = 100;
const FIRST_POLL_MS = 25;
const MAX_POLL_MS = 400;

/**
 * Says what would be remembered of messages, and stores none (docs/reference/moving.md#dry-run-of-a-conversation). The
 * models are in another process: a worker is asked through a row that lives as long as the caller waits.
 */
@Injectable()
export class DryRuns {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'batching'>,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: IdGenerator,
    @Inject(RELAY) private readonly relay: Pick<OutboxRelay, 'kick'>,
  ) {}

  private waiting = 0;

  /** Throws `rate_limited` when too many callers wait in this process. */
  async run(call: DryRunCall, input: AcceptMessagesInput, counts: PiiCounts): Promise<Answer<ConversationAccepted>> {
    if (this.waiting >= MAX_WAITING) {
      throw new ProblemError('rate_limited', 'Too many dry runs are under way in this process. Send it again.', {
        retryAfterSeconds: 1,
      });
    }
    this.waiting += 1;
    try {
      return await this.tryOut(call, input, counts);
    } finally {
      this.waiting -= 1;
    }
  }

  private async tryOut(
    { caller, body }: DryRunCall,
    input: AcceptMessagesInput,
    counts: PiiCounts,
  ): Promise<Answer<ConversationAccepted>> {
    const tenantId = tenantOf(caller);
    const id = this.ids.next();
    const { maxMessages } = this.config.batching;
    const selected = await this.database.inTenant(tenantId, async (tx) => {
      const found = await selectNewMessages(tx, input).catch(explainConflict);
      const messages = found.messages.map((message) => ({ ...message, id: this.ids.next() }));
      const { userId, agentId, now, trace } = input;
      const request = {
        userId,
        agentId,
        conversationId: found.conversationId,
        messages,
        maxMessages,
        readsStored: mayReadAll(caller),
      };
      if (messages.length > 0) addDryRun(tx, { id, request, now, expiresAt: now + EXPIRY_MS, trace }, this.ids);
      return { ...found, accepted: input.messages.length - found.duplicates };
    });
    const trial = selected.messages.length > 0 ? await this.waitFor(tenantId, id) : NOTHING_NEW;
    const conversationId = selected.conversationId ?? id;
    return ok({
      conversation_id: conversationId,
      thread_id: body.thread_id ?? conversationId,
      batch_ids: [],
      accepted: selected.accepted,
      duplicates: selected.duplicates,
      redactions: listRedactions(counts),
      dry_run: trial,
    });
  }

  private async waitFor(tenantId: string, id: string): Promise<ConversationTrial> {
    this.relay.kick();
    const endsMs = this.clock.monotonicNow() + MAX_WAIT_MS;
    try {
      for (let pollMs = FIRST_POLL_MS; this.clock.monotonicNow() < endsMs; pollMs = Math.min(MAX_POLL_MS, pollMs * 2)) {
        await wait(pollMs);
        const answer = await this.database.readTenant(tenantId, (tx) => readDryRun(tx, id));
        if (answer === 'gone') throw interrupted();
        if (answer !== null) return this.read(answer);
      }
    } finally {
      await this.database.inTenant(tenantId, (tx) => endDryRun(tx, id));
    }
    throw new ProblemError(
      'dry_run_timeout',
      'No worker has answered in time: send fewer messages, or try again later.',
    );
  }

  private read(answer: DryRunAnswer): ConversationTrial {
    if (answer.ok) return answer.trial;
    const { code, until } = answer;
    const seconds = until === null ? null : Math.max(1, Math.ceil((until - this.clock.now()) / 1_000));
    const retry = seconds === null ? {} : { retryAfterSeconds: seconds };
    switch (code) {
      case 'budget_exceeded':
      case 'budget_too_small':
        throw new ProblemError(
          'budget_exceeded',
          'The dry run needs a model, and the budget does not allow the call: raise the budget, or wait for the next budget day.',
          retry,
        );
      case 'circuit_open':
      case 'rate_limit':
        throw new ProblemError('unavailable', 'The model cannot be called now: try again later.', retry);
      default:
        throw new ProblemError('dry_run_failed', `The model gave no usable answer (${code}): try again later.`);
    }
  }
}

const NOTHING_NEW: ConversationTrial = {
  memories: [],
  rejected: 0,
  cost: { micro_usd: 0, tokens: { input: 0, output: 0 }, provider: null, model: null },
};

function interrupted(): ProblemError {
  return new ProblemError('unavailable', 'The dry run was interrupted: send the request again.', {
    retryAfterSeconds: 1,
  });
}

/** Others are answered as if nothing was stored: what would become of a statement tells whether something says the same. */
function mayReadAll(caller: Principal): boolean {
  return caller.bindings.agentId === null && (hasScope(caller, 'query') || hasScope(caller, 'admin'));
}
