/** The form of a line is described in `life-scripts.ts`. */
export const SECOND_LIVES = `
# omar: a job that changes five times, told late
2024-01-08 I work at Siemens.
2024-03-04 I work at Bosch now.
2024-06-10 I joined Nokia last month.
2024-06-12 I like jazz.
2024-09-02 I left Nokia.
2024-09-20 I work at Ericsson.
2024-11-11 I work at Philips now.
2024-12-01 I used to work at Siemens.
2025-01-10 My wife works as a lawyer.
2025-01-15 I take the bus to work.
2025-02-02 My wife no longer works as a lawyer.
2025-02-14 I take the train to work now.
2025-03-01 My brother left Philips.
2025-03-09 Should I quit my job at Philips?
2025-03-15 My colleague said "I left Philips".
now: works at Philips; likes jazz; wife no longer works as a lawyer; train to work
over: works at Siemens; works at Bosch; Ericsson; wife works as a lawyer; bus to work
# lena: the same value again after another one
2026-01-01 My favorite color is blue.
2026-01-05 I live in Graz.
2026-01-20 My favorite color is green.
2026-02-10 I live in Vienna.
2026-02-15 My favorite color is blue.
2026-03-01 I live in Graz.
2026-03-05 I eat meat.
2026-03-20 I stopped eating meat.
2026-04-01 I eat meat.
2026-04-10 I play tennis.
2026-04-20 I no longer play tennis.
2026-05-01 I play tennis.
2026-05-10 I'm vegan now, haha, just kidding.
2026-05-12 My sister is vegan.
2026-05-20 My favorite band is Portishead.
now: favorite color is blue; lives in Graz; eats meat; plays tennis; sister is vegan; Portishead
over: favorite color is green; lives in Vienna; stopped eating meat; no longer plays tennis
# ivan: friends, their facts and his own
2026-01-02 Ana's manager is Li.
2026-01-03 Ana lives in Seville.
2026-01-04 Eva lives in Rome.
2026-01-08 My best friend is Timo.
2026-01-15 Ana is vegan.
2026-02-01 Ana's manager is Ruth.
2026-02-10 Ana moved to Granada.
2026-02-12 Ana is no longer vegan.
2026-02-20 Bruno works at Philips.
2026-03-01 Bruno left Philips.
2026-03-05 Eva's manager is Sam.
2026-03-10 My best friend is Arne now.
2026-03-12 Eva is allergic to bees.
2026-03-20 Eva's dog died.
2026-04-02 Mia is no longer allergic to bees.
now: Ana's manager is Ruth; Ana moved to Granada; Ana is no longer vegan; Eva lives in Rome; Eva's manager is Sam; Arne; Eva is allergic to bees
over: Ana's manager is Li; Ana lives in Seville; Ana is vegan; Bruno works at Philips; Timo
# sofia: an only half that ends, and the past that enters closed
2026-01-05 I work at Zeiss and play chess.
2026-01-08 I live in Jena.
2026-01-12 I have a dog and a cat.
2026-01-20 I'm allergic to peanuts and shellfish.
2026-02-01 I left Zeiss.
2026-02-10 I no longer have a cat.
2026-02-15 I'm no longer allergic to shellfish.
2026-02-20 Back then I lived in Kassel.
2026-03-01 I used to play squash.
2026-03-05 When I was a student I lived in Bonn.
2026-03-10 In 2015 my landlord was Mr. Keller.
2026-03-20 My landlord is Mrs. Ortiz.
2026-04-01 I weigh 82 kg.
2026-04-20 I weigh 78 kg now.
2026-05-02 Ten years ago I weighed 70 kg.
now: plays chess; lives in Jena; has a dog; allergic to peanuts; Ortiz; 78 kg
over: works at Zeiss; user has a cat; is allergic to shellfish; Kassel; 82 kg
# tariq: things that come late, and everything that must not close
2026-01-05 I run a small print shop.
2026-01-07 I live in Cork.
2026-01-09 I drink tea.
2026-01-15 I have two kids.
2026-02-01 I visited Galway last weekend.
2026-02-03 I'd like to live without a car.
2026-02-05 My flatmate cancelled Spotify.
2026-02-07 I pay for Spotify.
2026-02-09 If I move I won't have a garden any more.
2026-02-11 I have a garden.
2026-02-20 I have three kids now.
2026-03-01 I wish I lived in Dresden.
2026-03-03 I was born in Genoa.
2026-03-05 My daughter moved to Bristol.
2026-03-08 I opened a second print shop.
2026-03-10 I like hiking.
2026-03-12 I don't like hiking in the rain.
2026-04-01 I cancelled Spotify.
now: print shop; lives in Cork; drinks tea; three kids; has a garden; likes hiking; daughter moved to Bristol; cancelled Spotify
over: two kids; pays for Spotify
`;
