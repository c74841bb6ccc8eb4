const MAX_GROUND = 3;

/** The summary of a thread, at most `show` sentences of it, as lines. */
export function renderSummary(threadId, summary, show) {
  const { compression, depth, provider, sentences } = summary;
  const share = Math.round(compression.ratio * 100);
  const lines = sentences.slice(0, show).map(({ text, message_ids: ids }) => `  ${text} [${countOf(ids, 'message')}]`);
  return [
    `Summary of ${threadId} (${depth}, ${share} % of ${compression.covered_tokens} tokens, ${describeProvider(provider)}):`,
    ...lines,
    ...renderMore(sentences.length - lines.length, 'sentence'),
  ];
}

/** The insights about a user, each with the answer to "why do you think this?", as lines. */
export function renderInsights(userId, insights) {
  if (insights.length === 0) return [`Insights about ${userId}: none. Nothing came back on several days, or changed.`];
  return [
    `Insights about ${userId} (${describeProvider(insights[0].provider)}):`,
    ...insights.flatMap(({ content, confidence, ground }) => [
      `  ${content} (confidence ${confidence})`,
      '      Why do you think this?',
      ...ground.slice(0, MAX_GROUND).map(renderGround),
      ...renderMore(ground.length - MAX_GROUND, 'more source', '      '),
    ]),
  ];
}

/**
 * A run of consolidation and its changes, as lines.
 * @param {ReadonlyMap<string, string>} texts of the memories by id; those that are gone are missing
 */
export function renderConsolidation(userId, run, texts, show) {
  const { merges = 0, links = 0, reranks = 0, memories = 0 } = run.counts;
  const title = `Consolidation of the memories of ${userId}`;
  if (run.state === 'unchanged') return [`${title}: nothing has changed since the last run.`];
  if (run.state !== 'done') return [`${title}: ${run.state}${run.failure_code ? ` (${run.failure_code})` : ''}.`];
  const written = run.changes.filter(({ state }) => state === 'written').toSorted(byInterest);
  return [
    `${title}: ${memories} read, ${merges} merged, ${links} linked, ${reranks} ranked.`,
    ...written.slice(0, show).flatMap((change) => renderChange(change, texts)),
    ...renderMore(written.length - show, 'more change'),
    ...(written.length > 0 ? [`  Undo it as a whole: POST /v1/consolidation/runs/${run.id}/undo`] : []),
  ];
}

function renderChange({ change, reason, memory_ids: ids, result_id: resultId, numbers }, texts) {
  const text = (id) => texts.get(id) ?? '(gone)';
  switch (change) {
    case 'merge':
      return [`  merged (${reason}): ${text(resultId)}`, ...ids.map((id) => `      from: ${text(id)}`)];
    case 'link':
      return [`  linked (${reason}): ${text(ids[0])} — ${text(ids[1])}`];
    default:
      return [`  importance ${numbers.from} → ${numbers.to} (${reason}): ${text(ids[0])}`];
  }
}

function renderGround({ content, said_at: saidAt }) {
  const words = content === null ? '(gone)' : `"${content}"`;
  return `      ${words}${saidAt === null ? '' : ` (${saidAt.slice(0, 10)})`}`;
}

function renderMore(count, noun, indent = '  ') {
  return count > 0 ? [`${indent}… and ${countOf({ length: count }, noun)}`] : [];
}

function countOf({ length }, noun) {
  return `${length} ${noun}${length === 1 ? '' : 's'}`;
}

function describeProvider(provider) {
  return provider === 'local' ? 'by rules, without a model' : `by ${provider}`;
}

const INTEREST = ['merge', 'link', 'rerank'];
function byInterest(one, other) {
  return INTEREST.indexOf(one.change) - INTEREST.indexOf(other.change);
}
