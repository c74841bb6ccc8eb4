import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const TOKENIZER_CONFIG = {
  tokenizer_class: 'BertTokenizer',
  model_max_length: 64,
  pad_token: '[PAD]',
  unk_token: '[UNK]',
  cls_token: '[CLS]',
  sep_token: '[SEP]',
  mask_token: '[MASK]',
};

/** Words of the vocabulary begin at the id 5, after these. */
const WORDS = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];

/**
 * Writes a model of a few bytes into `folder`, laid out as transformers.js reads it: a word tokenizer over `vocabulary`
 * and an ONNX graph. Uses the real runtime without a download.
 */
export async function writeTinyModel(
  folder: string,
  {
    vocabulary,
    architecture,
    graph,
  }: { readonly vocabulary: readonly string[]; readonly architecture: string; readonly graph: Uint8Array },
): Promise<void> {
  await mkdir(path.join(folder, 'onnx'), { recursive: true });
  const write = (name: string, content: string | Uint8Array) => writeFile(path.join(folder, name), content);
  await Promise.all([
    write('config.json', JSON.stringify({ model_type: 'bert', architectures: [architecture] })),
    write('tokenizer_config.json', JSON.stringify(TOKENIZER_CONFIG)),
    write('tokenizer.json', JSON.stringify(describeTokenizer(vocabulary))),
    write('onnx/model_quantized.onnx', graph),
  ]);
}

function describeTokenizer(vocabulary: readonly string[]): object {
  const special = (id: number) => ({
    id,
    content: WORDS[id],
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  });
  const piece = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } });
  const sequence = (id: string, type_id: number) => ({ Sequence: { id, type_id } });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: WORDS.map((_, id) => special(id)),
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [piece('[CLS]', 0), sequence('A', 0), piece('[SEP]', 0)],
      pair: [piece('[CLS]', 0), sequence('A', 0), piece('[SEP]', 0), sequence('B', 1), piece('[SEP]', 1)],
      special_tokens: Object.fromEntries(
        ['[CLS]', '[SEP]'].map((word) => [word, { id: word, ids: [WORDS.indexOf(word)], tokens: [word] }]),
      ),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries([...WORDS, ...vocabulary].map((word, id) => [word, id])),
    },
  };
}
