import type { QueryExplanation } from '@annals/sdk';
import { Link } from 'wouter';
import { Table } from '../../parts/table.tsx';

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const PARTS = ['vector', 'lexical', 'relevance', 'rerank', 'recency', 'importance', 'relation'] as const;

/** Reasons why a candidate was left out, as the API names them. */
const WHY: Readonly<Record<QueryExplanation['dropped'][number]['why'], string>> = {
  threshold: 'its relevance is below the threshold',
  rerank: 'the reranker found others better',
  same_source: 'it says what a kept one says, from the same words',
  superseded: 'something newer holds in its place',
  rag_length: 'its category has enough already',
  diversity: 'it says too much of the same as a kept one',
  top_k: 'enough others scored higher',
  budget: 'the token budget was spent',
};

const HEADER: Readonly<Record<QueryExplanation['header'], string>> = {
  not_requested: 'not requested: give a thread and a revision',
  no_changes: 'nothing has changed since',
  included: 'included',
  over_budget: 'left out: it is longer than the token budget',
};

interface ExplanationProps {
  readonly explanation: QueryExplanation;
  /** Texts of what was kept, by id. */
  readonly texts: ReadonlyMap<string, string>;
}

/** How the answer was computed: scores by part, and what was left out and why. */
export function Explanation({ explanation, texts }: ExplanationProps) {
  const { candidates, categories, core, dropped, embedding, header, kept, reranker, terms, timings_ms } = explanation;
  const models = [
    embedding && `embedding by ${embedding.model}${embedding.failed === null ? '' : ` (failed: ${embedding.failed})`}`,
    reranker && `reranked by ${reranker.model}${reranker.failed === null ? '' : ` (failed: ${reranker.failed})`}`,
  ].filter(Boolean);
  const allDropped = [...dropped, ...core.dropped.map((one) => ({ ...one, relevance: null }))];
  return (
    <>
      <h2>How it was chosen</h2>
      <dl className="fields">
        <dt>Candidates</dt>
        <dd>
          {candidates.memories} memories and {candidates.turns} messages
          {categories === null ? '' : ` in ${categories.join(', ')}`}
        </dd>
        <dt>Words</dt>
        <dd>{terms.map(({ term, weight }) => `${term} ${decimal.format(weight)}`).join(', ') || 'none'}</dd>
        <dt>Models</dt>
        <dd>{models.join(', ') || 'none'}</dd>
        <dt>Changes of the thread</dt>
        <dd>{HEADER[header]}</dd>
        <dt>Time</dt>
        <dd>
          {Object.entries(timings_ms)
            .map(([part, ms]) => `${part} ${decimal.format(ms)} ms`)
            .join(', ')}
        </dd>
      </dl>
      <Table
        label="Kept candidates"
        caption="Kept: found by the query"
        columns={['What', ...['score', ...PARTS, 'tokens'].map((name) => ({ number: name }))]}
      >
        {kept.map(({ id, kind, category, score, scores, tokens }) => (
          <tr key={id}>
            <th scope="row">
              <Candidate id={id} kind={kind} text={texts.get(id) ?? category} />
            </th>
            <td className="number">{percent.format(score)}</td>
            {PARTS.map((part) => (
              <td key={part} className="number">
                {scores[part] === null ? '–' : percent.format(scores[part])}
              </td>
            ))}
            <td className="number">{tokens}</td>
          </tr>
        ))}
      </Table>
      {core.kept.length > 0 && (
        <table>
          <caption>Always told: categories that every query returns</caption>
          <tbody>
            {core.kept.map(({ id, kind, category, tokens }) => (
              <tr key={id}>
                <th scope="row">
                  <Candidate id={id} kind={kind} text={texts.get(id) ?? category} />
                </th>
                <td className="number">{tokens} tokens</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {allDropped.length > 0 && (
        <Table caption="Left out" columns={['What', { number: 'relevance' }, 'Why']}>
          {allDropped.map(({ id, kind, category, relevance, why }) => (
            <tr key={id}>
              <th scope="row">
                <Candidate id={id} kind={kind} text={kind === 'turn' ? 'a message' : `a memory in ${category}`} />
              </th>
              <td className="number">{relevance === null ? '–' : percent.format(relevance)}</td>
              <td>{WHY[why]}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

interface CandidateProps {
  readonly id: string;
  readonly kind: 'memory' | 'turn';
  readonly text: string;
}

/** A memory has a page of its own. */
function Candidate({ id, kind, text }: CandidateProps) {
  return kind === 'memory' ? <Link href={`/memories/${id}`}>{text}</Link> : text;
}
