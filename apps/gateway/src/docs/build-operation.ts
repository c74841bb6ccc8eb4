import {
  type BindingRule,
  type ProblemCode,
  PROBLEMS,
  ROUTE_ACCESS,
  type RouteDefinition,
  type RouteName,
} from '@annals/contracts';
import { STATUS_CODES } from 'node:http';
import type { ComponentSchemas, JsonSchema } from './component-schemas.js';
import { EXAMPLES } from './examples.js';

const IDEMPOTENCY_KEY = { $ref: '#/components/parameters/IdempotencyKey' };
const IF_MATCH = { $ref: '#/components/parameters/IfMatch' };
const REQUEST_ID = { $ref: '#/components/parameters/RequestId' };

export function buildOperation(name: RouteName, route: RouteDefinition, components: ComponentSchemas): JsonSchema {
  const example = EXAMPLES[name];
  return {
    operationId: name,
    summary: route.summary,
    tags: [route.tag],
    description: describeAccess(name, route),
    ...(route.readOnly ? { 'x-read-only': true } : {}),
    security: route.scopes === 'public' ? [] : [{ apiKey: [] }],
    parameters: [
      ...(route.params ? listParameters('path', route.params, components) : []),
      ...(route.query ? listParameters('query', route.query, components) : []),
      ...(route.idempotent ? [IDEMPOTENCY_KEY] : []),
      ...(route.conditional ? [IF_MATCH] : []),
      REQUEST_ID,
    ],
    ...(route.body
      ? {
          requestBody: {
            required: true,
            content: jsonContent(components.refer(route.body, 'input'), example?.request),
          },
        }
      : {}),
    responses: { ...buildAnswers(name, route, components, example?.answer), ...buildProblems(name, route) },
  };
}

/** The problem codes that a route can return, by status. */
function listProblems(name: RouteName, route: RouteDefinition): Map<number, ProblemCode[]> {
  const codes = new Set<ProblemCode>(['validation_failed', ...(route.problems ?? []), 'internal', 'unavailable']);
  if (route.scopes !== 'public')
    for (const code of ['unauthenticated', 'forbidden_scope', 'rate_limited', ...listBindingProblems(name)] as const)
      codes.add(code);
  if (route.body)
    for (const code of ['invalid_json', 'body_too_large', 'unsupported_media_type'] as const) codes.add(code);
  if (route.idempotent) for (const code of ['idempotency_conflict', 'idempotency_in_flight'] as const) codes.add(code);
  if (route.conditional) codes.add('revision_conflict');
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of codes) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}

/** What a key gets that is bound to something else, or whose binding the route refuses. */
function listBindingProblems(name: RouteName): ProblemCode[] {
  const { user, agent, categories } = ROUTE_ACCESS[name]!;
  const canRefuse = (rule: BindingRule) =>
    rule.effect === 'refused' || (rule.effect === 'limits' && Boolean(rule.fields?.length || rule.category));
  return [
    ...(canRefuse(user) ? (['forbidden_user'] as const) : []),
    ...(canRefuse(agent) ? (['forbidden_agent'] as const) : []),
    ...(canRefuse(categories) ? (['forbidden_category'] as const) : []),
  ];
}

function describeAccess(name: RouteName, { scopes }: RouteDefinition): string {
  if (scopes === 'public') return 'Requires no API key.';
  const { user, agent, categories, acknowledgement, scopes: gives } = ROUTE_ACCESS[name]!;
  const bound = [
    ...(user.effect === 'refused' ? ['a user'] : []),
    ...(agent.effect === 'refused' ? ['an agent'] : []),
    ...(categories.effect === 'refused' ? ['categories'] : []),
  ];
  return [
    `Requires an API key with the scope ${scopes.join(' or ')}.`,
    ...(bound.length > 0 ? [`Refuses a key that is bound to ${bound.join(' or ')}.`] : []),
    ...(gives === undefined ? [] : [gives]),
    ...(acknowledgement
      ? [`Without ${acknowledgement.unless.join(' or ')}, the answer is an acknowledgement without content.`]
      : []),
  ].join(' ');
}

function listParameters(
  location: 'path' | 'query',
  schema: NonNullable<RouteDefinition['query']>,
  components: ComponentSchemas,
): JsonSchema[] {
  return components.describeProperties(schema).map(({ name, schema: { description, ...rest }, required }) => ({
    name,
    in: location,
    required: location === 'path' || required,
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}

function buildAnswers(
  name: RouteName,
  route: RouteDefinition,
  components: ComponentSchemas,
  example: object | undefined,
) {
  const { acknowledgement } = ROUTE_ACCESS[name]!;
  const statuses = Object.keys(route.responses);
  return Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => {
      const description = route.responseDescriptions?.[Number(status)] ?? STATUS_CODES[status] ?? 'Response';
      // The example shows the response to a first request; a 200 next to a 202 or 201 is for a repeated one.
      const shown = status === statuses.at(-1) ? example : undefined;
      if (schema) {
        const whole = components.refer(schema, 'output');
        const answers = acknowledgement
          ? { anyOf: [whole, components.refer(acknowledgement.schema, 'output')] }
          : whole;
        return [status, { description, content: jsonContent(answers, shown) }];
      }
      if (status === '204') return [status, { description }];
      // OpenAPI 3.1 cannot describe what a stream consists of; 3.2 calls it `itemSchema`.
      const items = route.items && { 'x-item-schema': components.refer(route.items, 'output') };
      const content = { [route.media ?? 'text/plain']: { schema: { type: 'string' }, ...items } };
      return [status, { description, content }];
    }),
  );
}

function buildProblems(name: RouteName, route: RouteDefinition) {
  const problems = [...listProblems(name, route)].filter(([status]) => !(status in route.responses));
  return Object.fromEntries(
    problems.map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

function jsonContent(schema: JsonSchema, example: object | undefined) {
  return { 'application/json': { schema, ...(example ? { example } : {}) } };
}
