import { ConfigError } from '@annals/config';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The part of @huggingface/transformers 4 that is used. Models are folders: an absolute path is never looked up. */
interface Transformers<Tokenizer, Model> {
  readonly env: { allowRemoteModels: boolean; allowLocalModels: boolean };
  readonly AutoTokenizer: { from_pretrained(folder: string): Promise<Tokenizer> };
  readonly AutoModel: ModelLoader<Model>;
  readonly AutoModelForSequenceClassification: ModelLoader<Model>;
}

interface ModelLoader<Model> {
  from_pretrained(folder: string, options: { dtype: 'q8' }): Promise<Model>;
}

export interface OnnxModelOptions {
  /** Folder of the model: `tokenizer.json`, `config.json` and `onnx/model_quantized.onnx`. Nothing is downloaded. */
  readonly modelFolder: string;
  /** Folder into which `npm run onnx` installed the runtime. */
  readonly runtimeFolder: string;
}

/** What a folder must hold. */
export interface OnnxModelKind {
  /** For errors: "ONNX cross-encoder". */
  readonly kind: string;
  readonly auto: 'AutoModel' | 'AutoModelForSequenceClassification';
  /** What its variables begin with. */
  readonly variables: 'ANNALS_EMBEDDINGS' | 'ANNALS_RERANK';
}

const PACKAGE = '@huggingface/transformers';

/**
 * Loads tokenizer and quantised model of a folder. The runtime takes 0.5 GB and is not part of an installation:
 * `npm run onnx` installs it.
 * @throws ConfigError that says what is missing
 */
export async function loadOnnxModel<Tokenizer, Model>(
  { modelFolder, runtimeFolder }: OnnxModelOptions,
  { kind, auto, variables }: OnnxModelKind,
): Promise<{ readonly tokenize: Tokenizer; readonly run: Model }> {
  const transformers = await loadTransformers<Tokenizer, Model>(runtimeFolder, `${variables}_RUNTIME_DIR`);
  const folder = resolve(modelFolder);
  transformers.env.allowRemoteModels = false;
  transformers.env.allowLocalModels = true;
  try {
    const [tokenize, run] = await Promise.all([
      transformers.AutoTokenizer.from_pretrained(folder),
      transformers[auto].from_pretrained(folder, { dtype: 'q8' }),
    ]);
    return { tokenize, run };
  } catch (cause) {
    const variable = `${variables}_MODEL_DIR`;
    const message = `${variable} names ${modelFolder}, which holds no ${kind} that can be loaded: it needs config.json, tokenizer.json, tokenizer_config.json and onnx/model_quantized.onnx. The runtime says: ${messageOf(cause)}`;
    throw new ConfigError([{ variable, message }], { cause });
  }
}

async function loadTransformers<Tokenizer, Model>(
  folder: string,
  variable: string,
): Promise<Transformers<Tokenizer, Model>> {
  const from = createRequire(join(resolve(folder), 'package.json'));
  let entry: string;
  try {
    entry = from.resolve(PACKAGE);
  } catch (cause) {
    const message = `${variable} names ${folder}, where the runtime for ONNX models is not installed: run "npm run onnx".`;
    throw new ConfigError([{ variable, message }], { cause });
  }
  try {
    return (await import(pathToFileURL(entry).href)) as Transformers<Tokenizer, Model>;
  } catch (cause) {
    const message = `${variable} names ${folder}, whose runtime for ONNX models cannot be loaded: run "npm run onnx" again. ${messageOf(cause)}`;
    throw new ConfigError([{ variable, message }], { cause });
  }
}

/** While a model is loaded, no text of a user is there that it could quote. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
