import type { RouteDefinition, RouteInput } from '@annals/contracts';
import { DATABASE } from '@annals/runtime';
import { type Database, findUsers } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import type { Redactor } from './redactor.js';

/** Ids as they were sent, each with the form in which its user is stored. Others follow the tenant's setting. */
export type KnownUsers = ReadonlyMap<string, string>;

export const NO_KNOWN_USERS: KnownUsers = new Map();

/** Users who were looked up, and the forms of those of them who are stored in one. */
export interface FoundUsers {
  readonly ids: readonly string[];
  readonly forms: KnownUsers;
}

const NOBODY: FoundUsers = { ids: [], forms: NO_KNOWN_USERS };

type Fields = Readonly<Record<string, unknown>>;

/** The users whom a request names. */
export function listUserIds(input: RouteInput<RouteDefinition>): string[] {
  const { params, query, body } = input as { params?: Fields; query?: Fields; body?: Fields & { filters?: Fields } };
  const ids = [params, query, body, body?.filters].map((fields) => fields?.['user_id']);
  return [...new Set(ids.filter((id) => typeof id === 'string'))];
}

/**
 * Which form of an id its user is stored under: what counts as personal changes with a tenant's country and with the
 * detectors of a release, and a user must not become another one by that
 * (docs/reference/privacy.md#ids-that-carry-personal-data).
 */
@Injectable()
export class KnownUserForms {
  constructor(@Inject(DATABASE) private readonly database: Pick<Database, 'readTenant'>) {}

  /**
   * One read for all of them; none unless the tenant's ids are hashed. An id without personal data is read as well: an
   * earlier release, or a setting of that time, may have found some in it. `found`: those
   * who were looked up for the same request before, and are not read again.
   */
  async find(
    tenantId: string | null,
    named: readonly string[],
    redactor: Redactor,
    found: FoundUsers = NOBODY,
  ): Promise<KnownUsers> {
    const ids = named.filter((id) => !found.ids.includes(id));
    if (ids.length === 0) return found.forms;
    return new Map([...found.forms, ...(await this.read(tenantId, ids, redactor))]);
  }

  private async read(tenantId: string | null, ids: readonly string[], redactor: Redactor): Promise<KnownUsers> {
    if (tenantId === null || redactor.personalIds !== 'hash' || !redactor.canHash) {
      return NO_KNOWN_USERS;
    }
    const forms = ids.map((id) => [id, redactor.hashId(id)] as const);
    const stored = new Set(await this.database.readTenant(tenantId, (tx) => findUsers(tx, forms.flat())));
    return new Map(
      forms.flatMap(([plain, hashed]) => {
        // Of both forms, as earlier releases may have left them, the present setting decides.
        if (stored.has(plain) === stored.has(hashed)) return [];
        return [[plain, stored.has(plain) ? plain : hashed] as const];
      }),
    );
  }
}
