import type { MemoryQueryAnswer } from '@annals/sdk';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button, Form, Input, Label, TextField } from 'react-aria-components';
import { useSearchParams } from 'wouter';
import { PageHead } from '../../parts/page-head.tsx';
import { Empty, Failure, Loading } from '../../parts/state.tsx';
import { useClient } from '../../session/session.tsx';
import { Explanation } from './explanation.tsx';
import { FIELDS, isComplete, readQuestion, toParameters, toRequest } from './question.ts';

/** A query workbench: what an agent would get, and how it was chosen. */
export default function AskPage() {
  const client = useClient();
  const [search, setSearch] = useSearchParams();
  const address = search.toString();
  const question = readQuestion(search);
  const [draft, setDraft] = useState({ address, question });
  // The form follows the address, as after going back.
  if (draft.address !== address) setDraft({ address, question });
  const asked = useQuery({
    queryKey: ['ask', question],
    queryFn: () => client.memory.query(toRequest(question)),
    enabled: isComplete(question),
    refetchOnWindowFocus: false,
  });

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const given = new URLSearchParams(toParameters(draft.question));
    if (given.toString() === address) void asked.refetch();
    else setSearch(given);
  }

  return (
    <>
      <PageHead title="Ask" call="POST /v1/memory/query" />
      <Form className="react-aria-Form ask" onSubmit={submit}>
        {FIELDS.map(({ name, label, type, isRequired }) => (
          <TextField
            key={name}
            type={type}
            isRequired={isRequired}
            value={draft.question[name] ?? ''}
            onChange={(value) => setDraft({ address, question: { ...draft.question, [name]: value } })}
          >
            <Label>{label}</Label>
            <Input />
          </TextField>
        ))}
        <Button type="submit" isPending={asked.isFetching}>
          Ask
        </Button>
      </Form>
      {asked.isLoading && <Loading what="answer" />}
      {asked.isError && <Failure error={asked.error} />}
      {asked.data && <Answer answer={asked.data} />}
      {!isComplete(question) && (
        <Empty title="What would an agent be told?">
          <p>
            Ask about one user in the words that your agent would send. The answer shows what would go into its prompt,
            how every candidate scored, and why others were left out. With an agent, only what it may see is searched.
          </p>
        </Empty>
      )}
    </>
  );
}

function Answer({ answer }: { readonly answer: MemoryQueryAnswer }) {
  const found = [...answer.core, ...answer.memories];
  return (
    <>
      <h2>What the agent gets</h2>
      <p className="facts">
        {answer.tokens} tokens{answer.degraded && ' · degraded: the query was not embedded, words alone decided'}
      </p>
      {answer.header !== undefined && <pre className="header">{answer.header}</pre>}
      {found.length === 0 && <p>Nothing: no memory of this user matches well enough.</p>}
      <ul className="answer">
        {found.map((hit) => (
          <li key={hit.id}>{hit.text}</li>
        ))}
      </ul>
      {answer.explain && <Explanation explanation={answer.explain} texts={textsOf(answer)} />}
    </>
  );
}

function textsOf({ core, memories }: MemoryQueryAnswer): ReadonlyMap<string, string> {
  return new Map([...core, ...memories].map(({ id, text }) => [id, text]));
}
