import { useQuery } from '@tanstack/react-query';
import { PageHead } from '../../parts/page-head.tsx';
import { Failure, Loading } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { useClient } from '../../session/session.tsx';

/** The categories of memories, and which of them each agent may use. They are changed in a file. */
export default function CategoriesPage() {
  const client = useClient();
  const config = useQuery({ queryKey: ['categories'], queryFn: () => client.categories.get() });
  return (
    <>
      <PageHead title="Categories" call="GET /v1/categories" />
      <p>
        Categories and the allowlists of agents are the same for all tenants. An operator changes them in the file that{' '}
        <code>ANNALS_CATEGORIES_FILE</code> names; services load it again by themselves.
      </p>
      {config.isPending && <Loading what="categories" />}
      {config.isError && <Failure error={config.error} />}
      {config.data && (
        <>
          <Table columns={['Category', 'What belongs to it', 'What a query returns of it']}>
            {config.data.categories.map((category) => (
              <tr key={category.name}>
                <th scope="row">{category.name}</th>
                <td>{category.description ?? '–'}</td>
                <td>
                  {category.context === 'all' ? 'all of it' : `at most ${category.rag_length} that fit the query`}
                  {category.on_request_only && ', if the query names the category'}
                </td>
              </tr>
            ))}
          </Table>
          <h2>Agents</h2>
          <Table columns={['Agent', 'May use']}>
            {Object.entries(config.data.allowlists).map(([agent, names]) => (
              <tr key={agent}>
                <th scope="row">{agent}</th>
                <td>{names.join(', ') || 'nothing'}</td>
              </tr>
            ))}
            <tr>
              <th scope="row">any other</th>
              <td>every category</td>
            </tr>
          </Table>
        </>
      )}
    </>
  );
}
