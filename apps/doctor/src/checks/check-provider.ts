import type { LLMProvider, ProviderInspection } from '@annals/llm-core';
import { fail, type Finding, ok, warn } from '../report.js';

const DAY_MS = 86_400_000;
/** How long before its retirement a model is a warning. */
const RETIREMENT_NOTICE_DAYS = 60;

/** Reachability, key and model of one provider, by requests that cost nothing. `now` is epoch ms. */
export async function inspectProvider(provider: LLMProvider, now: number, signal: AbortSignal): Promise<Finding[]> {
  if (!provider.getCapabilities().remote) {
    return [ok(provider.name, 'The local provider needs no server and no key. It understands English only.')];
  }
  return evaluateProvider(provider, await provider.inspect(signal), now);
}

export function evaluateProvider(
  { name, model }: Pick<LLMProvider, 'name' | 'model'>,
  inspection: ProviderInspection,
  now: number,
): Finding[] {
  const { reachable, authenticated, usable, modelKnown, problem } = inspection;
  const advice = problem ?? `Check the variables that begin with MEMORY_LLM_${name.toUpperCase()}_.`;
  if (!reachable) {
    const base = `MEMORY_LLM_${name.toUpperCase()}_BASE_URL`;
    return [fail(name, `${name} cannot be reached.`, `Check the network of this machine, and ${base} if it is set.`)];
  }
  const answers = ok(name, `${name} answers.`);
  if (!authenticated) return [answers, fail(`${name}.key`, `${name} does not accept the key.`, advice)];
  const accepted = [answers, ok(`${name}.key`, `${name} accepts the key.`)];
  if (!usable) return [...accepted, fail(`${name}.model`, `${model} cannot be used.`, advice)];
  if (!modelKnown)
    return [...accepted, warn(`${name}.model`, `${name} does not report whether it has ${model}.`, advice)];
  return [...accepted, evaluateRetirement(name, model, inspection.retiresOn, now)];
}

function evaluateRetirement(name: string, model: string, retiresOn: string | undefined, now: number): Finding {
  const check = `${name}.model`;
  if (retiresOn === undefined) return ok(check, `${name} has ${model}.`);
  const days = Math.ceil((Date.parse(retiresOn) - now) / DAY_MS);
  if (days > RETIREMENT_NOTICE_DAYS) return ok(check, `${name} has ${model}, until ${retiresOn}.`);
  const found = `${name} retires ${model} on ${retiresOn}, in ${days} ${days === 1 ? 'day' : 'days'}.`;
  return warn(check, found, `Set MEMORY_LLM_${name.toUpperCase()}_MODEL to a newer model before that day.`);
}
