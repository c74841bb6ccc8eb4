import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { GENERATED_FOLDER, readDocument, renderFiles } from './generated-files.ts';
import type { OpenApi } from './open-api.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** The document with one more route. */
function withRoute(route: string, method: string, operation: object): OpenApi {
  const document = readDocument();
  const { description, responses } = document.paths['/v1/batches/{id}']!.get!;
  const whole = { operationId: 'added', summary: 'Added.', description, parameters: [], responses, ...operation };
  return { ...document, paths: { ...document.paths, [route]: { [method]: whole } } };
}

describe('the generated sources of packages/sdk', () => {
  it('are what today’s route table gives (npm run docs)', async () => {
    const files = await renderFiles();
    const kept = globSync(`${GENERATED_FOLDER}/**/*.ts`, { cwd: root }).toSorted();
    expect(kept).toEqual(Object.keys(files).toSorted());
    expect(Object.fromEntries(kept.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]))).toEqual(files);
  });

  it('change with the document', async () => {
    const files = await renderFiles(withRoute('/v1/memories/forget', 'post', {}));
    expect(files[`${GENERATED_FOLDER}/resources/memories.ts`]).toMatch(
      /forget\(options\?: RequestOptions\): Promise<Batch> \{\n.*method: 'POST', path: '\/v1\/memories\/forget'/,
    );
    expect(files[`${GENERATED_FOLDER}/types.ts`]).toContain('added: {');
    expect(files[`${GENERATED_FOLDER}/methods-by-operation.fixture.ts`]).toContain(
      "added: AnnalsApi['memories']['forget'];",
    );
  });

  it('read a stream of events that the document does not describe as unknown', async () => {
    const responses = { 200: { content: { 'text/event-stream': { schema: { type: 'string' } } } } };
    const files = await renderFiles(withRoute('/v1/chat', 'post', { responses }));
    expect(files[`${GENERATED_FOLDER}/resources/chat.ts`]).toContain(
      'create(options?: RequestOptions): AsyncGenerator<StreamEvent<unknown>, void, undefined>',
    );
  });

  it('are not written when two routes would be one method, or a schema has no name', async () => {
    await expect(renderFiles(withRoute('/v2/memories', 'post', {}))).rejects.toThrow(/addMemory and added.*NAMES/);
    const responses = { 200: { content: { 'application/json': { schema: { type: 'object' } } } } };
    await expect(renderFiles(withRoute('/v1/chat', 'post', { responses }))).rejects.toThrow(/@annals\/contracts/);
  });
});
