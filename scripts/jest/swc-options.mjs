/**
 * How tests and the code under test are compiled: decorators and field semantics as in tsconfig.base.json.
 * @param {'commonjs' | 'es6'} moduleType CommonJS inside jest, where it gives the global `jest` and hoisted mocks
 */
export function swcOptions(moduleType) {
  return {
    swcrc: false,
    sourceMaps: 'inline',
    module: { type: moduleType },
    jsc: {
      target: 'es2024',
      keepClassNames: true,
      parser: { syntax: 'typescript', decorators: true },
      // Node loads JSON only with its attribute.
      experimental: { keepImportAttributes: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    },
  };
}
