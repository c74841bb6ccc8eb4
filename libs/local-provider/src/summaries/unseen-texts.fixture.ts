import { type SummaryText, summaryText } from './summary-text.fixture.js';

/** Kept apart until the rules were finished. */
export const UNSEEN_SUMMARY_TEXTS: readonly SummaryText[] = [
  summaryText(
    'conversation',
    'tech',
    'Postgres 17|Tuesday|backup|Carla|read-only',
    'Hi all|thx|cheers',
    `# 2026-09-14
Fay: Hi all!
Jan: Hello Fay, what is up?
Fay: We upgrade to Postgres 17 next Tuesday at 6 am. Redis stays on version 7.
Jan: Is the shop down in the meantime?
Fay: No, it is read-only for about 15 minutes. I tested it twice on the copy.
Jan: thx. One more thing: the backup job is not running on node-3 since Friday.
Fay: Hm, that is bad. Who looks after it?
Jan: Carla restarts it tonight. She thinks that the disk is full, it has only 20 GB left.
Fay: We must not upgrade without a backup. If it fails again, the upgrade moves to 29 September.
Jan: Agreed, cheers.
# 2026-09-15
Jan: Carla deleted the old snapshots, and the backup has finished at 4 am.
Fay: Great, then we upgrade as planned.`,
  ),
  summaryText(
    'conversation',
    'assistant on study',
    'thesis|12,000 words|Friday|interviews|Haddad',
    'Hello|Good luck|Thank you',
    `# 2026-11-02
user: Hello, can you help me plan my thesis?
assistant: Hello! Of course, I would love to help you with that.
user: It is about street markets in Accra. It has to have 12,000 words and Professor Haddad wants the outline by Friday.
assistant: Let us begin with the outline. Five chapters of about 2,400 words each fit the length.
user: I have already done 14 interviews with sellers, but I have not transcribed any of them.
assistant: Transcribe the interviews first. At four hours for each of them you need 56 hours, which is about two weeks.
user: I work at the bakery on Mondays and Saturdays, so I cannot write on these days.
assistant: Then plan the first draft for 11 December and keep the week before Christmas free for corrections.
user: My friend Kojo will read it. He does not speak German, so I write it in English.
assistant: Good luck with your outline!
user: Thank you!`,
  ),
  summaryText(
    'conversation',
    'money',
    '3.2%|Novo|mortgage|290,000|notary',
    'Hey you|Fingers crossed|Night',
    `# 2026-08-20
Amy: Hey you!
Raj: Hey, long time no see.
Amy: I went to the bank today. They offer 3.2% on savings, and a mortgage at 4.1% for ten years.
Raj: Are you buying the flat in Mill Lane after all?
Amy: Yes! The owner came down to 290,000 euros. We meet the notary on 9 September.
Raj: That is fantastic. Did you sell the Novo shares for it?
Amy: I did not sell the Novo shares. My parents lend me 40,000 without interest.
Raj: You are lucky. Mine cannot even pay their own heating.
Amy: I know. I am so sorry about that. Is your father still without work?
Raj: He has a job at the port since July, but only three days a week.
Amy: Fingers crossed for him!
Raj: Night!`,
  ),
  summaryText(
    'journal',
    'people',
    'wedding|Rosa|speech|Cadiz',
    'Ugh|Well',
    `# 2026-05-17
user: Ugh, I still have no dress. The wedding of Rosa and Piet is on 6 June in Cadiz, and I have to give a speech in Spanish. I have not spoken Spanish since school. Rosa says that five minutes are enough.
# 2026-05-24
user: I wrote the first half of the speech. It tells how Rosa drove through the night to bring me home from Ghent when my flat burned down in 2019. I never thanked her for it. Well, now I can.
# 2026-06-08
user: The wedding was the best day of the year. There were 80 people and one donkey. I forgot two lines of the speech and nobody noticed it. Piet's grandmother danced until three in the morning. I met Anselm again, who lives in Ghent now and invited me for August.`,
  ),
  summaryText(
    'journal',
    'hobbies',
    'tomatoes|greenhouse|beans|hail',
    'Hooray|Tired',
    `# 2026-05-02
user: I planted 24 tomatoes today, six of each kind, and two rows of beans along the fence. The soil is still cold. My neighbour Henk says that I am two weeks too early, as every year.
# 2026-05-29
user: Tired. The hail broke eleven panes of the greenhouse last night and killed half of the tomatoes. The beans are fine, because they were under the fleece. The insurance does not pay for glass.
# 2026-06-20
user: Henk gave me nine plants of his own, which he grew for me without telling me. I repaired the greenhouse with plastic panes for 130 euros. Hooray, the first flowers are out.
# 2026-08-16
user: We picked 31 kilos of tomatoes so far. I boiled 40 jars of sauce with Henk, and we sold twelve of them at the church fair for the roof.`,
  ),
  summaryText(
    'document',
    'travel',
    'passport|luggage|Tuesday|insurance|guide',
    'Dear guests|Enjoy',
    `# 2026-03-20
user: Dear guests! Here is all that you need to know about the walking tour in the Tatra mountains from 7 to 15 June 2026. The bus leaves Krakow on Tuesday, 7 June at 8 am from platform 4. Your guide is Agata Zielinska, who speaks English and French. Each day we walk between 12 and 19 km, with at most 900 metres of ascent. Luggage is carried from hut to hut, but one piece must not weigh more than 15 kg. You need a passport or an identity card, because the path crosses the border twice. A travel insurance that pays for mountain rescue is required. Dogs are not allowed in the national park. The price of 1,240 euros includes breakfast and dinner, it does not include drinks and the cable car. Whoever cancels after 1 May pays half of the price. Enjoy your time in the mountains!`,
  ),
];
