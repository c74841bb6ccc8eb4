import type { RouteDefinition, RouteInput } from '@annals/contracts';
import { DATABASE, type Redactor } from '@annals/runtime';
import { type Database, findUsers } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

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

/** Users who are remembered by a process. */
const REMEMBERED_USERS = 50_000;

/** Lists of objects in a body with ids of their own: what is saved of several threads. */
export const LISTS_WITH_IDS = ['checkpoints', 'writes'];

/** The users whom a request names. */
export function listUserIds(input: RouteInput<RouteDefinition>): string[] {
  const { params, query, body } = input as { params?: Fields; query?: Fields; body?: Fields & { filters?: Fields } };
  const listed = LISTS_WITH_IDS.flatMap((name) => (body?.[name] as readonly Fields[] | undefined) ?? []);
  const ids = [params, query, body, body?.filters, ...listed].map((fields) => fields?.['user_id']);
  return [...new Set(ids.filter((id) => typeof id === 'string'))];
}

/**
 * Which form of an id its user is stored under: what counts as personal changes with a tenant's country and with the
 * detectors of a release, and a user must not become another one by that
 * (docs/reference/privacy.md#ids-that-carry-personal-data).
 */
@Injectable()
export class KnownUserForms {
  /**
   * Users who are stored in the form that the setting demands. They need no look-up: erased in another process, they would be
   * stored in that form again. Others are looked up each time, so that an erasure counts at once.
   */
  private readonly remembered = new LRUCache<string, true>({ max: REMEMBERED_USERS });

  constructor(@Inject(DATABASE) private readonly database: Pick<Database, 'readTenant'>) {}

  /**
   * One read for all of them who are not remembered; none unless the tenant's ids are hashed, and none for hashed ids. An
   * id without personal data is read as well: an earlier release, or a setting of that time, may have found some in it.
   * `found`: those who were looked up for the same request before, and are not read again.
   */
  async find(
    tenantId: string | null,
    named: readonly string[],
    redactor: Redactor,
    found: FoundUsers = NOBODY,
  ): Promise<KnownUsers> {
    if (tenantId === null || redactor.personalIds !== 'hash' || !redactor.canHash) return found.forms;
    const keyOf = (id: string) => JSON.stringify([tenantId, redactor.idPolicy, id]);
    const ids = named.filter((id) => !found.ids.includes(id) && !this.remembered.get(keyOf(id)));
    const forms = ids.map((id) => [id, redactor.hashId(id)] as const).filter(([id, hashed]) => id !== hashed);
    if (forms.length === 0) return found.forms;
    const known = await this.read(tenantId, forms);
    for (const [id, form] of known) {
      if ((form === id) !== redactor.isPersonalId(id)) this.remembered.set(keyOf(id), true);
    }
    return new Map([...found.forms, ...known]);
  }

  private async read(tenantId: string, forms: readonly (readonly [string, string])[]): Promise<KnownUsers> {
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
