import { categorySchema, externalIdSchema } from '@annals/contracts';
import { type Document, isNode, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import {
  type CategoryConfig,
  type CategoryDefinition,
  DEFAULT_CATEGORY_CONFIG,
  DEFAULT_RAG_LENGTH,
  listExtractableCategories,
} from './default-categories.js';

/** A problem of a categories file, and where it is: `line` counts from 1. */
interface CategoryProblem {
  readonly line: number;
  /** `allowlists.planner[2]`; empty for the file as a whole. */
  readonly field: string;
  readonly message: string;
}

export type ParsedCategories =
  | { readonly ok: true; readonly config: CategoryConfig }
  | { readonly ok: false; readonly problems: readonly CategoryProblem[] };

const MAX_RAG_LENGTH = 1_000;
/** In characters. The description is part of every extraction prompt, so each call pays for it. */
const MAX_DESCRIPTION_LENGTH = 200;
const DESCRIPTION_FORM = { error: `Write one line of 1 to ${MAX_DESCRIPTION_LENGTH} characters.` };

const categoryEntrySchema = z
  .strictObject(
    {
      name: categorySchema,
      context: z.enum(['all', 'rag'], { error: 'Write all or rag.' }),
      rag_length: z
        .int({ error: `Write a whole number from 1 to ${MAX_RAG_LENGTH}.` })
        .min(1, { error: `Write a whole number from 1 to ${MAX_RAG_LENGTH}.` })
        .max(MAX_RAG_LENGTH, { error: `Write a whole number from 1 to ${MAX_RAG_LENGTH}.` })
        .optional(),
      on_request_only: z.boolean({ error: 'Write true or false.' }).optional(),
      description: z
        .string(DESCRIPTION_FORM)
        .trim()
        .min(1, DESCRIPTION_FORM)
        .max(MAX_DESCRIPTION_LENGTH, DESCRIPTION_FORM)
        .regex(/^[^\p{Cc}\u2028\u2029]*$/u, DESCRIPTION_FORM)
        .optional(),
    },
    { error: describeShape('a category with the fields name, context, rag_length, on_request_only and description') },
  )
  .refine(({ context, rag_length }) => context === 'rag' || rag_length === undefined, {
    error: 'rag_length is only for the context rag: remove rag_length, or write context: rag.',
    path: ['rag_length'],
  });

const categoryListSchema = z.array(categoryEntrySchema, { error: 'Write a list of categories.' });

const fileSchema = z.strictObject(
  {
    categories: z
      .strictObject(
        { system: categoryListSchema.optional(), custom: categoryListSchema.nullish() },
        { error: describeShape('the fields system and custom') },
      )
      .optional(),
    allowlists: z
      .record(externalIdSchema, z.array(categorySchema, { error: 'Write a list of categories.' }), {
        error: 'Write agents, each with a list of categories.',
      })
      .optional(),
  },
  { error: describeShape('the fields categories and allowlists') },
);
type CategoriesFile = z.infer<typeof fileSchema>;

/**
 * Parses a file of categories and allowlists (docs/reference/categories-and-agents.md#categories-and-allowlists); what
 * it leaves out is as shipped. Every category in an allowlist must be defined.
 */
export function parseCategories(text: string): ParsedCategories {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ pos, message }) => ({
      line: lines.linePos(pos[0]).line,
      field: '',
      message: `The file is not valid YAML: ${message}`,
    }));
    return { ok: false, problems };
  }
  const locate = (path: readonly PropertyKey[], message: string): CategoryProblem => ({
    line: findLine(document, lines, path),
    field: renderPath(path),
    message,
  });
  const parsed = fileSchema.safeParse(document.toJS() ?? {});
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) =>
      issue.code === 'unrecognized_keys'
        ? locate([...issue.path, issue.keys[0]!], 'Remove this field: it is not known here.')
        : locate(issue.path, issue.message),
    );
    return { ok: false, problems };
  }
  const problems = findContradictions(parsed.data).map(({ path, message }) => locate(path, message));
  if (problems.length > 0) return { ok: false, problems };
  const config = toConfig(parsed.data);
  if (listExtractableCategories(config).length > 0) return { ok: true, config };
  return { ok: false, problems: [locate(['categories', 'system'], NO_EXTRACTABLE_CATEGORY)] };
}

const NO_EXTRACTABLE_CATEGORY =
  'No category can be extracted: define one besides activity, recent_activity, relationship_dynamic and procedural.';

function describeShape(what: string): z.core.$ZodErrorMap {
  return (issue) => (issue.code === 'invalid_type' ? `Write ${what}.` : undefined);
}

/** Categories that are defined twice, and categories in allowlists that are not defined. */
function findContradictions({ categories, allowlists }: CategoriesFile) {
  const defined = new Set<string>(
    categories?.system === undefined ? DEFAULT_CATEGORY_CONFIG.categories.map(({ name }) => name) : [],
  );
  const found: { path: PropertyKey[]; message: string }[] = [];
  for (const part of ['system', 'custom'] as const) {
    for (const [index, { name }] of (categories?.[part] ?? []).entries()) {
      const message = `The category ${name} is defined twice: remove one definition.`;
      if (defined.has(name)) found.push({ path: ['categories', part, index, 'name'], message });
      defined.add(name);
    }
  }
  for (const [agent, names] of Object.entries(allowlists ?? DEFAULT_CATEGORY_CONFIG.allowlists)) {
    for (const [index, name] of names.entries()) {
      const path = allowlists ? ['allowlists', agent, index] : ['categories'];
      const message = `The allowlist of ${agent} names ${name}, which is not defined under categories.`;
      if (!defined.has(name)) found.push({ path, message });
    }
  }
  return found;
}

function toConfig({ categories, allowlists }: CategoriesFile): CategoryConfig {
  const system = categories?.system?.map(toDefinition) ?? DEFAULT_CATEGORY_CONFIG.categories;
  return {
    categories: [...system, ...(categories?.custom ?? []).map(toDefinition)],
    allowlists: allowlists ?? DEFAULT_CATEGORY_CONFIG.allowlists,
  };
}

function toDefinition(entry: z.infer<typeof categoryEntrySchema>): CategoryDefinition {
  return {
    name: entry.name,
    ...(entry.context === 'all'
      ? { context: 'all' }
      : { context: 'rag', ragLength: entry.rag_length ?? DEFAULT_RAG_LENGTH }),
    ...(entry.on_request_only ? { onRequestOnly: true } : {}),
    ...(entry.description === undefined ? {} : { description: entry.description }),
  };
}

/** The line of the node at a path, or of its nearest existing parent. */
function findLine(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

function renderPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`))
    .join('');
}
