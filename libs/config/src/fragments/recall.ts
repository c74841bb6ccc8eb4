import { defineFragment } from '../fragment.js';
import { integer, share, withDefault } from '../variable.js';

export const recall = defineFragment({
  title: 'Ranking of answers',
  variables: {
    ANNALS_RECALL_RECENCY_WEIGHT: withDefault(share(), '0.2', {
      description: 'Weight of recency in a score; the rest is relevance.',
    }),
    ANNALS_RECALL_RECENCY_DAYS: withDefault(integer(1, 36_500), '30', {
      description: 'Age at which recency has fallen to 37 % (`exp(-age / 30 d)`).',
      unit: 'days',
    }),
    ANNALS_RECALL_IMPORTANCE_WEIGHT: withDefault(share(), '0.05', {
      description: 'How far importance 5, compared with importance 1, raises a score towards 1.',
    }),
    ANNALS_RECALL_RELATION_WEIGHT: withDefault(share(), '0.05', {
      description: 'How far a relation of strength 1 to another candidate raises a score towards 1.',
    }),
    ANNALS_RECALL_INSIGHT_FACTOR: withDefault(share(), '0.5', {
      description: 'Factor by which the score of an insight is multiplied, so that insights rank low.',
    }),
    ANNALS_RECALL_SUPERSEDED_FACTOR: withDefault(share(), '0.5', {
      description: 'Factor by which the score of a turn is multiplied when all its facts were superseded.',
    }),
    ANNALS_RECALL_MMR_LAMBDA: withDefault(share(), '0.7', {
      description:
        'Weight of relevance against diversity when results are selected (maximal marginal relevance); `1` allows repetition.',
    }),
    ANNALS_RECALL_RERANK_THRESHOLD: withDefault(share(), '0.35', {
      description: 'Minimum score of the reranker, on its own scale; candidates below it are dropped.',
    }),
    ANNALS_RECALL_TURN_TOKENS: withDefault(integer(20, 100_000), '120', {
      description: 'Maximum length of one message in a result; a longer one is cut to its best sentences.',
      unit: 'tokens',
    }),
  },
  build: (values) => ({
    recency: values.ANNALS_RECALL_RECENCY_WEIGHT,
    recencyDays: values.ANNALS_RECALL_RECENCY_DAYS,
    importance: values.ANNALS_RECALL_IMPORTANCE_WEIGHT,
    relation: values.ANNALS_RECALL_RELATION_WEIGHT,
    insight: values.ANNALS_RECALL_INSIGHT_FACTOR,
    superseded: values.ANNALS_RECALL_SUPERSEDED_FACTOR,
    mmrLambda: values.ANNALS_RECALL_MMR_LAMBDA,
    rerankThreshold: values.ANNALS_RECALL_RERANK_THRESHOLD,
    turnTokens: values.ANNALS_RECALL_TURN_TOKENS,
  }),
});
