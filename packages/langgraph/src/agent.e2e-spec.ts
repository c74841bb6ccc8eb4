import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import {
  Annotation,
  Command,
  DeltaChannel,
  END,
  interrupt,
  messagesDeltaReducer,
  messagesStateReducer,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { collect } from './fixtures/checkpoints.fixture.js';
import { startSavers, type Savers } from './fixtures/savers.fixture.js';
import type { AnnalsSaver } from './index.js';

const textsOf = (messages: readonly BaseMessage[]) => messages.map(({ text }) => text);

/** An agent that books what a person approves: it asks before, and goes on with the answer. */
function createAgent(saver: AnnalsSaver) {
  const State = Annotation.Root({
    messages: Annotation<BaseMessage[]>({ reducer: messagesStateReducer, default: () => [] }),
    bookings: Annotation<string[]>({ reducer: (a, b) => [...a, ...b], default: () => [] }),
  });
  return new StateGraph(State)
    .addNode('model', ({ messages }) => {
      const last = messages.at(-1)!;
      if (ToolMessage.isInstance(last)) return { messages: [new AIMessage(`Done: ${last.text}.`)] };
      const call = { id: `call-${messages.length}`, name: 'book', args: { what: last.text } };
      return { messages: [new AIMessage({ content: '', tool_calls: [call] })] };
    })
    .addNode('tools', ({ messages }) => {
      const [call] = (messages.at(-1) as AIMessage).tool_calls!;
      const { what } = call!.args as { what: string };
      const answer = interrupt<{ question: string }, string>({ question: `Book ${what}?` });
      const content = answer === 'yes' ? `booked ${what}` : `not booked ${what}`;
      return {
        messages: [new ToolMessage({ content, tool_call_id: call!.id! })],
        bookings: answer === 'yes' ? [what] : [],
      };
    })
    .addEdge(START, 'model')
    .addConditionalEdges('model', ({ messages }) => ((messages.at(-1) as AIMessage).tool_calls?.length ? 'tools' : END))
    .addEdge('tools', 'model')
    .compile({ checkpointer: saver });
}

/** A log whose entries are stored as writes, with a snapshot after every few. */
function createLog(saver: AnnalsSaver, snapshotFrequency: number) {
  const State = Annotation.Root({
    messages: () => new DeltaChannel<BaseMessage[], BaseMessage[]>(messagesDeltaReducer, { snapshotFrequency }),
    count: Annotation<number>({ reducer: (_old, next) => next, default: () => 0 }),
  });
  return new StateGraph(State)
    .addNode('answer', ({ messages, count }) => ({
      messages: [new AIMessage(`answer ${messages.length}`)],
      count: count + 1,
    }))
    .addEdge(START, 'answer')
    .addEdge('answer', END)
    .compile({ checkpointer: saver });
}

describe('an agent of LangGraph on AnnalsSaver', () => {
  let savers: Savers;
  let key: string;
  beforeAll(async () => {
    savers = await startSavers();
    key = await savers.createTenant();
  });
  afterAll(() => savers?.close());

  it('is interrupted, and resumes in another process with what a person answered', async () => {
    const config = { configurable: { thread_id: 'trip', user_id: 'ada' } };
    const asked = await createAgent(savers.saverOf(key)).invoke({ messages: [new HumanMessage('a table')] }, config);
    expect(asked).toMatchObject({ __interrupt__: [{ value: { question: 'Book a table?' } }] });

    const elsewhere = createAgent(savers.saverOf(key));
    const waiting = await elsewhere.getState(config);
    expect(waiting.next).toEqual(['tools']);
    expect(waiting.tasks[0]!.interrupts[0]!.value).toEqual({ question: 'Book a table?' });
    const done = await elsewhere.invoke(new Command({ resume: 'yes' }), config);
    expect(textsOf(done.messages)).toEqual(['a table', '', 'booked a table', 'Done: booked a table.']);
    expect(done.bookings).toEqual(['a table']);

    await elsewhere.invoke({ messages: [new HumanMessage('a boat')] }, config);
    const refused = await createAgent(savers.saverOf(key)).invoke(new Command({ resume: 'no' }), config);
    expect(refused.bookings).toEqual(['a table']);
    expect(textsOf(refused.messages).slice(4)).toEqual(['a boat', '', 'not booked a boat', 'Done: not booked a boat.']);
  });

  it('goes back in time and takes another way, with both ways to be read', async () => {
    const agent = createAgent(savers.saverOf(key));
    const config = { configurable: { thread_id: 'ways' } };
    await agent.invoke({ messages: [new HumanMessage('a car')] }, config);
    await agent.invoke(new Command({ resume: 'yes' }), config);
    const history = await collect(agent.getStateHistory(config));
    const [beforeModel] = history.filter(({ next }) => next[0] === 'model').slice(-1);
    const otherWay = createAgent(savers.saverOf(key));
    expect(await otherWay.invoke(null, beforeModel!.config)).toMatchObject({ __interrupt__: [{}], bookings: [] });
    const other = await otherWay.invoke(new Command({ resume: 'no' }), config);
    expect(other.bookings).toEqual([]);
    const first = await agent.getState(history[0]!.config);
    expect(first.values).toMatchObject({ bookings: ['a car'] });
    expect((await agent.getState(config)).values).toMatchObject({ bookings: [] });
    expect((await collect(agent.getStateHistory(config))).length).toBeGreaterThan(history.length);
  });

  it('edits its state by hand', async () => {
    const agent = createAgent(savers.saverOf(key));
    const config = { configurable: { thread_id: 'edited' } };
    await agent.invoke({ messages: [new HumanMessage('a room')] }, config);
    await agent.updateState(config, { bookings: ['by hand'] });
    const done = await createAgent(savers.saverOf(key)).invoke(new Command({ resume: 'yes' }), config);
    expect(done.bookings).toEqual(['by hand', 'a room']);
  });

  it.each(['async', 'sync', 'exit'] as const)(
    'keeps a delta channel through snapshots, pruning and copying, with durability %s',
    async (durability) => {
      const threadId = `log-${durability}`;
      const config = { configurable: { thread_id: threadId }, durability };
      const ask = (saver: AnnalsSaver, text: string) =>
        createLog(saver, 4).invoke({ messages: [new HumanMessage(text)] }, config);
      const expected: string[] = [];
      for (let turn = 0; turn < 7; turn += 1) {
        const { messages } = await ask(savers.saverOf(key), `question ${turn}`);
        expected.push(`question ${turn}`, `answer ${expected.length + 1}`);
        expect(textsOf(messages)).toEqual(expected);
        if (turn % 2 === 1) await savers.saverOf(key).prune([threadId]);
      }
      const saver = savers.saverOf(key);
      await saver.copyThread(threadId, `copy of ${threadId}`);
      const copy = await createLog(saver, 4).getState({ configurable: { thread_id: `copy of ${threadId}` } });
      expect(textsOf(copy.values.messages)).toEqual(expected);
    },
  );
});
