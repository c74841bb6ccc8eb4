/** Past forms of irregular verbs that are no other common word; the regular ones end in "-ed". */
export const PAST_FORMS: readonly string[] = (
  'was were had did went got came saw made took gave found told felt left kept began lost met bought brought thought ' +
  'taught caught fought sold said paid sent spent built held led ran won sat stood understood wrote drove rode rose ' +
  'broke spoke chose froze woke awoke stole swore wore bore tore wove grew flew knew threw drew withdrew blew ate fell ' +
  'forgot became overcame arose sang swam drank rang sank quit bit hid slid slept swept wept dealt meant dreamt learnt ' +
  'burnt spelt spilt smelt lent bent lit fed bled fled bred sped hung dug stuck struck swung stung spun shone shot ' +
  'sought laid heard shook undertook misunderstood rebuilt retold redid underwent'
).split(' ');

/** Irregular verbs whose past form is that of the present. */
export const UNCHANGED_PAST_FORMS: readonly string[] =
  'put cut hit hurt shut set let cost split spread bet beat read reread'.split(' ');
