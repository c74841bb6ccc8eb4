import { PageHead } from '../../parts/page-head.tsx';
import { FirstConversation } from './first-conversation.tsx';

export default function TryPage() {
  return (
    <>
      <PageHead title="Try it" call="POST /v1/conversations" />
      <FirstConversation />
    </>
  );
}
