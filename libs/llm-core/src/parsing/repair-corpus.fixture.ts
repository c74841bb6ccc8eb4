/**
 * The corpus (docs/reference/streaming-and-repair.md#json-repair-corpus): the expected result of `repairJson` for a
 * text, null if the text must not be repaired.
 */
export const REPAIR_CORPUS: readonly { readonly id: string; readonly input: string; readonly output: string | null }[] =
  [
    { id: 'trailing-comma-1', input: '{"key": "value",}', output: '{"key": "value"}' },
    { id: 'unclosed-string-1', input: '{"key": "value', output: '{"key": "value"}' },
    { id: 'unclosed-brace-1', input: '{"key": "value"', output: '{"key": "value"}' },
    { id: 'single-quotes-1', input: "{'key': 'value'}", output: '{"key": "value"}' },
    { id: 'mixed-issues-1', input: "{'key': 'value',", output: '{"key": "value"}' },
    { id: 'unrepairable-1', input: 'not even close to JSON', output: null },
    {
      id: 'nested-quotes',
      input: '{"key": "value with \\"quotes\\"",}',
      output: '{"key": "value with \\"quotes\\""}',
    },
    { id: 'deep-nesting', input: '{"a":{"b":{"c":{"d":"e"', output: '{"a":{"b":{"c":{"d":"e"}}}}' },
    { id: 'array-trailing', input: '["a","b","c",]', output: '["a","b","c"]' },
  ];
