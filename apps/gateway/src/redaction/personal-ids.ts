import { EXTERNAL_ID_FIELDS, type FieldError, type RouteDefinition, type RouteInput } from '@annals/contracts';
import type { Principal } from '../auth/principal.js';
import { invalidFields } from '../http/parse-input.js';
import type { Redactor } from './redactor.js';

const ID_FIELDS: ReadonlySet<string> = new Set(EXTERNAL_ID_FIELDS);
/** Fields of a message that hold ids; its own id has the name `id`. */
const MESSAGE_ID_FIELDS: ReadonlySet<string> = new Set(['id', 'actor_id']);
/** Methods that never store an id: what was stored before can be read and deleted. */
const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'DELETE']);

type Fields = Readonly<Record<string, unknown>>;

/**
 * The input with its ids as they are stored (docs/reference/privacy.md#ids-that-carry-personal-data). Throws
 * `validation_failed` for a personal id that the tenant refuses, naming the field.
 */
export function applyIdPolicy<Route extends RouteDefinition>(
  { method }: Pick<RouteDefinition, 'method'>,
  input: RouteInput<Route>,
  redactor: Redactor,
): RouteInput<Route> {
  const policy = redactor.personalIds;
  if (policy === 'keep' || (policy === 'refuse' && READING_METHODS.has(method))) return input;
  const ids = new IdVisitor(redactor);
  const { params, query, body } = input as { params?: Fields; query?: Fields; body?: Fields };
  const visited = {
    params: ids.visit('params', params),
    query: ids.visit('query', query),
    body: ids.visitBody(body),
  };
  if (ids.errors.length > 0) throw invalidFields(ids.errors);
  return visited as RouteInput<Route>;
}

/** The same for an Idempotency-Key. */
export function applyIdPolicyToKey(key: string | null, redactor: Redactor): string | null {
  if (key === null || redactor.personalIds === 'keep') return key;
  const ids = new IdVisitor(redactor);
  const { 'idempotency-key': stored } = ids.visit('headers', { 'idempotency-key': key }, new Set(['idempotency-key']))!;
  if (ids.errors.length > 0) throw invalidFields(ids.errors);
  return stored as string;
}

/** The caller with the ids that its key is bound to as they are stored now: the key may be older than the setting. */
export function applyIdPolicyToCaller(caller: Principal, redactor: Redactor): Principal {
  const { userId, agentId } = caller.bindings;
  if (redactor.personalIds !== 'hash' || (userId === null && agentId === null)) return caller;
  const stored = (id: string | null) => (id !== null && redactor.isPersonalId(id) ? redactor.hashId(id) : id);
  return { ...caller, bindings: { ...caller.bindings, userId: stored(userId), agentId: stored(agentId) } };
}

class IdVisitor {
  readonly errors: FieldError[] = [];

  constructor(private readonly redactor: Redactor) {}

  /** The ids of an object's own fields. What lies deeper belongs to the caller, as the state of a checkpoint does. */
  visit(path: string, fields: Fields | undefined, names: ReadonlySet<string> = ID_FIELDS): Fields | undefined {
    if (!fields) return fields;
    const entries = Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' && names.has(name) ? this.visitId(`${path}.${name}`, value) : value,
    ]);
    return Object.fromEntries(entries);
  }

  visitBody(body: Fields | undefined): Fields | undefined {
    const visited = this.visit('body', body);
    if (!visited) return visited;
    const { filters, messages } = visited;
    return {
      ...visited,
      ...(filters ? { filters: this.visit('body.filters', filters as Fields) } : {}),
      ...(Array.isArray(messages)
        ? {
            messages: messages.map((message, index) =>
              this.visit(`body.messages[${index}]`, message, MESSAGE_ID_FIELDS),
            ),
          }
        : {}),
    };
  }

  private visitId(path: string, id: string): string {
    if (!this.redactor.isPersonalId(id)) return id;
    if (this.redactor.personalIds === 'hash') return this.redactor.hashId(id);
    const message =
      'This id contains personal data, such as an e-mail address or a phone number: send one of your own.';
    this.errors.push({ path, message });
    return id;
  }
}
