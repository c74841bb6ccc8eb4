import type { RouteDefinition } from '../http/route-definition.js';
import { routes } from '../http/routes.js';
import { PERSON_ROUTES } from './person.js';
import type { BindingRule, RouteAccess } from './route-access.js';
import { ROUTE_ACCESS } from './table.js';

/** Path from the root of the repository. */
export const KEY_BINDINGS_DOC = 'docs/reference/key-bindings.md';

const HEADER = ['Route', 'Scopes', 'Bound to a user', 'Bound to an agent', 'Bound to categories'];

/** The text of docs/reference/key-bindings.md. */
export function renderKeyBindingsDocs(): string {
  const tenantRoutes = Object.entries<RouteDefinition>(routes).filter(
    ([, { scopes }]) => scopes !== 'public' && !scopes.includes('operator'),
  );
  const rows = tenantRoutes.map(([name, route]) => renderRow(route, ROUTE_ACCESS[name]!));
  const notes = tenantRoutes.flatMap(([name, route]) => renderNotes(route, ROUTE_ACCESS[name]!));
  return `# Key bindings

<!-- Generated from libs/contracts: change \`access/table.ts\` there, then run \`pnpm --filter @annals/contracts run docs\`. -->

A key can be bound to one user, one agent or some categories. One table in the code says what each binding means for each route; the
gateway enforces it before a handler runs, and a route without an entry does not start.

## How to read the table

- A field, as \`query.user_id\`: it has to name what the key is bound to, else the request is refused with 403. Omitted, it means just that.
- "only …": what belongs to others is not found (404), and is missing in lists.
- "the category …": the key has to be allowed to use it, else 403.
- "its allowlist": the key is limited to the categories of the agent's allowlist, like a key that is bound to these categories.
- "refused": such a key gets 403, whatever it asks for.

Every key may call \`GET /v1/key\`, which says what it is, and \`GET /v1/categories\`, which tells a bound key of the categories that it may use, and
of no agent but its own.

The context of a [shared app](app-memories.md#ten-of-each-app-and-user), \`GET /v1/apps/{app_id}/context\`, has what the app remembers of any of
its users, also for a key that is bound to one of them: that is what sharing is for. The list and the deletion of its memories stay
limited to those that rest on conversations of the user alone.

A key that is bound to a user reads [global memories](memory-model.md#global-memories) beside those of the user. No bound key changes one, nor
does a key without the scope \`admin\`: routes that write the memory which the path names refuse that with 403.

A write is also refused with 403, and changes nothing, when it would change a memory in a category that the key may not use: one that
has the same content, or that the undone change had replaced. A key with several bindings is limited by each of them. Keys of operators have no bindings, and no key is needed for health.

## Bindings by route

${renderTable(HEADER, rows)}

## What scopes give beyond the route

${notes.join('\n')}

## Keys of a person's page

The page that a [link](../person-page.md) opens has a key of its own: bound to the person, with all scopes of a tenant and the scope \`person\`, which
leaves these routes only: ${[...PERSON_ROUTES].map((name) => `\`${routes[name].method} ${routes[name].path}\``).join(', ')}.

## Keys that are refused at creation

- \`admin\` together with a binding: such a key could neither manage its tenant nor serve the user or agent better than \`ingest\` and \`query\`
  do. Keys that were created before remain limited as above.
- An agent together with categories of which its allowlist has none: the key could see nothing.
- A scope that its creator does not have. Only keys without bindings create, list or revoke keys.
`;
}

function renderRow({ method, path, scopes }: RouteDefinition, access: RouteAccess): string[] {
  return [
    `\`${method} ${path}\``,
    scopes === 'public' ? '' : scopes.map((scope) => `\`${scope}\``).join(', '),
    renderRule(access.user),
    renderRule(access.agent),
    renderRule(access.categories),
  ];
}

function renderRule(rule: BindingRule): string {
  if (rule.effect === 'refused') return `refused: ${rule.why}`;
  if (rule.effect === 'none') return `no effect: ${rule.why}`;
  return [
    ...(rule.fields ?? []).map((field) => `\`${field}\``),
    ...(rule.rows === undefined ? [] : [`only ${rule.rows}`]),
    ...(rule.allowlist ? ['its allowlist'] : []),
    ...(rule.category === undefined ? [] : [`the category \`${rule.category}\``]),
  ].join('; ');
}

function renderNotes({ method, path }: RouteDefinition, { acknowledgement, scopes }: RouteAccess): string[] {
  const route = `- \`${method} ${path}\`: `;
  const withheld = acknowledgement && acknowledgement.unless.map((scope) => `\`${scope}\``).join(' or ');
  return [
    ...(scopes === undefined ? [] : [`${route}${scopes}`]),
    ...(withheld === undefined ? [] : [`${route}without ${withheld}, the answer has ids, state and revision only.`]),
  ];
}

/** Columns are padded as prettier does it, so that formatting the file changes nothing. */
function renderTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  const renderLine = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [renderLine(header), renderLine(widths.map((width) => '-'.repeat(width))), ...rows.map(renderLine)].join('\n');
}
