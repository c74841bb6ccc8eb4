import { CreateAnnals1763700000000 } from './1763700000000-CreateAnnals.js';
import { MeterModelCalls1763776800000 } from './1763776800000-MeterModelCalls.js';
import { ServeRecall1763863200000 } from './1763863200000-ServeRecall.js';
import { AddTenantSettings1764000000000 } from './1764000000000-AddTenantSettings.js';
import { SealErasures1764000100000 } from './1764000100000-SealErasures.js';
import { NoteEchoes1764100000000 } from './1764100000000-NoteEchoes.js';
import { IndexCategories1764100200000 } from './1764100200000-IndexCategories.js';
import { RelateOnce1764100300000 } from './1764100300000-RelateOnce.js';
import { AddWritingChecks1764100400000 } from './1764100400000-AddWritingChecks.js';
import { ResumeFileScrubs1764100600000 } from './1764100600000-ResumeFileScrubs.js';
import { NoteEarlierEchoes1764150000000 } from './1764150000000-NoteEarlierEchoes.js';
import { GeneralizeWork1764200000000 } from './1764200000000-GeneralizeWork.js';
import { AddMinds1764300000000 } from './1764300000000-AddMinds.js';
import { AddAppMemories1764400000000 } from './1764400000000-AddAppMemories.js';
import { PruneMindRecords1764400100000 } from './1764400100000-PruneMindRecords.js';
import { ResumeInterruptedWork1764400200000 } from './1764400200000-ResumeInterruptedWork.js';
import { DismissAppMemories1764500300000 } from './1764500300000-DismissAppMemories.js';
import { MeasureWork1764500400000 } from './1764500400000-MeasureWork.js';
import { KeepDeletions1764500401000 } from './1764500401000-KeepDeletions.js';
import { ExplainWork1764500410000 } from './1764500410000-ExplainWork.js';
import { ReindexInSteps1764600000000 } from './1764600000000-ReindexInSteps.js';
import { ForgetForGood1764700000000 } from './1764700000000-ForgetForGood.js';
import { MeterChats1764720000000 } from './1764720000000-MeterChats.js';
import { AddLangGraphCheckpoints1764730000000 } from './1764730000000-AddLangGraphCheckpoints.js';
import { AddLangGraphStore1764740000000 } from './1764740000000-AddLangGraphStore.js';
import { AddLangGraphLogins1764745000000 } from './1764745000000-AddLangGraphLogins.js';
import { MoveInAndOut1764750000000 } from './1764750000000-MoveInAndOut.js';
import { AddWebhooks1764760000000 } from './1764760000000-AddWebhooks.js';
import { AddVault1764770000000 } from './1764770000000-AddVault.js';
import { ListUsers1764780000000 } from './1764780000000-ListUsers.js';
import { SumTenantCosts1764790000000 } from './1764790000000-SumTenantCosts.js';

/** Every migration, oldest first. Append only: what has run somewhere never changes. */
export const MIGRATIONS = [
  CreateAnnals1763700000000,
  MeterModelCalls1763776800000,
  ServeRecall1763863200000,
  AddTenantSettings1764000000000,
  SealErasures1764000100000,
  NoteEchoes1764100000000,
  IndexCategories1764100200000,
  RelateOnce1764100300000,
  AddWritingChecks1764100400000,
  ResumeFileScrubs1764100600000,
  NoteEarlierEchoes1764150000000,
  GeneralizeWork1764200000000,
  AddMinds1764300000000,
  AddAppMemories1764400000000,
  PruneMindRecords1764400100000,
  ResumeInterruptedWork1764400200000,
  DismissAppMemories1764500300000,
  MeasureWork1764500400000,
  KeepDeletions1764500401000,
  ExplainWork1764500410000,
  ReindexInSteps1764600000000,
  ForgetForGood1764700000000,
  MeterChats1764720000000,
  AddLangGraphCheckpoints1764730000000,
  AddLangGraphStore1764740000000,
  AddLangGraphLogins1764745000000,
  MoveInAndOut1764750000000,
  AddWebhooks1764760000000,
  AddVault1764770000000,
  ListUsers1764780000000,
  SumTenantCosts1764790000000,
];
