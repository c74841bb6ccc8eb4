/** The form of a line is described in `life-scripts.ts`. */
export const FIRST_LIVES = `
# mara: moves, with dates before the day on which the old home was named
2026-01-04 I live in Lisbon.
2026-01-04 I work as a nurse.
2026-01-10 I'm allergic to peanuts.
2026-01-18 I love pizza.
2026-02-02 My manager is Li.
2026-02-20 I live in Lisbon.
2026-03-05 I moved to Porto last month.
2026-03-09 I play chess and tennis.
2026-03-21 My manager is Sam now.
2026-04-02 I am no longer allergic to peanuts.
2026-04-11 I quit tennis.
2026-04-20 Back then I lived in Faro.
2026-05-01 I started a new job as a teacher.
2026-05-06 My sister lives in Braga.
2026-05-20 I hate pizza now.
2026-06-01 I might move to Madrid.
now: Porto; teacher; no longer allergic; hates pizza; plays chess; Sam; sister lives in Braga
over: lives in Lisbon; works as a nurse; is allergic to peanuts; loves pizza; plays tennis; manager is Li; Faro
# jonas: a chain of five homes and a home said again
2025-01-06 I live in Berlin.
2025-01-06 I'm single.
2025-02-03 My gym is FitHouse.
2025-03-10 I moved to Munich.
2025-04-01 I drive a Golf.
2025-05-12 I moved to Hamburg.
2025-06-02 I'm vegetarian.
2025-07-14 I moved to Cologne.
2025-08-05 I'm engaged.
2025-09-15 I moved to Leipzig.
2025-10-01 I'm vegan now.
2025-10-20 My new gym is Ironworks.
2025-11-03 I moved back to Berlin.
2025-11-20 I got married in November 2025.
2025-12-01 I drive a Corolla now.
2025-12-20 My brother moved to Munich.
2026-01-02 I want to move to Oslo.
now: moved back to Berlin; vegan; Ironworks; married; Corolla; brother moved to Munich
over: moved to Hamburg; moved to Cologne; moved to Leipzig; is vegetarian; FitHouse; single; engaged; Golf
# ana: corrections
2026-02-01 My sister is 30.
2026-02-01 I live in Malmo.
2026-02-03 Actually, I live in Lund, not Malmo.
2026-02-08 My flat has four rooms.
2026-02-09 I was wrong, my flat has three rooms.
2026-02-15 My bank is Sparkasse.
2026-02-16 I misspoke, my bank is Volksbank.
2026-03-01 My exam is on 12 July.
2026-03-04 Actually, my exam is on 21 July.
2026-03-10 I'm lactose intolerant.
2026-03-12 I was wrong, I'm not lactose intolerant.
2026-03-20 Actually, my sister is 31.
2026-04-01 My cat is called Minka.
2026-04-01 Sorry, my cat is called Mira.
2026-04-08 My mother lives in Split.
2026-04-20 I play the cello.
2026-04-21 Actually I play the viola, not the cello.
now: Lund; three rooms; Volksbank; 21 July; not lactose; is 31; Mira; mother lives in Split; viola
over: lives in Malmo; four rooms; Sparkasse; 12 July; is lactose; is 30; Minka; plays the cello
# devon: a team's things, and back to an earlier value
2026-01-05 The staging server is eu-3.
2026-01-05 The default branch is master.
2026-01-07 The project lead is Marta.
2026-01-12 The deadline is 4 May.
2026-01-20 We use Jenkins for our builds.
2026-02-02 The staging server is eu-5.
2026-02-05 The production server is us-1.
2026-02-11 The default branch is main now.
2026-02-20 The staging server is down.
2026-03-02 Go back to the old staging server.
2026-03-10 The deadline is 18 May.
2026-03-12 We no longer use Jenkins.
2026-03-18 The project lead is Oskar.
2026-04-02 In 2023 the project lead was Nils.
2026-04-05 If eu-3 fails, the staging server is eu-9.
2026-04-09 Is the default branch develop?
now: staging server is eu-3; production server is us-1; main; 18 May; no longer use Jenkins; Oskar
over: staging server is eu-5; master; 4 May; others use Jenkins for; Marta
# priya: endings of many kinds
2026-01-03 I smoke.
2026-01-03 I drink coffee every morning.
2026-01-10 I have a parrot.
2026-01-15 I'm learning Italian and Greek.
2026-01-20 I sing in a choir.
2026-02-01 I own a boat and a caravan.
2026-02-10 I'm dating Tom.
2026-02-20 I have a gym membership.
2026-03-01 I quit smoking.
2026-03-05 I gave up coffee.
2026-03-10 I no longer have a parrot.
2026-03-15 I stopped learning Greek.
2026-03-20 I left the choir.
2026-03-25 I sold the caravan.
2026-04-01 I'm not dating Tom anymore.
2026-04-05 I cancelled my gym membership.
2026-04-10 My dad quit drinking.
2026-04-15 I'd sell my boat if the price was right.
now: learning Italian; owns a boat; quit smoking; gave up coffee; left the choir
over: the user smokes; drinks coffee; user has a parrot; is learning Greek; sings in a choir; owns a caravan; is dating Tom; has a gym membership
`;
