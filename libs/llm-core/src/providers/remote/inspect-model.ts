import type { LLMError } from '../../provider/llm-error.js';
import type { ProviderInspection } from '../../provider/llm-provider.js';

interface ListedModel {
  id: string;
  /** `YYYY-MM-DD` or a timestamp that starts with it. */
  retiresAt?: string | null | undefined;
}

/** The models API of a provider, and what its messages need. */
export interface ModelsApi {
  /** The provider's name in Annals, which is also part of its variables. */
  provider: 'claude' | 'openai';
  model: string;
  retrieve(): Promise<ListedModel>;
  list(): Promise<ListedModel[]>;
  mapError(error: unknown): LLMError;
  /** Epoch ms. */
  now: number;
}

/** Statuses of a server that does not implement the path or the method. */
const UNKNOWN_PATH = new Set([404, 405, 501]);

/** Checks reachability, key and model by requests that cost nothing. Never throws. */
export async function inspectModel(modelsApi: ModelsApi): Promise<ProviderInspection> {
  try {
    return checkModel(modelsApi, await modelsApi.retrieve());
  } catch (error) {
    const failure = modelsApi.mapError(error);
    if (!UNKNOWN_PATH.has(failure.status ?? 0)) return describeFailedInspection(modelsApi, failure);
  }
  // Compatible servers often implement only the list of models.
  try {
    const found = (await modelsApi.list()).find(
      ({ id }) => id === modelsApi.model || id === `${modelsApi.model}:latest`,
    );
    return found ? checkModel(modelsApi, found) : rejectModel(modelsApi, `does not know the model ${modelsApi.model}`);
  } catch (error) {
    const failure = modelsApi.mapError(error);
    return UNKNOWN_PATH.has(failure.status ?? 0)
      ? acceptUnlistedModel(modelsApi)
      : describeFailedInspection(modelsApi, failure);
  }
}

function checkModel(modelsApi: ModelsApi, { retiresAt }: ListedModel): ProviderInspection {
  if (!retiresAt) return { usable: true, reachable: true, authenticated: true, modelKnown: true };
  const retiresOn = retiresAt.slice(0, 10);
  if (Date.parse(retiresAt) <= modelsApi.now) {
    return {
      ...rejectModel(modelsApi, `switched the model ${modelsApi.model} off on ${retiresOn}`),
      modelKnown: true,
      retiresOn,
    };
  }
  return { usable: true, reachable: true, authenticated: true, modelKnown: true, retiresOn };
}

function rejectModel(modelsApi: ModelsApi, fact: string): ProviderInspection {
  return {
    usable: false,
    reachable: true,
    authenticated: true,
    modelKnown: false,
    problem: `${modelsApi.provider} ${fact}: set ${formatVariableName(modelsApi, 'MODEL')} to another one.`,
  };
}

function acceptUnlistedModel({ provider, model }: ModelsApi): ProviderInspection {
  return {
    usable: true,
    reachable: true,
    authenticated: true,
    modelKnown: false,
    problem: `The server of ${provider} answers but does not list its models: the first call will show whether it has ${model}.`,
  };
}

export function describeFailedInspection(
  modelsApi: Pick<ModelsApi, 'provider'>,
  { type, status, message }: LLMError,
): ProviderInspection {
  const reachable = status !== undefined;
  const problem =
    type === 'authentication' && reachable
      ? `${modelsApi.provider} refuses the key (status ${status}): check ${formatVariableName(modelsApi, 'API_KEY')}.`
      : message;
  return {
    usable: false,
    reachable,
    authenticated: reachable && type !== 'authentication',
    modelKnown: false,
    problem,
  };
}

function formatVariableName({ provider }: Pick<ModelsApi, 'provider'>, what: string): string {
  return `MEMORY_LLM_${provider.toUpperCase()}_${what}`;
}
