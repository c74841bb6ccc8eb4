import { renderConsolidation, renderInsights, renderSummary } from './render-minds.mjs';

/** Prints what the minds made for one user, or why they made nothing. */
export async function showMinds(api, { userId, threadIds }, { runs, problem }, limit) {
  const lines = [];
  for (const threadId of threadIds) {
    lines.push(...(await readSummary(api, userId, threadId, limit)));
  }
  const user = encodeURIComponent(userId);
  const { items } = await api.call('GET', `/v1/users/${user}/insights?limit=200`);
  const current = items.filter(({ state }) => state === 'current');
  const explained = await Promise.all(
    current.slice(0, limit).map(async (insight) => ({
      ...insight,
      ground: (await api.call('GET', `/v1/memories/${insight.id}/why`)).ground,
    })),
  );
  lines.push('', ...renderInsights(userId, explained), '');
  const run = runs.get(userId);
  if (run) lines.push(...renderConsolidation(userId, run, await readTexts(api, run, limit), limit));
  else lines.push(`Consolidation of the memories of ${userId}: none. ${problem}`);
  process.stdout.write(`\n${lines.join('\n')}\n`);
}

async function readSummary(api, userId, threadId, limit) {
  const query = `user_id=${encodeURIComponent(userId)}`;
  try {
    const { summaries } = await api.call('GET', `/v1/threads/${encodeURIComponent(threadId)}/summary?${query}`);
    return renderSummary(threadId, summaries[0], limit);
  } catch (error) {
    if (error.status !== 404) throw error;
    return [`Summary of ${threadId}: ${error.detail}`];
  }
}

/** The texts of the memories that a run changed, by id; those that were purged since are missing. */
async function readTexts(api, { changes }, limit) {
  const texts = new Map();
  const shown = changes.filter(({ state }) => state === 'written').slice(0, 3 * limit);
  const ids = new Set(
    shown.flatMap(({ memory_ids: changed, result_id: made }) => [...changed, ...(made ? [made] : [])]),
  );
  for (const id of ids) {
    try {
      texts.set(id, (await api.call('GET', `/v1/memories/${id}`)).content);
    } catch (error) {
      if (error.status !== 404) throw error;
    }
  }
  return texts;
}
