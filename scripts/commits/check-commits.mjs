import { spawnSync } from 'node:child_process';
import { LAST_FREE_COMMIT } from './first-commit.mjs';

const hasHistory = spawnSync('git', ['merge-base', '--is-ancestor', LAST_FREE_COMMIT, 'HEAD'], { stdio: 'ignore' });
if (hasHistory.status === 0) {
  const { status } = spawnSync('commitlint', ['--from', LAST_FREE_COMMIT], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  console.log('Commit messages are not checked: this copy of the repository has no or not enough history.');
}
