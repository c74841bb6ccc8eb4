import type { MethodsByOperation } from './generated/methods-by-operation.fixture.js';
import type { Batch, ExportItem, operations } from './generated/types.js';
import type { Pages } from './paging/pages.js';
import type { StreamEvent } from './streaming/follow-events.js';

/** The body of an operation's answers, by the document. */
type Answers<Id extends keyof operations> = JsonOf<operations[Id]['responses'][keyof operations[Id]['responses']]>;
type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;
type Bodies<Id extends keyof operations> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

type Method<Id extends keyof operations> = MethodsByOperation[Id];
type Result<Id extends keyof operations> =
  ReturnType<Method<Id>> extends Promise<infer Body>
    ? Body
    : ReturnType<Method<Id>> extends Pages<infer Page, infer _Field>
      ? Page
      : ReturnType<Method<Id>>;

type Streamed = 'streamBatch' | 'exportUser' | 'getMetrics';

/** The operations whose method answers with something else than the document says. */
type OtherAnswers = {
  [Id in Exclude<keyof operations, Streamed>]: [Answers<Id>, Result<Id>] extends [Result<Id>, Answers<Id>] ? never : Id;
}[Exclude<keyof operations, Streamed>];

/** The operations whose body is no parameter of their method. */
type OtherBodies = {
  [Id in keyof operations]: [Bodies<Id>] extends [never]
    ? never
    : Bodies<Id> extends Parameters<Method<Id>>[number]
      ? never
      : Id;
}[keyof operations];

// What fails here fails in `npm run check`.
describe('the types of the client', () => {
  it('have a method for each operation of the document', () => {
    expectTypeOf<keyof MethodsByOperation>().toEqualTypeOf<keyof operations>();
  });

  it('take the bodies and return the answers of the document', () => {
    expectTypeOf<OtherAnswers>().toEqualTypeOf<never>();
    expectTypeOf<OtherBodies>().toEqualTypeOf<never>();
  });

  it('know what streams consist of', () => {
    expectTypeOf<ReturnType<Method<'streamBatch'>>>().toExtend<AsyncIterable<StreamEvent<Batch>>>();
    expectTypeOf<ReturnType<Method<'exportUser'>>>().toExtend<AsyncIterable<ExportItem>>();
    expectTypeOf<ReturnType<Method<'getMetrics'>>>().toEqualTypeOf<Promise<string>>();
  });
});
