/** Where a method stands in the client: `annals.admin.keys.create` is the method `create` of the group `admin.keys`. */
export interface MethodName {
  readonly group: readonly string[];
  readonly method: string;
}

/** Parts of paths that only hold groups. */
const NAMESPACES = ['admin', 'admin/minds', 'consolidation', 'global', 'langgraph', 'operator'];

/** Methods that their route names better than its path does. */
const NAMES: Readonly<Record<string, string>> = {
  createTenantKey: 'createKey',
  deleteAppMemory: 'deleteMemory',
  eraseUser: 'erase',
  forgetMessage: 'forgetMessage',
  getLangGraphCheckpoint: 'getCheckpoint',
  putLangGraphCheckpoint: 'putCheckpoint',
  putLangGraphWrites: 'putWrites',
  importRecords: 'import',
  revokeKey: 'revoke',
  saveLangGraphBatch: 'save',
  startConsolidation: 'start',
  uninstallApp: 'uninstall',
};

const VERBS: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'put',
  PATCH: 'update',
  DELETE: 'delete',
};

/**
 * The name of a route's method, by its path: `POST /v1/memories/{id}/undo` is `memories.undo`, `PUT
 * /v1/users/{user_id}/context` is `users.putContext`. A new route needs no entry anywhere.
 */
export function nameMethod(route: {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly isList: boolean;
}): MethodName {
  const rest = route.path
    .replace(/^\/v\d+(?=\/)/, '')
    .split('/')
    .slice(1);
  const group = [rest.shift()!];
  while (NAMESPACES.includes(group.join('/'))) group.push(rest.shift()!);
  return { group: group.map(camelCase), method: NAMES[route.id] ?? nameByPath(route, rest) };
}

function nameByPath({ id, method, path, isList }: Parameters<typeof nameMethod>[0], rest: readonly string[]): string {
  const verb = VERBS[method];
  if (verb === undefined)
    throw new Error(`Name the method ${method} of ${path} in VERBS (tools/sdk/src/name-method.ts).`);
  const words = rest.filter((part) => !part.startsWith('{'));
  const [word, action] = words;
  if (words.length > 2) throw new Error(`Name the operation ${id} in NAMES (tools/sdk/src/name-method.ts).`);
  if (word === undefined) return isList ? 'list' : verb;
  if (action !== undefined) return camelCase(`${action}_${word}`);
  const isAnswer = (method === 'GET' || method === 'POST') && rest.at(-1) === word;
  return isAnswer ? camelCase(word) : camelCase(`${verb}_${word}`);
}

export function camelCase(text: string): string {
  return text.replace(/[-_](\w)/g, (_match, letter: string) => letter.toUpperCase());
}

export function pascalCase(text: string): string {
  const name = camelCase(text);
  return name.charAt(0).toUpperCase() + name.slice(1);
}
