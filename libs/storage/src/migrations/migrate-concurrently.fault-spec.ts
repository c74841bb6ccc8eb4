import { StorageFixture } from '../fixtures/storage.fixture.js';
import { migrate } from '../migrate.js';
import { MIGRATIONS } from './index.js';

// On the embedded database one process owns the folder, so there nobody migrates beside it.
describe('migrate, started by several processes at once', () => {
  let fixture: StorageFixture;

  beforeEach(async () => {
    fixture = await StorageFixture.open();
  });
  afterEach(() => fixture.close());

  // Several times: which statements meet is a matter of luck.
  it.each([1, 2, 3, 4, 5])('runs each migration once while the others wait (round %i)', async () => {
    await fixture.queryAsSuperuser('DROP SCHEMA annals CASCADE; DROP EXTENSION vector');
    const ran = await Promise.all(Array.from({ length: 6 }, () => migrate(fixture.testDatabase.admin)));
    expect(ran.flat()).toEqual(MIGRATIONS.map((migration) => migration.name));
  });
});
