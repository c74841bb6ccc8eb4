import { type CategoryConfig, listExtractableCategories } from '@annals/domain';

/** What the shipped categories are for, in the order in which they are told. */
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

/** A category that a model may choose, and what it is told about it; null when its name has to do. */
export interface PromptCategory {
  readonly name: string;
  readonly description: string | null;
}

/**
 * The categories that a model is asked to file memories under: the shipped ones that are configured, in their own order,
 * then the others in the order of the file. So an order or an allowlist that changes costs no cached prompt.
 */
export function listPromptCategories(config?: CategoryConfig): PromptCategory[] {
  const configured = new Map(listExtractableCategories(config).map(({ name, description }) => [name, description]));
  const shipped = Object.keys(SHIPPED).filter((name) => configured.has(name));
  return [...new Set([...shipped, ...configured.keys()])].map((name) => ({
    name,
    description: configured.get(name) ?? (Object.hasOwn(SHIPPED, name) ? SHIPPED[name]! : null),
  }));
}
