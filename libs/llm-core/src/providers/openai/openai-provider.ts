import type { RemoteProviderOptions } from '../remote/remote-provider-options.js';

/** `baseUrl` is with `/v1`: the official API or any server that speaks Chat Completions. */
export interface OpenAIProviderOptions extends RemoteProviderOptions {
  /** True when calls cost nothing (a server of one's own): they need no price and are charged none. */
  isFree: boolean;
}
