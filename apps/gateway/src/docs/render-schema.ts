import type { JsonSchema } from './component-schemas.js';
import { escapeHtml, toText } from './escape-html.js';

const REFERENCE = /^#\/components\/schemas\/(\w+)$/;

/** The type of a value as HTML, with links to the components it uses. */
export function renderType(schema: JsonSchema): string {
  const name = typeof schema.$ref === 'string' ? REFERENCE.exec(schema.$ref)?.[1] : undefined;
  if (name) return `<a href="#schema-${name}">${name}</a>`;
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (choices) return choices.map(renderType).join(' or ');
  if (schema.enum)
    return (schema.enum as unknown[]).map((word) => `<code>${escapeHtml(toText(word))}</code>`).join(' | ');
  if ('const' in schema) return `<code>${escapeHtml(toText(schema.const))}</code>`;
  if (Array.isArray(schema.type)) return escapeHtml(schema.type.map(toText).join(' or '));
  if (schema.type === 'array') return `array of ${renderType((schema.items ?? {}) as JsonSchema)}`;
  if (schema.type === 'object') return renderObject(schema);
  return escapeHtml(toText(schema.type ?? 'any'));
}

/** The constraints of a value as HTML: format, lengths, ranges, default. */
export function renderLimits(schema: JsonSchema): string {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, format } = schema;
  const limits = [
    format === undefined ? '' : toText(format),
    describeRange(minLength, maxLength, 'characters'),
    describeRange(minItems, maxItems, 'items'),
    describeRange(minimum, maximum, ''),
    'default' in schema ? `default ${JSON.stringify(schema.default)}` : '',
  ];
  return escapeHtml(limits.filter((limit) => limit !== '').join(', '));
}

function renderObject(schema: JsonSchema): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  if (properties.length === 0) return 'object';
  const required = new Set((schema.required ?? []) as string[]);
  return renderTable(properties.map(([name, property]) => ({ name, schema: property, required: required.has(name) })));
}

/** Named values as an HTML table: name, type, description. */
export function renderTable(
  rows: readonly { name: string; schema: JsonSchema; required: boolean; note?: string }[],
): string {
  const body = rows.map(({ name, schema, required, note }) => {
    const meaning = [note ?? schema.description, renderLimits(schema)].filter(Boolean).map(String);
    return (
      `<tr><td><code>${escapeHtml(name)}</code>${required ? '' : ' <i>optional</i>'}</td>` +
      `<td>${renderType(schema)}</td><td>${meaning.join('<br>')}</td></tr>`
    );
  });
  return `<table>${body.join('')}</table>`;
}

function describeRange(min: unknown, max: unknown, unit: string): string {
  if (min === undefined && max === undefined) return '';
  const range = `${toText(min ?? '…')}–${toText(max ?? '…')}`;
  return unit === '' ? range : `${range} ${unit}`;
}
