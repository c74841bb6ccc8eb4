/** `all` of it, or by search at most `ragLength` (docs/reference/categories-and-agents.md#context-modes). */
type CategoryContext = { readonly context: 'all' } | { readonly context: 'rag'; readonly ragLength: number };

export type CategoryDefinition = CategoryContext & {
  readonly name: string;
  /** Only for agents that request it (docs/reference/categories-and-agents.md#categories-on-request-only). */
  readonly onRequestOnly?: boolean;
  /** What belongs to the category, on one line: part of the extraction prompt. */
  readonly description?: string;
};

export interface CategoryConfig {
  readonly categories: readonly CategoryDefinition[];
  readonly allowlists: Readonly<Record<string, readonly string[]>>;
}

const EVENT_LENGTH = 30;
const ACTIVITY_LENGTH = 50;
/** Maximum memories of a category with the context mode `rag` without a length, or without a definition. */
export const DEFAULT_RAG_LENGTH = 30;

const SEARCHED = (
  'goals preferences relationships tasks projects tone style knowledge interests history constraints ' +
  'recent_activity relationship_dynamic'
).split(' ');

/** See docs/reference/categories-and-agents.md#default-categories. */
export const DEFAULT_CATEGORY_CONFIG: CategoryConfig = {
  categories: [
    { name: 'profile', context: 'all' },
    { name: 'event', context: 'rag', ragLength: EVENT_LENGTH },
    { name: 'activity', context: 'rag', ragLength: ACTIVITY_LENGTH },
    ...SEARCHED.map((name) => ({ name, context: 'rag' as const, ragLength: DEFAULT_RAG_LENGTH })),
    { name: 'procedural', context: 'rag', ragLength: DEFAULT_RAG_LENGTH, onRequestOnly: true },
  ],
  allowlists: {
    supervisor: [
      'profile',
      'goals',
      'preferences',
      'event',
      'activity',
      'relationships',
      'tasks',
      'relationship_dynamic',
    ],
    planner: ['goals', 'tasks', 'projects', 'procedural'],
    stylist: ['preferences', 'tone', 'style'],
    researcher: ['knowledge', 'interests', 'history'],
    executor: ['tasks', 'recent_activity', 'constraints', 'procedural'],
  },
};

export function listCategoryNames(config: CategoryConfig = DEFAULT_CATEGORY_CONFIG): string[] {
  return config.categories.map(({ name }) => name);
}

/** Never assigned by models: turns, derived ones, stored on request (docs/reference/extraction.md#procedures). */
const NON_EXTRACTABLE_CATEGORIES: ReadonlySet<string> = new Set([
  'activity',
  'recent_activity',
  'relationship_dynamic',
  'procedural',
]);

/** The categories that a model may choose from when it extracts memories, in the order of the configuration. */
export function listExtractableCategories(config: CategoryConfig = DEFAULT_CATEGORY_CONFIG): CategoryDefinition[] {
  return config.categories.filter(({ name }) => !NON_EXTRACTABLE_CATEGORIES.has(name));
}
