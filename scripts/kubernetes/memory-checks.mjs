import { connect } from '../demo/api.mjs';
import { expectRemembered, remember } from '../containers/stack/conversation.mjs';

const FACT = { userId: 'mara', messageId: 'm1', content: 'I moved to Lisbon last month. I am allergic to peanuts.' };
const QUESTION = { ...FACT, query: 'What must we know before we book a dinner?', text: 'allergic to peanuts' };
/** In k8s/overlays/local. */
const BOOTSTRAP_KEY = 'local-bootstrap-key-0123456789';

/** A conversation through all pods: from the gateway over Valkey and the workers to PostgreSQL, and back by a query. */
export async function checkMemories(checklist, address) {
  const api = await connect({ ANNALS_URL: `http://${address}`, ANNALS_KEY: BOOTSTRAP_KEY });
  await checklist.must('a conversation is sent, extracted and written', async () => {
    const batch = await remember(api, FACT);
    return `${batch.inserted} memories inserted`;
  });
  await checklist.check('a query returns the memory with its source', () => expectRemembered(api, QUESTION));
}
