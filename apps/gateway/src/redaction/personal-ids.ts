import { EXTERNAL_ID_FIELDS, type FieldError, type RouteDefinition, type RouteInput, routes } from '@annals/contracts';
import { createSliceMeter, runAtOnce, type Sliced } from '@annals/domain';
import type { Redactor } from '@annals/runtime';
import type { Principal } from '../auth/principal.js';
import { invalidFields } from '../http/parse-input.js';
import { type KnownUsers, LISTS_WITH_IDS, NO_KNOWN_USERS } from './known-users.js';

const ID_FIELDS: ReadonlySet<string> = new Set(EXTERNAL_ID_FIELDS);
/** Fields of a message that hold ids; its own id has the name `id`. */
const MESSAGE_ID_FIELDS: ReadonlySet<string> = new Set(['id', 'actor_id']);
/** The same of an imported message, whose own id is a UUID. */
const IMPORTED_MESSAGE_ID_FIELDS: ReadonlySet<string> = new Set([...EXTERNAL_ID_FIELDS, 'external_id']);
/** Lists of objects in a body, and which of their fields hold ids. */
const LISTED_FIELDS: readonly (readonly [list: string, names: ReadonlySet<string>])[] = [
  ['messages', MESSAGE_ID_FIELDS],
  // Of an import; its messages lie within.
  ['conversations', ID_FIELDS],
  ...LISTS_WITH_IDS.map((name) => [name, ID_FIELDS] as const),
];
/** Methods that never store an id: what was stored before can be read and deleted. */
const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'DELETE']);
/** Routes that refuse a personal id themselves, unless its user was stored before (see {@link checkId}). */
const ROUTES_OF_STORED_USERS: ReadonlySet<string> = new Set([routes.createPersonLink.path]);

type Fields = Readonly<Record<string, unknown>>;

/**
 * The input with its ids as they are stored (docs/reference/privacy.md#ids-that-carry-personal-data). Throws
 * `validation_failed` for a personal id that the tenant refuses, naming the field. Many ids have several slices
 * (docs/reference/request-limits.md#work-in-slices). `known`: users of the request who keep the form that they have.
 */
export function* applyIdPolicy<Route extends RouteDefinition>(
  { method, path }: Pick<RouteDefinition, 'method' | 'path'>,
  input: RouteInput<Route>,
  redactor: Redactor,
  known: KnownUsers,
): Sliced<RouteInput<Route>> {
  const policy = redactor.personalIds;
  const isRead = READING_METHODS.has(method) || ROUTES_OF_STORED_USERS.has(path);
  if (policy === 'keep' || (policy === 'refuse' && isRead)) return input;
  const ids = new IdVisitor(redactor, known);
  const { params, query, body } = input as { params?: Fields; query?: Fields; body?: Fields };
  const visited = {
    params: yield* ids.visit('params', params),
    query: yield* ids.visit('query', query),
    body: yield* ids.visitBody(body),
  };
  if (ids.errors.length > 0) throw invalidFields(ids.errors);
  return visited as RouteInput<Route>;
}

/** The same for an Idempotency-Key. */
export function applyIdPolicyToKey(key: string | null, redactor: Redactor): string | null {
  return key && checkId('headers.idempotency-key', key, redactor);
}

/** The caller with the ids that its key is bound to as they are stored now: the key may be older than the setting. */
export function applyIdPolicyToCaller(caller: Principal, redactor: Redactor, known: KnownUsers): Principal {
  const { userId, agentId } = caller.bindings;
  if (redactor.personalIds !== 'hash' || (userId === null && agentId === null)) return caller;
  const stored = (id: string | null) => id && storedForm(id, redactor, known);
  return { ...caller, bindings: { ...caller.bindings, userId: stored(userId), agentId: stored(agentId) } };
}

/** Null for an id that is refused. */
function storedForm(id: string, redactor: Redactor, known: KnownUsers): string | null {
  const form = known.get(id);
  if (form !== undefined || !redactor.isPersonalId(id)) return form ?? id;
  return redactor.personalIds === 'hash' ? redactor.hashId(id) : null;
}

/** The id as it is stored. Throws `validation_failed`, naming the field, for one that the tenant refuses to store. */
export function checkId(path: string, id: string, redactor: Redactor): string {
  if (redactor.personalIds === 'keep') return id;
  const ids = new IdVisitor(redactor, NO_KNOWN_USERS);
  const stored = runAtOnce(ids.visitId(path, id));
  if (ids.errors.length > 0) throw invalidFields(ids.errors);
  return stored;
}

class IdVisitor {
  readonly errors: FieldError[] = [];
  private readonly meter = createSliceMeter();
  /** Each id as it is stored, null for a refused one: the messages of a request repeat a few. */
  private readonly forms = new Map<string, string | null>();

  constructor(
    private readonly redactor: Redactor,
    private readonly known: KnownUsers,
  ) {}

  /** The ids of an object's own fields. What lies deeper belongs to the caller, as the state of a checkpoint does. */
  *visit(path: string, fields: Fields | undefined, names: ReadonlySet<string> = ID_FIELDS): Sliced<Fields | undefined> {
    if (!fields) return fields;
    const entries: [string, unknown][] = [];
    for (const [name, value] of Object.entries(fields)) {
      const isId = typeof value === 'string' && names.has(name);
      entries.push([name, isId ? yield* this.visitId(`${path}.${name}`, value) : value]);
    }
    return Object.fromEntries(entries);
  }

  *visitBody(body: Fields | undefined): Sliced<Fields | undefined> {
    const visited = yield* this.visit('body', body);
    if (!visited) return visited;
    const { filters, thread_ids: threadIds } = visited;
    const changed: Record<string, unknown> = { ...visited };
    if (filters) changed['filters'] = yield* this.visit('body.filters', filters as Fields);
    if (Array.isArray(threadIds)) {
      const list: string[] = [];
      for (const [index, id] of (threadIds as string[]).entries())
        list.push(yield* this.visitId(`body.thread_ids[${index}]`, id));
      changed['thread_ids'] = list;
    }
    for (const [name, names] of LISTED_FIELDS) {
      const items = visited[name];
      if (!Array.isArray(items)) continue;
      const list: unknown[] = [];
      for (const [index, item] of (items as Fields[]).entries()) {
        const path = `body.${name}[${index}]`;
        const fields = yield* this.visit(path, item, names);
        list.push(name === 'conversations' ? yield* this.visitMessages(path, fields!) : fields);
      }
      changed[name] = list;
    }
    return changed;
  }

  private *visitMessages(path: string, conversation: Fields): Sliced<Fields> {
    const messages: unknown[] = [];
    for (const [index, message] of ((conversation['messages'] ?? []) as Fields[]).entries()) {
      messages.push(yield* this.visit(`${path}.messages[${index}]`, message, IMPORTED_MESSAGE_ID_FIELDS));
    }
    return { ...conversation, messages };
  }

  *visitId(path: string, id: string): Sliced<string> {
    let stored = this.forms.get(id);
    if (stored === undefined) {
      yield* this.meter(id.length);
      stored = storedForm(id, this.redactor, this.known);
      this.forms.set(id, stored);
    }
    if (stored !== null) return stored;
    const message =
      'This id contains personal data, such as an e-mail address or a phone number: send one of your own.';
    this.errors.push({ path, message });
    return id;
  }
}
