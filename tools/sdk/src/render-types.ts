import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { type OpenApi, PROBLEM_MEDIA } from './open-api.ts';

/** What the client does not refer to. */
const LEFT_OUT = ['paths', 'webhooks', '$defs'];

/** The types of all schemas by name, and of the parameters and answers of all operations. */
export async function renderTypes(document: OpenApi): Promise<string> {
  const nodes = await openapiTS(withoutProblems(document) as unknown as OpenAPI3, {
    // A request may leave out what has a default.
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
  });
  const used = nodes.filter((node) => !('name' in node && LEFT_OUT.includes((node.name as { text: string }).text)));
  return astToString(used);
}

/** Every problem has the same type, which the client throws: repeated for each status, it would be half of the file. */
function withoutProblems(document: OpenApi): OpenApi {
  const copy = structuredClone(document) as { paths: Record<string, Record<string, { responses: object }>> } & OpenApi;
  for (const operation of Object.values(copy.paths).flatMap((methods) => Object.values(methods)))
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses).filter(([, { content = {} }]) => !(PROBLEM_MEDIA in content)),
    );
  return copy;
}
