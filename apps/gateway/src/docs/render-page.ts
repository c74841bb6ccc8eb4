import { createHash } from 'node:crypto';
import type { OpenApiDocument } from './build-open-api.js';
import type { JsonSchema } from './component-schemas.js';
import { escapeHtml, renderProse, toText } from './escape-html.js';
import { renderLimits, renderTable, renderType } from './render-schema.js';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h2 { border-bottom: 1px solid; margin-top: 3rem; } h3 { margin-top: 2rem; } h3 b { font-family: monospace; }
code, pre { font-size: .9em; } pre { overflow-x: auto; padding: .75rem; border: 1px solid; border-radius: .25rem; }
table { border-collapse: collapse; width: 100%; } td { border-top: 1px solid #8886; padding: .25rem .5rem; vertical-align: top; }
nav ul { columns: 3 16rem; padding-left: 1.2rem; } td { overflow-wrap: anywhere; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The page loads nothing and runs no script; its only style sheet is inline. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`;

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly content: JsonSchema;
}

/** The OpenAPI document as one HTML page without scripts or external resources. */
export function renderPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, content]): Operation => ({ method: method.toUpperCase(), path, content })),
  );
  const sections = document.tags.map(({ name }) => {
    const ofTag = operations.filter(({ content }) => (content.tags as string[]).includes(name));
    return `<h2>${escapeHtml(name)}</h2>${ofTag.map((operation) => renderOperation(operation, document)).join('')}`;
  });
  const schemas = Object.entries(document.components.schemas as Record<string, JsonSchema>);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Annals API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head><body>
<h1>${escapeHtml(document.info.title)} API</h1>${renderProse(document.info.description)}
<p>For machines: <a href="/openapi.json">/openapi.json</a></p>
<nav><ul>${operations.map(renderLink).join('')}</ul></nav>
${sections.join('')}<h2>Schemas</h2>${schemas.map(renderComponent).join('')}</body></html>`;
}

function renderLink({ method, path, content }: Operation): string {
  return `<li><a href="#${toText(content.operationId)}">${method} ${escapeHtml(path)}</a></li>`;
}

function renderOperation({ method, path, content }: Operation, document: OpenApiDocument): string {
  const parameters = (content.parameters as JsonSchema[]).map((parameter) => resolveParameter(parameter, document));
  const body = content.requestBody as { content: Record<string, MediaContent> } | undefined;
  return [
    `<h3 id="${toText(content.operationId)}"><b>${method} ${escapeHtml(path)}</b></h3>`,
    `<p>${escapeHtml(toText(content.summary))} ${escapeHtml(toText(content.description))}</p>`,
    parameters.length > 0 ? `<h4>Parameters</h4>${renderTable(parameters.map(toRow))}` : '',
    body ? `<h4>Body</h4>${renderMedia(body.content)}` : '',
    `<h4>Responses</h4>${Object.entries(content.responses as Record<string, Answer>)
      .map(renderAnswer)
      .join('')}`,
  ].join('');
}

interface MediaContent {
  readonly schema: JsonSchema;
  readonly example?: object;
}

interface Answer {
  readonly description: string;
  readonly content?: Record<string, MediaContent>;
}

function renderAnswer([status, { description, content }]: [string, Answer]): string {
  return `<p><b>${status}</b></p>${renderProse(description)}${content ? renderMedia(content) : ''}`;
}

function renderMedia(content: Record<string, MediaContent>): string {
  return Object.entries(content)
    .map(([media, { schema, example }]) => {
      const shown = example ? `<pre>${escapeHtml(JSON.stringify(example, null, 2))}</pre>` : '';
      return `<p><code>${escapeHtml(media)}</code>: ${renderType(schema)}</p>${shown}`;
    })
    .join('');
}

function renderComponent([name, schema]: [string, JsonSchema]): string {
  const description = typeof schema.description === 'string' ? renderProse(schema.description) : '';
  const limits = renderLimits(schema);
  return `<h3 id="schema-${name}">${name}</h3>${description}${renderType(schema)}${limits && ` (${limits})`}`;
}

function resolveParameter(parameter: JsonSchema, document: OpenApiDocument): JsonSchema {
  if (typeof parameter.$ref !== 'string') return parameter;
  const name = parameter.$ref.split('/').at(-1)!;
  return (document.components.parameters as Record<string, JsonSchema>)[name]!;
}

function toRow(parameter: JsonSchema) {
  return {
    name: toText(parameter.name),
    schema: parameter.schema as JsonSchema,
    required: parameter.required === true,
    note: `In the ${toText(parameter.in)}. ${toText(parameter.description ?? '')}`,
  };
}
