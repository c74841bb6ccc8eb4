import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The part of @huggingface/transformers 4 that is used. */
export interface Transformers {
  readonly env: { allowRemoteModels: boolean; allowLocalModels: boolean; localModelPath: string };
  readonly AutoTokenizer: { from_pretrained(model: string): Promise<PairTokenizer> };
  readonly AutoModelForSequenceClassification: {
    from_pretrained(model: string, options: { dtype: string }): Promise<PairClassifier>;
  };
}

export type PairTokenizer = (
  queries: string[],
  options: { text_pair: string[]; padding: boolean; truncation: boolean },
) => Readonly<Record<string, unknown>> & { readonly input_ids: { readonly size: number } };

export type PairClassifier = (inputs: unknown) => Promise<{ readonly logits: { tolist(): number[][] } }>;

const PACKAGE = '@huggingface/transformers';

/**
 * Loads the runtime for ONNX models. It takes 0.5 GB and is not part of an installation: `npm run onnx` installs it
 * into `folder`.
 * @throws Error if it is not installed there
 */
export async function loadTransformers(folder: string): Promise<Transformers> {
  const from = createRequire(join(resolve(folder), 'package.json'));
  let entry: string;
  try {
    entry = from.resolve(PACKAGE);
  } catch {
    throw new Error(`The runtime for ONNX models is not installed in ${folder}: run "npm run onnx".`);
  }
  return (await import(pathToFileURL(entry).href)) as Transformers;
}
