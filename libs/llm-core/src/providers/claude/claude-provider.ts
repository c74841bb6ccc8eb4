import type { RemoteProviderOptions } from '../remote/remote-provider-options.js';

/** `baseUrl` is without `/v1`. */
export type ClaudeProviderOptions = RemoteProviderOptions;
