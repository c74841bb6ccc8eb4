import { createHash } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { MIGRATIONS } from './index.js';

/**
 * SHA-256 of the SQL of each migration, without comments and line breaks. What has run on somebody's database never
 * changes: write a new migration and add its sum here. Only a migration that no release contains yet may be edited,
 * together with its line.
 */
const SUMS: Record<string, string> = {
  CreateAnnals1763700000000: '8b7d299059f0fce153222376268b0c7a88931fe9b773095df56b2569dc88620e',
  MeterModelCalls1763776800000: '8fcae1421e478fdf00c480da4b037539faaca05c2b347969298c67708804c008',
  ServeRecall1763863200000: 'd039de545f01a307887964a086c9fad78a2f265a8c9f31ef3588fc035fa6c10e',
  AddTenantSettings1764000000000: '18db78da1abb784d00044ebdc72cd055a3aaf02d196fee33702b15011cf55729',
  SealErasures1764000100000: '775dc4d3df9ec9a3551fad56847eae06d5a824375cbc1076badd7f20ef696112',
  NoteEchoes1764100000000: 'b2b754195071457915481d7eb30f1ca183d8640a9ff1ebf8bef3132cbbc5b8cf',
  IndexCategories1764100200000: '4028913c9d614fc332bf2661cbe263cf2ece1dbd0cf97c5372877f6ffd8b0f38',
  RelateOnce1764100300000: '5b3eb69c9160f8d49f7e88fcbec0ccf755f1c2c0ba1f78a964b4abcf14776edc',
  AddWritingChecks1764100400000: '2e7ee87f986d2028102a22a0244673fede85037e84ccea09efba9b08905825a5',
  ResumeFileScrubs1764100600000: 'aa06fcef280aaffec151956049c0e8e8ff20330f9dbad8eeffe8ad3e5a0fad1e',
  NoteEarlierEchoes1764150000000: 'ca8798708e023a8eb72233dfd1a9e0991c030dd6fedc1158154d01a7c5cfc08f',
  GeneralizeWork1764200000000: '2047190d9c8c25bc660ca620eece64cbbf4ea6f03eb8a2217cc5fbc391e9c5a1',
  AddMinds1764300000000: 'dce020bfc344d096c28dc17ad2b947b886643ec36df70786e66d8da92375d29c',
  AddAppMemories1764400000000: 'e6a9a6a9033629a5ddd148318c7b68454de4ae44756071c484acf4f8aef13f3b',
  PruneMindRecords1764400100000: 'aba12db0a4dd79ca50792907385c0db2ebd659d152a6b8dae505c5a2d5cd4f40',
  ResumeInterruptedWork1764400200000: 'fc2cde6df2ea1a5058520dcb054764ba956534521ad50b5c5eb705564f7e10f3',
  DismissAppMemories1764500300000: '4292c5891abd4802e45e5686b71b7ee408b4ee25dd1c0201902e75e64ba5152d',
  MeasureWork1764500400000: 'e31d6ae423f6d0ee78aa5d0b255631fe0a38c543e01725386adeec5a5c413366',
  KeepDeletions1764500401000: '56de039d049b314ef65a34b9ecc1fd227107f14f6bf83c746c1b08826fbc5c00',
  ExplainWork1764500410000: '7a4634e3ee3cedf747b44d2daba25c4ddb149558b0a7a550454d0df117ef259c',
  ReindexInSteps1764600000000: '0d76425d9292ecf2734b5c987abfee2bb3f8c25bc5f45b52d60a6613c8d7cea7',
  ForgetForGood1764700000000: '481a17135a1f6053d75bb9bf9ed9ca30471227d12cd92e16e60ba902ac701977',
  MeterChats1764720000000: '8a5dcbe6971acd1f1b52cbc05fb3bb57c145d247692ce91dea11647503c086ae',
  AddLangGraphCheckpoints1764730000000: '525085777ec993db6f70f0a6544554135684718b6fd5e06a0e9f38561043f238',
  AddLangGraphStore1764740000000: 'c38c8351e57e83fcb458429f2fa6c4cddfb2f95bbcec0c2554b76536f6d79116',
  AddLangGraphLogins1764745000000: 'e563a72a9378e779ad56880af41a8e3d33605177d496575d1ef34743616d49c6',
  MoveInAndOut1764750000000: 'c2fad1b4a324ee1c9834ba6c1cde6a8d1835a6232f026a69cebdf19e18a0a018',
  AddWebhooks1764760000000: '4911bec00f9756ef790318377e4e34d3d2ef36f77da67fbfb4b91e0ba2f977f6',
  AddVault1764770000000: 'adb98a74df76220a02f17afb808b07fb5eb0c27e568dae74309a13d9b43eb602',
  ListUsers1764780000000: 'ac3b7cc161189f155ce3e1dbe4c13c509980c20a976fc8792412eb494558a21d',
  SumTenantCosts1764790000000: 'a34443617e4c49369f7f12e395fe260747b19796fbfb323502def44ca8c1c03d',
};

function withoutComments(sql: string): string {
  return sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();
}

async function sumOf(Migration: (typeof MIGRATIONS)[number]): Promise<string> {
  const sum = createHash('sha256');
  const recorder = { query: async (sql: string) => void sum.update(withoutComments(sql)).update('\0') };
  await new Migration().up(recorder as unknown as QueryRunner);
  return sum.digest('hex');
}

describe('migrations', () => {
  it('are what they were when they were released, oldest first', async () => {
    const sums = await Promise.all(MIGRATIONS.map(async (Migration) => [Migration.name, await sumOf(Migration)]));
    expect(sums).toEqual(Object.entries(SUMS));
  });

  it('have names in the order in which they run', () => {
    const times = MIGRATIONS.map((migration) => Number(/\d{13}$/.exec(migration.name)?.[0]));
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
  });

  it('go forward only', async () => {
    for (const Migration of MIGRATIONS) await expect(new Migration().down()).rejects.toThrow(/forward only/);
  });
});
