import type { ModelApi } from './fake-request.js';
import type { FakeModel } from './known-models.js';

/** The body of `GET /v1/models`, or of one model; null when it does not exist. */
export function renderModels(api: ModelApi, path: string, models: readonly FakeModel[], now: number): unknown {
  const ours = models.filter((model) => model.api === api);
  const render = (model: FakeModel): unknown =>
    api === 'anthropic' ? describeAnthropic(model, now) : describeOpenAI(model);
  const id = /\/models\/([^/?]+)/.exec(path)?.[1];
  if (id !== undefined) {
    const model = ours.find((known) => known.id === decodeURIComponent(id));
    return model ? render(model) : null;
  }
  const data = ours.map(render);
  if (api === 'openai') return { object: 'list', data };
  return { data, has_more: false, first_id: ours.at(0)?.id ?? null, last_id: ours.at(-1)?.id ?? null };
}

function describeOpenAI({ id, retiresOn }: FakeModel) {
  return { id, object: 'model', created: 1_790_000_000, owned_by: 'system', shutdown_date: retiresOn ?? null };
}

function describeAnthropic({ id, retiresOn, maxOutputTokens, refusesThinking }: FakeModel, now: number) {
  const yes = { supported: true };
  const types = Object.fromEntries(
    ['adaptive', 'between_tools', 'disabled', 'enabled'].map((type) => [
      type,
      { supported: !refusesThinking?.includes(type) },
    ]),
  );
  const isRetired = retiresOn !== undefined && Date.parse(retiresOn) < now;
  return {
    id,
    type: 'model',
    display_name: id,
    line: null,
    created_at: '2026-09-28T00:00:00Z',
    lifecycle: retiresOn === undefined ? 'active' : isRetired ? 'retired' : 'deprecated',
    deprecated_at: retiresOn === undefined ? null : '2026-06-01T00:00:00Z',
    retires_at: retiresOn === undefined ? null : `${retiresOn}T00:00:00Z`,
    max_input_tokens: 1_000_000,
    max_tokens: maxOutputTokens ?? 128_000,
    capabilities: {
      batch: yes,
      citations: yes,
      code_execution: yes,
      context_management: {
        supported: true,
        clear_thinking_20251015: null,
        clear_tool_uses_20250919: null,
        compact_20260112: null,
      },
      effort: { supported: true, low: yes, medium: yes, high: yes, xhigh: yes, max: yes },
      image_input: yes,
      pdf_input: yes,
      server_tools: { supported: true, code_execution: yes, web_search: yes },
      structured_outputs: yes,
      thinking: { supported: true, types },
    },
  };
}
