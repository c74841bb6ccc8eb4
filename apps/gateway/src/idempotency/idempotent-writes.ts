import { ProblemError, type RouteDefinition, routes } from '@annals/contracts';
import type { Clock } from '@annals/domain';
import { CLOCK, DATABASE, SECRETS, type Secrets } from '@annals/runtime';
import { beginIdempotent, type Database, NO_TENANT, storeIdempotent, type Tx } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { type Principal, tenantOf } from '../auth/principal.js';
import { type Answer, type Call, type IdempotencyInput, ok } from '../http/call.js';

export interface WriteResult<Body> {
  readonly answer: Answer<Body>;
  /** Stored instead of the response body if that contains a secret. */
  readonly storedBody?: Body;
  /** The user whose data the response contains: it is erased with the user. */
  readonly userId?: string;
  /** Runs once the write is committed, and not when its stored response is returned. */
  readonly afterCommit?: () => void;
}

/** Whether an Idempotency-Key of this route is stored as its HMAC: it often names the user who is erased. */
export function storesKeyHashed(route: RouteDefinition): boolean {
  return route === routes.eraseUser;
}

type StoredResponse = Pick<Answer, 'body' | 'headers'>;

type IdentifiedRequest = NonNullable<ReturnType<IdempotentWrites['identify']>>;

type Write<Body> = (tx: Tx) => Promise<WriteResult<Body>>;

/** Runs writes so that each Idempotency-Key takes effect once (docs/reference/api.md#idempotency-key). */
@Injectable()
export class IdempotentWrites {
  private readonly secret: KeyObject;
  private readonly acceptedSecrets: readonly KeyObject[];

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(SECRETS) secrets: Secrets,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.secret = createSecretKey(secrets.idempotency);
    this.acceptedSecrets = secrets.accepted.map(({ idempotency }) => createSecretKey(idempotency));
  }

  /** Runs `write` in one transaction of the caller's tenant, which also stores the response. */
  async run<Body>(call: Call, write: Write<Body>): Promise<Answer<Body>> {
    return this.runIn(tenantOf(call.caller), call, write);
  }

  /** Like `run`, in the given tenant id as namespace. */
  async runIn<Body>(namespace: string, call: Call, write: Write<Body>): Promise<Answer<Body>> {
    return finish(await this.database.inTenant(namespace, this.prepare(call, write)));
  }

  /**
   * Like `run`, in a transaction that other requests of the tenant may share, and in which `write` may run twice. `key`:
   * what the write locks, such as a user's id (see `Database.inTenantTogether`).
   */
  async runTogether<Body>(call: Call, key: string, write: Write<Body>): Promise<Answer<Body>> {
    return finish(await this.database.inTenantTogether(tenantOf(call.caller), key, this.prepare(call, write)));
  }

  private prepare<Body>(call: Call, write: Write<Body>): Write<Body> {
    const request = this.identify(call);
    if (!request) return write;
    return async (tx) => {
      const stored = await this.findStoredResponse<Body>(tx, request);
      if (stored) return { answer: stored };
      const written = await write(tx);
      await this.storeResponse(tx, request, written);
      return written;
    };
  }

  /**
   * Runs a write of an operator, which has transactions of its own, and stores its response afterwards. `write` is
   * repeated when the process ends in between.
   */
  async runForOperator<Body>(call: Call, write: () => Promise<Body>): Promise<Answer<Body>> {
    const request = this.identify(call);
    const stored =
      request && (await this.database.inTenant(NO_TENANT, (tx) => this.findStoredResponse<Body>(tx, request)));
    if (stored) return stored;
    const body = await write();
    return this.runIn(NO_TENANT, call, async () => ({ answer: ok(body) }));
  }

  private identify({ route, idempotency, caller }: Call) {
    const { key } = idempotency;
    if (key === null) return null;
    const identifyBy = (secret: KeyObject) => ({
      key: storesKeyHashed(route) ? createHmac('sha256', secret).update(`key\n${key}`).digest('hex') : key,
      requestHmac: computeRequestHmac(secret, idempotency, caller),
    });
    const accepted = this.acceptedSecrets.map(identifyBy);
    return { route: `${route.method} ${route.path}`, ...identifyBy(this.secret), accepted, now: this.clock.now() };
  }

  private async findStoredResponse<Body>(tx: Tx, request: IdentifiedRequest): Promise<Answer<Body> | null> {
    const begun = await beginIdempotent(tx, request);
    switch (begun.state) {
      case 'new':
        return null;
      case 'conflict':
        throw new ProblemError(
          'idempotency_conflict',
          'This Idempotency-Key was already used with a different request: send a new one.',
        );
      case 'ended':
        throw new ProblemError(
          'conversation_forgotten',
          'What this request stored was forgotten since, so it is not stored again. Send a new Idempotency-Key to store it.',
        );
      case 'in_flight':
        throw new ProblemError(
          'idempotency_in_flight',
          'The first request with this Idempotency-Key is still running: wait for it to end, then send it again.',
          { retryAfterSeconds: 1 },
        );
      case 'replay': {
        const { body, headers } = begun.response as StoredResponse;
        return { status: begun.status, body: body as Body, headers: { ...headers, 'idempotency-replayed': 'true' } };
      }
    }
  }

  private async storeResponse(
    tx: Tx,
    request: IdentifiedRequest,
    { answer, storedBody, userId }: WriteResult<unknown>,
  ): Promise<void> {
    const response: StoredResponse = {
      body: storedBody ?? answer.body,
      ...(answer.headers ? { headers: answer.headers } : {}),
    };
    await storeIdempotent(tx, { ...request, status: answer.status, response, userId: userId ?? null });
  }
}

function finish<Body>({ answer, afterCommit }: WriteResult<Body>): Answer<Body> {
  afterCommit?.();
  return answer;
}

/**
 * Fingerprint that distinguishes a repeated request from a different one under the same Idempotency-Key
 * (docs/reference/api.md#idempotency-key). It covers the bindings of the caller's API key, so that a response that was
 * stored for one key is not replayed to a more restricted one.
 */
function computeRequestHmac(secret: KeyObject, idempotency: IdempotencyInput, { bindings }: Principal): Buffer {
  const { method, url, body } = idempotency;
  const head = JSON.stringify([method, url, bindings.agentId, bindings.userId, bindings.categories]);
  const hmac = createHmac('sha256', secret).update(head).update('\n');
  return (body ? hmac.update(body) : hmac).digest();
}
