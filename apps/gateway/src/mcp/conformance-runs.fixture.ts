/**
 * The runner tests SDKs: most of its scenarios call tools, prompts and resources of a sample server that every SDK has.
 * What Annals does not have is listed here and fails as it should; the runner fails when an entry passes after all.
 */
const SAMPLE_CALLS = [
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'tools-call-with-progress',
  'completion-complete',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
];

/** Of the revisions with sessions: Annals keeps none, and asks clients for nothing. */
const SESSION_FEATURES = [
  'server-sse-multiple-streams',
  'logging-set-level',
  'tools-call-with-logging',
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'resources-subscribe',
  'resources-unsubscribe',
];

/** Of 2026-07-28: tools of the sample server that ask for input, and caching hints of prompts and resources. */
const STATELESS_FEATURES = [
  'server-stateless:sep-2575-server-rejects-undeclared-capability',
  'server-stateless:sep-2575-missing-capability-http-400',
  'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
  'server-stateless:sep-2575-server-no-log-without-loglevel',
  'caching:sep-2549-prompts-list-caching-hints',
  'caching:sep-2549-resources-list-caching-hints',
  'caching:sep-2549-resources-templates-list-caching-hints',
  'sep-2164-resource-not-found',
  'input-required-result-basic-elicitation',
  'input-required-result-basic-sampling',
  'input-required-result-basic-list-roots',
  'input-required-result-request-state',
  'input-required-result-multiple-input-requests',
  'input-required-result-multi-round',
  'input-required-result-missing-input-response',
  'input-required-result-non-tool-request',
  'input-required-result-result-type',
  'input-required-result-tampered-state',
  'input-required-result-capability-check',
  'input-required-result-ignore-extra-params',
];

interface ConformanceRun {
  /** Of this workspace. */
  readonly package: string;
  readonly options: readonly string[];
  readonly needsSampleServer: readonly string[];
  /** Checks that have to pass. */
  readonly passed: number;
}

export const CONFORMANCE_RUNS: [name: string, run: ConformanceRun][] = [
  [
    'version 0.1.16, for the revisions with sessions,',
    {
      package: '@modelcontextprotocol/conformance',
      options: [],
      needsSampleServer: [...SAMPLE_CALLS, ...SESSION_FEATURES],
      passed: 5,
    },
  ],
  [
    'version 0.2.0-alpha.12, for revision 2025-11-25,',
    {
      package: 'mcp-conformance-next',
      options: ['--spec-version', '2025-11-25'],
      needsSampleServer: [...SAMPLE_CALLS, ...SESSION_FEATURES],
      passed: 34,
    },
  ],
  [
    'version 0.2.0-alpha.12, for the requirements of revision 2026-07-28,',
    {
      package: 'mcp-conformance-next',
      options: ['--requirements', '2026-07-28'],
      needsSampleServer: [...SAMPLE_CALLS, ...STATELESS_FEATURES],
      passed: 99,
    },
  ],
];
