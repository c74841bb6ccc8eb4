import type { ApiClient } from '@annals/testing';

/** One customer of a deployment: its users, and a key for one of them only. */
export interface Tenant {
  readonly index: number;
  readonly id: string;
  readonly client: ApiClient;
  readonly users: readonly string[];
  readonly bound: { readonly client: ApiClient; readonly userId: string };
}

/** All tenants name their users alike, so that nothing but the tenant tells them apart. */
export async function createTenants(
  operator: ApiClient,
  { tenants, usersEach }: { readonly tenants: number; readonly usersEach: number },
): Promise<Tenant[]> {
  const users = Array.from({ length: usersEach }, (_, index) => `user-${index}`);
  const created: Tenant[] = [];
  for (let index = 0; index < tenants; index += 1) {
    const { id, key } = await operator.must('createTenant', { body: { name: `tenant-${index}` } });
    const client = operator.withKey(key!);
    const userId = users[0]!;
    const bound = await client.must('createKey', { body: { name: 'bound', scopes: ['query'], user_id: userId } });
    created.push({ index, id, client, users, bound: { client: client.withKey(bound.key!), userId } });
  }
  return created;
}
