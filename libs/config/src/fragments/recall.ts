import { defineFragment } from '../fragment.js';
import { integer, share, withDefault } from '../variable.js';

export const recall = defineFragment({
  title: 'Ranking of answers',
  variables: {
    recency: withDefault('ANNALS_RECALL_RECENCY_WEIGHT', share(), '0.2', {
      description: 'Weight of recency in a score; the rest is relevance.',
    }),
    recencyDays: withDefault('ANNALS_RECALL_RECENCY_DAYS', integer(1, 36_500), '30', {
      description: 'Age at which recency has fallen to 37 % (`exp(-age / 30 d)`).',
      unit: 'days',
    }),
    importance: withDefault('ANNALS_RECALL_IMPORTANCE_WEIGHT', share(), '0.05', {
      description: 'How far importance 5, compared with importance 1, raises a score towards 1.',
    }),
    relation: withDefault('ANNALS_RECALL_RELATION_WEIGHT', share(), '0.05', {
      description: 'How far a relation of strength 1 to another candidate raises a score towards 1.',
    }),
    insight: withDefault('ANNALS_RECALL_INSIGHT_FACTOR', share(), '0.5', {
      description: 'Factor by which the score of an insight is multiplied, so that insights rank low.',
    }),
    superseded: withDefault('ANNALS_RECALL_SUPERSEDED_FACTOR', share(), '0.5', {
      description: 'Factor by which the score of a turn is multiplied that is over, since what it says was superseded.',
    }),
    question: withDefault('ANNALS_RECALL_QUESTION_FACTOR', share(), '0.9', {
      description:
        'Factor by which the score of a turn is multiplied that only asks; of one that asks in part, less of it.',
    }),
    mmrLambda: withDefault('ANNALS_RECALL_MMR_LAMBDA', share(), '0.7', {
      description:
        'Weight of relevance against diversity when results are selected (maximal marginal relevance); `1` allows repetition.',
    }),
    rerankThreshold: withDefault('ANNALS_RECALL_RERANK_THRESHOLD', share(), '0.35', {
      description: 'Minimum score of the reranker, on its own scale; candidates below it are dropped.',
    }),
    turnTokens: withDefault('ANNALS_RECALL_TURN_TOKENS', integer(20, 100_000), '120', {
      description: 'Maximum length of one message in a result; a longer one is cut to its best sentences.',
      unit: 'tokens',
    }),
  },
});
