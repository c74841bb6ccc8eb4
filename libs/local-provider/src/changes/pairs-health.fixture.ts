/** Allergies, conditions, medicines and doctors. The form of a line is described in `pairs.fixture.ts`. */
export const HEALTH_PAIRS = `
x value | I weigh 82 kg. | I weigh 78 kg now.
x value | My doctor is Dr. Sanchez. | My new doctor is Dr. Weiss.
x value | My blood type is A positive. | My blood type is O positive.
x value | I take 20 mg of the pill every day. | I take 40 mg of the pill every day now.
x value | My dentist is Dr. Hall. | My dentist is Dr. Moreau now.
x value | I'm 41 years old. | I turned 42 yesterday.
x value | My therapist is Joan. | I have a new therapist named Karim.
x value | My resting heart rate is 71. | My resting heart rate is 64 now.
x ending | I'm allergic to peanuts. | I am no longer allergic to peanuts.
x ending | I'm allergic to cats. | I'm not allergic to cats any more.
x ending | I smoke. | I quit smoking.
x ending | I take ibuprofen for my knee. | I stopped taking ibuprofen.
x ending | I have asthma. | I don't have asthma anymore.
x ending | I'm on antibiotics. | I'm not on antibiotics anymore.
x ending | I'm on antibiotics this week. | I finished my antibiotics.
x ending | I wear glasses. | I no longer wear glasses.
x ending | I'm pregnant. | I'm not pregnant anymore.
x ending | I suffer from migraines. | I no longer suffer from migraines.
x ending | I drink coffee every morning. | I gave up coffee.
x ending | I see a physiotherapist every week. | I don't see the physiotherapist any more.
x ending | I'm on a low-salt diet. | I'm off the low-salt diet.
x negation | I drink alcohol. | I don't drink alcohol anymore.
x negation | I have insomnia. | My insomnia is gone.
x third | Ana is allergic to bees. | Ana is no longer allergic to bees.
x third | My son has eczema. | My son doesn't have eczema any more.
x third | Leo's doctor is Dr. Sanchez. | Leo's doctor is Dr. Weiss now.
x thing | The clinic is on Park Street. | The clinic is on River Street now.
x half | I'm allergic to peanuts and shellfish. | I'm no longer allergic to shellfish. | peanuts
x half | I smoke and drink wine. | I stopped smoking. | wine
x correction | I'm allergic to walnuts. | Actually, I'm not allergic to walnuts.
x correction | My blood pressure is 150. | Sorry, I was wrong, my blood pressure is 130.
= same | I'm allergic to peanuts. | I'm allergic to peanuts.
= reword | I have asthma. | I still have asthma.
= reword | I'm allergic to cats. | I'm really allergic to cats.
~ subject | I'm allergic to peanuts. | My daughter is no longer allergic to peanuts.
~ subject | I smoke. | My dad quit smoking.
~ subject | Ana is allergic to bees. | Rosa is no longer allergic to bees.
~ subject | I have asthma. | My cat doesn't have asthma anymore.
~ subject | Leo's doctor is Dr. Sanchez. | Mia's doctor is Dr. Weiss.
~ subject | The clinic is on Park Street. | The pharmacy is on River Street.
~ attribute | I'm allergic to peanuts. | I'm no longer allergic to cats.
~ attribute | My doctor is Dr. Sanchez. | My dentist is Dr. Weiss.
~ attribute | I take ibuprofen. | I stopped taking vitamins.
~ attribute | I have insomnia. | My headache is gone.
~ attribute | I weigh 82 kg. | I lift 100 kg now.
~ attribute | I'm on antibiotics. | I'm not on a diet anymore.
~ both | I'm allergic to peanuts. | I'm allergic to walnuts.
~ both | I drink coffee every morning. | I gave up sugar.
~ both | I wear glasses. | I wear contact lenses on weekends.
~ both | I have asthma. | I don't have diabetes.
~ both | I see a physiotherapist every week. | I see a dentist twice a year.
~ both | I take 20 mg of the pill every day. | I take vitamin D every day.
~ condition | I smoke. | If I quit smoking I'll buy a bike.
~ condition | I'm allergic to peanuts. | I won't be allergic to peanuts any more if the therapy works.
~ hypothesis | I wear glasses. | I wish I no longer wore glasses.
~ hypothesis | I take ibuprofen for my knee. | I might stop taking ibuprofen.
~ hypothesis | I smoke. | I want to quit smoking.
~ question | I'm allergic to cats. | Am I not allergic to cats any more?
~ question | I drink alcohol. | Should I stop drinking alcohol?
~ quote | I'm allergic to peanuts. | The book begins with "I am no longer allergic to peanuts".
~ quote | I have asthma. | My aunt always says "I don't have asthma anymore".
~ joke | I wear glasses. | I have laser eyes now, just kidding.
~ joke | I smoke. | I stopped smoking for two whole minutes, haha, just kidding.
~ time | I drink tea. | When I was a student I drank no tea.
~ time | I weigh 82 kg. | Ten years ago I weighed 70 kg.
~ time | My doctor is Dr. Sanchez. | Before that my doctor was Dr. Weiss.
~ attribute | I suffer from migraines. | I no longer suffer from hay fever.
~ both | My resting heart rate is 71. | My resting heart rate is lower than average.
`;
