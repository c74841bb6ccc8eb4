import type { LangGraphStoreOperation } from '@annals/contracts';
import { createSliceMeter, type Pause, redactSliced, runInSlices, type Sliced } from '@annals/domain';
import { PAUSE, type Redactor } from '@annals/runtime';
import type { IndexedText } from '@annals/storage';
import { Inject, Injectable } from '@nestjs/common';
import { TextEmbedder } from '../embedding/text-embedder.js';
import { invalidFields } from '../http/parse-input.js';
import { limitRedacted, listIndexedTexts, type RawText } from './indexed-texts.js';

const MAX_TEXTS_OF_ITEM = 100;
const MAX_TEXTS = 400;

/** What a batch needs of the embedder, by the place of the operation. */
export interface BatchVectors {
  readonly model: string;
  readonly ofItems: ReadonlyMap<number, readonly IndexedText[]>;
  readonly ofQueries: ReadonlyMap<number, Float32Array>;
  /** Some of items could not be made: they are asked for with the items. */
  readonly lacksTexts: boolean;
  /** Some could not be made. */
  readonly isDegraded: boolean;
}

/** Embeds what the operations of a batch index and search for, redacted: a model may be a remote one. */
@Injectable()
export class StoreVectors {
  constructor(
    @Inject(TextEmbedder) private readonly embedder: TextEmbedder,
    @Inject(PAUSE) private readonly pause: Pause,
  ) {}

  /**
   * Outside of any transaction (docs/reference/isolation.md#no-waiting-inside-a-transaction). Throws `validation_failed`
   * when there are too many texts. @throws DatabaseUnavailableError
   */
  async embed(
    tenantId: string,
    operations: readonly LangGraphStoreOperation[],
    redactor: Redactor,
  ): Promise<BatchVectors> {
    const indexed = await runInSlices(listTexts(operations), this.pause);
    const redacted = await runInSlices(redactTexts(indexed, redactor), this.pause);
    const byText = await this.embedder.embedTexts(tenantId, [...redacted.values()].flat());
    const ofItems = new Map(
      [...redacted].map(([place, texts]) => [place, texts.map((text) => ({ text, vector: byText.get(text) ?? null }))]),
    );
    const lacksTexts = [...ofItems.values()].flat().some(({ vector }) => vector === null);
    const queries = listQueries(operations);
    const ofQueries = await this.embedQueries(tenantId, queries, redactor);
    const isDegraded = lacksTexts || ofQueries.size < queries.length;
    return { model: this.embedder.model, ofItems, ofQueries, lacksTexts, isDegraded };
  }

  /** Together: a request does not wait for each of them in turn. */
  private async embedQueries(
    tenantId: string,
    queries: readonly [place: number, query: string][],
    redactor: Redactor,
  ): Promise<Map<number, Float32Array>> {
    const redacted = await runInSlices(
      redactTexts(new Map(queries.map(([place, text]) => [place, [{ text, isCut: false }]])), redactor),
      this.pause,
    );
    const byText = await this.embedder.embedQueries(tenantId, [...redacted.values()].flat());
    return new Map(
      [...redacted].flatMap(([place, [text]]) => {
        const vector = byText.get(text!);
        return vector ? [[place, vector] as const] : [];
      }),
    );
  }
}

function* redactTexts(
  textsByPlace: ReadonlyMap<number, readonly RawText[]>,
  { options }: Redactor,
): Sliced<Map<number, string[]>> {
  const meter = createSliceMeter();
  const redacted = new Map<number, string[]>();
  for (const [place, texts] of textsByPlace) {
    const ofItem: string[] = [];
    for (const { text, isCut } of texts) {
      yield* meter(text.length);
      const limited = limitRedacted((yield* redactSliced(text, options)).text, { isCut });
      if (limited !== '') ofItem.push(limited);
    }
    redacted.set(place, ofItem);
  }
  return redacted;
}

function* listTexts(operations: readonly LangGraphStoreOperation[]): Sliced<Map<number, RawText[]>> {
  const found = new Map<number, RawText[]>();
  let total = 0;
  for (const [place, operation] of operations.entries()) {
    if (operation.op !== 'put' || operation.index === false) continue;
    const texts = yield* listIndexedTexts(operation.value, operation.index, MAX_TEXTS_OF_ITEM);
    const path = `body.operations[${place}].index`;
    if (texts.length > MAX_TEXTS_OF_ITEM)
      throw invalidFields([{ path, message: `Name paths of at most ${MAX_TEXTS_OF_ITEM} texts of an item.` }]);
    total += texts.length;
    if (total > MAX_TEXTS)
      throw invalidFields([{ path, message: `Index at most ${MAX_TEXTS} texts in one batch: send a further one.` }]);
    if (texts.length > 0) found.set(place, texts);
  }
  return found;
}

function listQueries(operations: readonly LangGraphStoreOperation[]): [place: number, query: string][] {
  return operations.flatMap((operation, place): [number, string][] =>
    operation.op === 'search' && operation.query !== undefined && operation.mode !== 'text'
      ? [[place, operation.query]]
      : [],
  );
}
