import type { CategoryConfig } from '@annals/domain';
import { createPromptFrame, type PromptFrame } from '@annals/llm-core';

/** Which categories there are for a batch, and how a model is asked for them. */
export interface Asking {
  readonly categories: CategoryConfig;
  readonly frame: PromptFrame;
}

/** Reads how to ask now: composed once for every content of the file that was in force. */
export function createAskingReader(source: { readonly current: CategoryConfig }): () => Asking {
  let asking: Asking | null = null;
  return () => {
    const { current } = source;
    if (asking?.categories !== current) asking = { categories: current, frame: createPromptFrame(current) };
    return asking;
  };
}
