import { nameMethod } from './name-method.ts';

const nameOf = (route: string, rest: { id?: string; isList?: boolean } = {}) => {
  const [method, path] = route.split(' ') as [string, string];
  const { group, method: name } = nameMethod({ id: 'added', isList: false, method, path, ...rest });
  return [...group, name].join('.');
};

describe('nameMethod', () => {
  it.each([
    ['POST /v1/memories', 'memories.create'],
    ['GET /v1/memories/{id}', 'memories.get'],
    ['PATCH /v1/memories/{id}', 'memories.update'],
    ['DELETE /v1/memories/{id}', 'memories.delete'],
    ['PUT /v1/checkpoints/{user_id}/{thread_id}', 'checkpoints.put'],
    ['POST /v1/memories/{id}/undo', 'memories.undo'],
    ['POST /v1/memories/forget', 'memories.forget'],
    ['POST /v1/memory/query', 'memory.query'],
    ['GET /v1/users/{user_id}/context', 'users.context'],
    ['PUT /v1/users/{user_id}/context', 'users.putContext'],
    ['POST /v1/threads/{thread_id}/summary/restore', 'threads.restoreSummary'],
    ['DELETE /v1/apps/{app_id}/memories', 'apps.deleteMemories'],
    ['GET /v1/apps/{app_id}/memories/{id}', 'apps.getMemories'],
    ['GET /v1/usage/energy', 'usage.energy'],
    ['GET /v1/operator/work', 'operator.work.get'],
    ['GET /v1/admin/minds/runs', 'admin.minds.runs.get'],
    ['GET /health/live', 'health.live'],
    ['GET /metrics', 'metrics.get'],
  ])('names %s %s', (route, name) => expect(nameOf(route)).toBe(name));

  it('names what returns a list', () => {
    expect(nameOf('GET /v1/checkpoints/{user_id}', { isList: true })).toBe('checkpoints.list');
  });

  it('takes the name of a route that its path does not name well', () => {
    expect(nameOf('DELETE /v1/users/{user_id}', { id: 'eraseUser' })).toBe('users.erase');
  });

  it('asks for a name where the path is too long for one', () => {
    expect(() => nameOf('POST /v1/a/b/c/d')).toThrow('Name the operation added in NAMES');
    expect(() => nameOf('QUERY /v1/a')).toThrow('Name the method QUERY');
  });
});
