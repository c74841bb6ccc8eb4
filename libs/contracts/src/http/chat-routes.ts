import { chatCompletionAnswerSchema, chatCompletionSchema, chatModelsSchema } from './chat.js';
import { defineRoute } from './route-definition.js';

export const chatRoutes = {
  createChatCompletion: defineRoute({
    method: 'POST',
    path: '/v1/chat/completions',
    summary: 'Chat with memory, in the form of OpenAI’s API: recalls, asks the upstream, stores what was said.',
    tag: 'chat',
    scopes: ['query', 'ingest'],
    body: chatCompletionSchema,
    responses: { 200: chatCompletionAnswerSchema },
    errorForm: 'openai',
    problems: [
      'forbidden_user',
      'forbidden_agent',
      'body_too_large',
      'budget_exceeded',
      'model_not_priced',
      'upstream_key_missing',
      'upstream_unreachable',
    ],
  }),
  listChatModels: defineRoute({
    method: 'GET',
    path: '/v1/models',
    summary: 'The models of the upstreams of chat completions.',
    tag: 'chat',
    scopes: ['query', 'ingest'],
    responses: { 200: chatModelsSchema },
    errorForm: 'openai',
    problems: ['upstream_key_missing', 'upstream_unreachable'],
  }),
} as const;
