import type { RouteDefinition, RouteInput } from '@annals/contracts';
import { type Pause, runInSlices } from '@annals/domain';
import { PAUSE, type Redactor } from '@annals/runtime';
import { Inject, Injectable } from '@nestjs/common';
import { isPerson, type Principal } from '../auth/principal.js';
import { type RequestAccess, RouteGuard } from '../auth/route-guard.js';
import { type FoundUsers, KnownUserForms, type KnownUsers, listUserIds } from '../redaction/known-users.js';
import { applyIdPolicy } from '../redaction/personal-ids.js';
import type { Call } from './call.js';
import { parseInput, type SentInput } from './parse-input.js';

/** Who sends a request. */
interface Sender {
  readonly caller: Principal;
  readonly redactor: Redactor;
  /** The user that the key is bound to, if it was looked up. */
  readonly boundUser: FoundUsers | undefined;
}

export interface AdmittedInput<Route extends RouteDefinition = RouteDefinition> {
  readonly input: RouteInput<Route>;
  readonly access: RequestAccess;
}

/** Parses what a request sends by its route, and compares it with the bindings of its key. */
@Injectable()
export class InputAdmission {
  constructor(
    @Inject(RouteGuard) private readonly guard: RouteGuard,
    @Inject(KnownUserForms) private readonly userForms: KnownUserForms,
    @Inject(PAUSE) private readonly pause: Pause,
  ) {}

  /** Throws `validation_failed` and `forbidden_…`. */
  async admit<Route extends RouteDefinition>(
    route: Route,
    sent: SentInput,
    { caller, redactor, boundUser }: Sender,
  ): Promise<AdmittedInput<Route>> {
    const parsed = parseInput(route, sent);
    const found = await this.userForms.find(caller.tenantId, listUserIds(parsed), redactor, boundUser);
    const known = withPerson(found, caller);
    const input = await runInSlices(applyIdPolicy(route, parsed, redactor, known), this.pause);
    return { input, access: this.guard.resolve(route, input, caller) };
  }

  /**
   * A call of another route by the same caller, as part of its request: what its key may do there is decided as if it
   * had sent it. It is not counted again, and has no Idempotency-Key.
   */
  async prepare<Route extends RouteDefinition>(
    route: Route,
    body: unknown,
    { caller, redactor, requestId, raw }: Call,
  ): Promise<Call<Route>> {
    this.guard.checkRoute(route, caller);
    const { input, access } = await this.admit(route, { query: {}, body }, { caller, redactor, boundUser: undefined });
    const idempotency = { key: null, method: route.method, url: route.path, body: null };
    return { ...input, access, route, requestId, caller, redactor, idempotency, expectedRevision: null, raw };
  }
}

/** On their own page, a person is known by the id they have, also where the tenant has begun to refuse such ids. */
function withPerson(known: KnownUsers, caller: Principal): KnownUsers {
  const { userId } = caller.bindings;
  return isPerson(caller) && userId !== null ? new Map([[userId, userId], ...known]) : known;
}
