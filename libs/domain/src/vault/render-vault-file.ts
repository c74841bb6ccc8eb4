import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import { measureCompression } from '../summaries/summary-level.js';
import { escapeEmbeds } from './embeds.js';
import type { VaultItem, VaultMemory, VaultSummary, VaultTurn } from './vault-item.js';
import { vaultPathOf } from './vault-path.js';

/** The file of an item. `blob`: the id that Git gives its content. */
export interface VaultFile {
  readonly path: string;
  readonly text: string;
  readonly blob: string;
}

/** The file of an item: front matter, an empty line, the content (docs/reference/vault.md#files). The same item gives the same file. */
export function renderVaultFile(item: VaultItem): VaultFile {
  // Without folded lines, so that a change of one word is a change of one line.
  const text = `---\n${stringify(frontMatterOf(item), { lineWidth: 0 })}---\n\n${escapeEmbeds(item.content)}\n`;
  return { path: vaultPathOf(item), text, blob: gitBlobId(text) };
}

/** What the front matter of an item's file says, in its order. */
export function frontMatterOf(item: VaultItem): Readonly<Record<string, unknown>> {
  return withoutNulls({ ...commonFields(item), ...fieldsOf(item) });
}

/** SHA-1 over the type, the length and the content: what `git hash-object` prints. */
export function gitBlobId(content: string | Buffer): string {
  return createHash('sha1')
    .update(`blob ${Buffer.byteLength(content)}\0`)
    .update(content)
    .digest('hex');
}

type Fields = Readonly<Record<string, unknown>>;

function commonFields({ id, role, threadId, createdAt }: VaultItem): Fields {
  return { id, role, conversation_id: threadId, created_at: time(createdAt) };
}

function fieldsOf(item: VaultItem): Fields {
  if (item.role === 'memory') return memoryFields(item);
  return item.role === 'summary' ? summaryFields(item) : turnFields(item);
}

function memoryFields(memory: VaultMemory): Fields {
  return {
    replaced_by: memory.replacedBy,
    deleted_at: time(memory.deletedAt),
    deleted_by: memory.deletedBy,
    category: memory.category,
    type: memory.type,
    origin: memory.origin,
    importance: memory.importance,
    confidence: memory.confidence,
    pinned: memory.pinned,
    valid_from: time(memory.validFrom),
    valid_to: time(memory.validTo),
    revision: memory.revision,
    hash: memory.hash,
    sources: memory.sources.length === 0 ? null : memory.sources,
  };
}

function turnFields(turn: VaultTurn): Fields {
  return {
    seq: turn.seq,
    actor_id: turn.actorId,
    agent_id: turn.agentId,
    hidden_at: time(turn.hiddenAt),
    evicted_at: time(turn.evictedAt),
    forgotten_at: time(turn.forgottenAt),
  };
}

function summaryFields(summary: VaultSummary): Fields {
  return {
    summary_kind: summary.tier,
    replaced_by: summary.replacedBy,
    deleted_at: time(summary.deletedAt),
    level: summary.level,
    kind: summary.kind,
    provider: summary.provider,
    model: summary.model,
    from_seq: summary.fromSeq,
    to_seq: summary.toSeq,
    compression: compressionOf(summary),
  };
}

/** As the API names it. */
function compressionOf({ tier, level, coveredTokens, tokens }: VaultSummary): Fields {
  const { ratio, targetRatio, meetsTarget } = measureCompression({ tier, level, coveredTokens }, tokens);
  return {
    covered_tokens: coveredTokens,
    summary_tokens: tokens,
    ratio,
    target_ratio: targetRatio,
    meets_target: meetsTarget,
  };
}

function time(epochMs: number | null): string | null {
  return epochMs === null ? null : new Date(epochMs).toISOString();
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}
