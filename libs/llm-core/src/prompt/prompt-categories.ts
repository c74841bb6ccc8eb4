import { type CategoryConfig, listExtractableCategories } from '@annals/domain';

/** Descriptions of the shipped categories in the prompt, in this order. */
const SHIPPED: Readonly<Record<string, string>> = {
  profile: 'name, age, home, job, health, traits',
  preferences: 'likes, dislikes, habits',
  goals: 'wants to reach',
  relationships: 'family, friends, pets, colleagues',
  tasks: 'has to do',
  projects: 'works on',
  event: 'happened or will happen at a time',
  interests: 'topics, hobbies',
  knowledge: 'skills, education',
  history: 'further past',
  constraints: 'allergies, limits, budgets',
  tone: 'how to speak to them',
  style: 'how answers should look',
};

/** A category that a model may choose, with its description in the prompt; null if the name is sufficient. */
export interface PromptCategory {
  readonly name: string;
  readonly description: string | null;
}

/**
 * Lists the categories that a model may assign: the shipped ones that are configured, in their fixed order, then the
 * others in the order of the file. Changes of order or allowlists therefore do not invalidate cached prompts.
 */
export function listPromptCategories(config?: CategoryConfig): PromptCategory[] {
  const configured = new Map(listExtractableCategories(config).map(({ name, description }) => [name, description]));
  const shipped = Object.keys(SHIPPED).filter((name) => configured.has(name));
  return [...new Set([...shipped, ...configured.keys()])].map((name) => ({
    name,
    description: configured.get(name) ?? (Object.hasOwn(SHIPPED, name) ? SHIPPED[name]! : null),
  }));
}
