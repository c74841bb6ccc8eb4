import type { ChangeEvent } from '@annals/contracts';
import { toInertLine } from '../text/inert-line.js';
import { computeNetChanges, isDeletion } from './compute-net-changes.js';
import { applyCategoryView, type CategoryView, type NetChange, type ThreadChange } from './thread-changes.js';

/** See docs/reference/delta-header.md#format-of-the-header. */
const MAX_BULLETS = 3;
/** In characters: a bullet is one line, so longer contents are shortened. */
const MAX_CONTENT = 160;

/** The first three are given by the format, the others are our choice. */
const SIGNS: Record<ChangeEvent, string> = {
  created: '+',
  updated: '↑',
  merged: '↔',
  deleted: '−',
  soft_deleted: '↓',
  evicted: '↓',
  restored: '↺',
};

export interface HeaderInput {
  readonly since: number;
  readonly changes: readonly ThreadChange[];
  /** Memories that changed before `changes` begin, but after `since`: counted, not shown. */
  readonly omitted: number;
  readonly view: CategoryView;
}

/**
 * "Memory updates since rev 7:" and at most three bullets (docs/reference/delta-header.md#format-of-the-header,
 * docs/reference/delta-header.md#more-than-three-changes); null without changes. The same thread, revisions and view
 * give the same bytes, so that prompt caches hit (docs/reference/delta-header.md#stable-bytes).
 */
export function renderHeader({ since, changes, omitted, view }: HeaderInput): string | null {
  const net = computeNetChanges(applyCategoryView(changes, view));
  const total = net.length + omitted;
  if (net.length === 0) return null;
  const mostImportant = net.toSorted(compareImportance).slice(0, total > MAX_BULLETS ? MAX_BULLETS - 1 : MAX_BULLETS);
  const shown = net.filter((each) => mostImportant.includes(each));
  const more = total - shown.length;
  return [
    `Memory updates since rev ${since}:`,
    ...shown.map(renderChange),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n');
}

function renderChange({ event, category, importance, content, merged }: NetChange): string {
  const head = `- ${SIGNS[event]}${event}: [${renderCategory(category)}]`;
  // The content was deleted since, or the caller may no longer read it.
  if (content === null || isDeletion(event)) return head;
  const line = shorten(content);
  if (event === 'merged') return `${head} Combined ${merged} notes: ${line}`;
  const isRated = importance !== null && (event === 'created' || event === 'restored');
  return `${head} ${line}${isRated ? ` (imp=${importance})` : ''}`;
}

/** "recent_activity" as "Recent activity". */
function renderCategory(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function shorten(content: string): string {
  const characters = Array.from(toInertLine(content));
  if (characters.length <= MAX_CONTENT) return characters.join('');
  const kept = characters.slice(0, MAX_CONTENT - 1).join('');
  return `${kept.slice(0, kept.lastIndexOf(' ') > MAX_CONTENT / 2 ? kept.lastIndexOf(' ') : undefined)}…`;
}

function compareImportance(a: NetChange, b: NetChange): number {
  return (b.importance ?? 0) - (a.importance ?? 0) || b.revision - a.revision || b.n - a.n;
}
