import { type Environment, listAllVariables } from '@annals/config';
import { isAbsolute } from 'node:path';
import { type Finding, warn } from '../report.js';
import type { CommonConfig } from '../load-settings.js';

/** Read by Docker Compose, the demo, the build or the tests of this repository, and by no service. */
const OF_OTHER_PROGRAMS =
  /^ANNALS_(?:BUILD_CA_FILE|GRAFANA_\w+|KEY|PREVIOUS_RELEASE|PROMETHEUS_\w+|PUBLISH|RECORD_RELEASE|REDIS_PASSWORD|REVISION|SCREENSHOTS|SERVICES_\w+|SOURCE|TEST_\w+|TRACES_\w+|URL|VAULT_VOLUME|VERSION)$/;

/** What starts every process and is set to no purpose: misspelt names, and values that nothing reads. */
export function inspectVariables(env: Environment, config: CommonConfig): Finding[] {
  const names = Object.keys(env).filter((name) => env[name]);
  return [
    ...findUnknown(names),
    ...findIdle(names, config),
    ...names.filter((name) => FOLDERS.includes(name) && !isAbsolute(env[name]!)).map(describeRelative),
  ];
}

function findUnknown(names: readonly string[]): Finding[] {
  const known = listAllVariables();
  // Kubernetes adds variables for each service of a namespace, annals-gateway among them.
  const links = names.filter((name) => name.endsWith('_SERVICE_HOST')).map((name) => name.replace(/SERVICE_HOST$/, ''));
  return names
    .filter((name) => /^(?:ANNALS|MEMORY_LLM)_/.test(name) && !known.includes(name) && !OF_OTHER_PROGRAMS.test(name))
    .filter((name) => !links.some((link) => name.startsWith(link)))
    .map((name) => {
      const meant = findSimilar(name, known);
      const advice =
        meant === null ? 'docs/configuration.md has the names: correct or unset it.' : `Name it ${meant}, or unset it.`;
      return warn('configuration.names', `${name} is no variable of Annals and has no effect.`, advice);
    });
}

/** How many characters may differ. */
const MAX_DISTANCE = 3;

function findSimilar(name: string, known: readonly string[]): string | null {
  const [nearest] = known
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.candidate ?? null;
}

/** Levenshtein's: how many characters must be added, left out or replaced. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 0; i < from.length; i += 1) {
    const above = row;
    row = [i + 1];
    for (let j = 0; j < to.length; j += 1) {
      row.push(Math.min(above[j]! + (from[i] === to[j] ? 0 : 1), above[j + 1]! + 1, row[j]! + 1));
    }
  }
  return row.at(-1)!;
}

/** Variables that count only while another one has some value. */
interface Condition {
  readonly variables: readonly string[];
  readonly isMet: (config: CommonConfig) => boolean;
  /** What is set otherwise, as the rest of the sentence "… has no effect: …". */
  readonly unmet: string;
}

const calls = (provider: string) => (config: CommonConfig) =>
  config.llm.chain.some((configured) => configured.provider === provider);

const CONDITIONS: readonly Condition[] = [
  {
    variables: ['API_KEY', 'BASE_URL', 'DAILY_BUDGET_USD'].map((name) => `MEMORY_LLM_CLAUDE_${name}`),
    isMet: calls('claude'),
    unmet: 'neither MEMORY_LLM_PRIMARY nor MEMORY_LLM_FALLBACKS names claude',
  },
  {
    variables: ['API_KEY', 'BASE_URL'].map((name) => `MEMORY_LLM_OPENAI_${name}`),
    isMet: calls('openai'),
    unmet: 'neither MEMORY_LLM_PRIMARY nor MEMORY_LLM_FALLBACKS names openai',
  },
  {
    variables: ['MEMORY_LLM_OPENAI_DAILY_BUDGET_USD'],
    isMet: (config) => calls('openai')(config) || config.embeddings.kind === 'openai',
    unmet: 'neither a model nor the embeddings are of openai',
  },
  {
    variables: ['API_KEY', 'BASE_URL', 'MODEL'].map((name) => `ANNALS_EMBEDDINGS_${name}`),
    isMet: ({ embeddings }) => embeddings.kind === 'openai',
    unmet: 'ANNALS_EMBEDDINGS is not openai',
  },
  {
    variables: ['ANNALS_EMBEDDINGS_DIMENSIONS'],
    isMet: ({ embeddings }) => embeddings.kind !== 'hashed',
    unmet: 'ANNALS_EMBEDDINGS is hashed',
  },
  {
    variables: ['ANNALS_EMBEDDINGS_MODEL_DIR'],
    isMet: ({ embeddings }) => embeddings.kind === 'onnx',
    unmet: 'ANNALS_EMBEDDINGS is not onnx',
  },
  {
    variables: ['API_KEY', 'MODEL', 'URL', 'USD_PER_REQUEST'].map((name) => `ANNALS_RERANK_${name}`),
    isMet: ({ rerank }) => rerank.model.kind === 'http',
    unmet: 'ANNALS_RERANK is not http',
  },
  {
    variables: ['ANNALS_RERANK_MODEL_DIR'],
    isMet: ({ rerank }) => rerank.model.kind === 'onnx',
    unmet: 'ANNALS_RERANK is not onnx',
  },
  {
    variables: ['ANNALS_METRICS_HOST'],
    isMet: ({ metrics }) => metrics.port !== undefined,
    unmet: 'ANNALS_METRICS_PORT is not set',
  },
];

function findIdle(names: readonly string[], config: CommonConfig): Finding[] {
  return CONDITIONS.filter(({ isMet }) => !isMet(config)).flatMap(({ variables, unmet }) =>
    variables
      .filter((name) => names.includes(name))
      .map((name) =>
        warn('configuration.idle', `${name} has no effect: ${unmet}.`, 'Set that, or unset the variable.'),
      ),
  );
}

const FOLDERS = ['ANNALS_DATA_DIR', 'ANNALS_DELETIONS_FILE'];

function describeRelative(name: string): Finding {
  return warn(
    'configuration.paths',
    `${name} is relative to the folder in which a process starts: started elsewhere, it uses another one.`,
    'Set it to an absolute path.',
  );
}
