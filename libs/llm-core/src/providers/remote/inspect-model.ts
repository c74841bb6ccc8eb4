import type { LLMError } from '../../provider/llm-error.js';
import type { ProviderInspection } from '../../provider/llm-provider.js';

export interface ListedModel {
  id: string;
  /** `YYYY-MM-DD` or a time that starts so. */
  retiresAt?: string | null | undefined;
}

/** The part of an API that tells about models, and how to speak about it. */
export interface ModelShelf {
  /** Our name of the provider, which its variables contain too. */
  provider: 'claude' | 'openai';
  model: string;
  retrieve(): Promise<ListedModel>;
  list(): Promise<ListedModel[]>;
  mapError(error: unknown): LLMError;
  /** Epoch ms. */
  now: number;
}

/** A server that does not know the path or the method. */
const UNKNOWN_PATH = new Set([404, 405, 501]);

/** Reachability, key and model by what costs nothing. Never throws. */
export async function inspectModel(shelf: ModelShelf): Promise<ProviderInspection> {
  try {
    return judgeModel(shelf, await shelf.retrieve());
  } catch (error) {
    const failure = shelf.mapError(error);
    if (!UNKNOWN_PATH.has(failure.status ?? 0)) return judgeFailure(shelf, failure);
  }
  // Compatible servers often have the list only.
  try {
    const found = (await shelf.list()).find(({ id }) => id === shelf.model || id === `${shelf.model}:latest`);
    return found ? judgeModel(shelf, found) : refuseModel(shelf, `does not know the model ${shelf.model}`);
  } catch (error) {
    const failure = shelf.mapError(error);
    return UNKNOWN_PATH.has(failure.status ?? 0) ? acceptUnseen(shelf) : judgeFailure(shelf, failure);
  }
}

function judgeModel(shelf: ModelShelf, { retiresAt }: ListedModel): ProviderInspection {
  if (!retiresAt) return { usable: true, reachable: true, authenticated: true, modelKnown: true };
  const retiresOn = retiresAt.slice(0, 10);
  if (Date.parse(retiresAt) <= shelf.now) {
    return {
      ...refuseModel(shelf, `switched the model ${shelf.model} off on ${retiresOn}`),
      modelKnown: true,
      retiresOn,
    };
  }
  return { usable: true, reachable: true, authenticated: true, modelKnown: true, retiresOn };
}

function refuseModel(shelf: ModelShelf, fact: string): ProviderInspection {
  return {
    usable: false,
    reachable: true,
    authenticated: true,
    modelKnown: false,
    problem: `${shelf.provider} ${fact}: set ${nameVariable(shelf, 'MODEL')} to another one.`,
  };
}

function acceptUnseen({ provider, model }: ModelShelf): ProviderInspection {
  return {
    usable: true,
    reachable: true,
    authenticated: true,
    modelKnown: false,
    problem: `The server of ${provider} answers but does not list its models: the first call will show whether it has ${model}.`,
  };
}

function judgeFailure(shelf: ModelShelf, { type, status, message }: LLMError): ProviderInspection {
  const reachable = status !== undefined;
  const problem =
    type === 'authentication' && reachable
      ? `${shelf.provider} refuses the key (status ${status}): check ${nameVariable(shelf, 'API_KEY')}.`
      : message;
  return {
    usable: false,
    reachable,
    authenticated: reachable && type !== 'authentication',
    modelKnown: false,
    problem,
  };
}

function nameVariable({ provider }: ModelShelf, what: string): string {
  return `MEMORY_LLM_${provider.toUpperCase()}_${what}`;
}
