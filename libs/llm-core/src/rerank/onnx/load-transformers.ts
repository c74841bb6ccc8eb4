import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What we use of @huggingface/transformers 4. */
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
 * The runtime for ONNX models, which is 0.5 GB and so not part of an installation: `npm run onnx` puts it into `folder`.
 * @throws Error that tells so when it is not there
 */
export async function loadTransformers(folder: string): Promise<Transformers> {
  const from = createRequire(join(resolve(folder), 'package.json'));
  let entry: string;
  try {
    entry = from.resolve(PACKAGE);
  } catch {
    throw new Error(`The runtime for ONNX models is not in ${folder}. Install it by "npm run onnx".`);
  }
  return (await import(pathToFileURL(entry).href)) as Transformers;
}
