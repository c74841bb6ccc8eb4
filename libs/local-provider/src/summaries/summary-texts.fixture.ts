import { type SummaryText, summaryText } from './summary-text.fixture.js';

/** Texts in ten domains, written before the rules. */
export const SUMMARY_TEXTS: readonly SummaryText[] = [
  summaryText(
    'conversation',
    'work',
    '14 May|two designers|lease|Priya|three more screens',
    'Hey|How are you|Have a great|Haha|Sounds good',
    `# 2026-03-02
Ana: Hey Ben! How are you doing today?
Ben: Hi Ana, I am fine, thanks for asking. How was your weekend?
Ana: It was lovely, thank you! So, about the studio: we hired two designers last week, Greta and Paul.
Ben: Oh wow, that is great news.
Ana: They start on 16 March. I have not signed the lease for the new office yet, because the landlord wants a deposit of 9,000 euros.
Ben: That is a lot. By the way, the launch moves to 14 May, because Priya is on leave until April.
Ana: Okay, I see. Does the client know about it?
Ben: Not yet. I will call them tomorrow.
# 2026-03-05
Ben: Morning! I called the client. They accept the new date, but they want three more screens for the mobile version.
Ana: Haha, of course they do. Then we need another week of design work.
Ben: Yes. I told them that it costs 4,200 euros more, and they agreed.
Ana: Perfect, sounds good. Have a great day!`,
  ),
  summaryText(
    'conversation',
    'home',
    'boiler|340 pounds|Nora|bathroom|January',
    'Good morning|No worries|Bye',
    `# 2026-01-10
Tom: Good morning! It is freezing in here.
Lea: Oh no, what happened?
Tom: The boiler broke yesterday evening. The plumber from Hallway Heating comes on Monday at 8 am.
Lea: We don't have a spare heater, but my sister Nora can lend us one.
Tom: You are the best, thank you so much!
Lea: No worries.
# 2026-01-13
Tom: The boiler is fixed. It cost 340 pounds, and the plumber says that the pump was twelve years old.
Lea: Wow. Is there any warranty on it?
Tom: No, we never paid for the warranty. I would like to replace the whole thing before next winter.
Lea: I agree. Let us also redo the bathroom then, the tiles behind the shower are loose.
Tom: I asked for two offers for the bathroom. One of them wants 7,800 pounds and could begin on 23 February.
Lea: Bye, talk later!`,
  ),
  summaryText(
    'conversation',
    'health',
    'knee|six weeks|half marathon|swimming|physiotherapist',
    'Hello|Take care|lol',
    `# 2026-05-04
Kim: Hello Joe!
Joe: Hi there! How is the training going?
Kim: Not so well. My knee hurts since the run on Saturday, so I stopped training for the half marathon in Leeds.
Joe: Oh no, I am sorry to hear that! Did you see a doctor?
Kim: Yes, Dr. Amadi told me not to run for six weeks. She says that the tendon is inflamed.
Joe: Six weeks is long lol.
Kim: I know. She sent me to a physiotherapist in Garden Street, where I go twice a week from Wednesday.
# 2026-05-12
Kim: Small update: I started swimming instead, three times a week, and the knee is already less swollen.
Joe: That is wonderful to hear!
Kim: I still hope to run the half marathon in October. The organiser moved my ticket for 15 pounds.
Joe: Then I will run it with you. I have not run for two years.
Kim: Take care!`,
  ),
  summaryText(
    'conversation',
    'assistant on food',
    'vegan|gluten|Saturday|chickpea|nine guests',
    'Hi!|You are welcome|Thanks',
    `# 2026-02-14
user: Hi! I need help with a dinner on Saturday.
assistant: Hello! I would be happy to help you with your dinner. What do you have in mind?
user: I cook for nine guests. Two of them are vegan and my brother Felix cannot eat gluten.
assistant: Thank you for telling me. A chickpea curry with rice serves all nine guests and contains neither gluten nor animal products.
user: That sounds delicious. I only have two pots and an old oven that does not go above 200 degrees.
assistant: Then cook the curry in the large pot and the rice in the small one. Start at 5 pm: the curry takes about 70 minutes.
user: And what about dessert? My mother brought me a crate of 30 oranges from Valencia.
assistant: Slice the oranges with cinnamon and dates. It takes 20 minutes and can wait in the fridge.
user: Great. I decided against wine, because my aunt Petra stopped drinking in January.
assistant: A ginger lemonade fits well. Use 150 g of ginger for three litres.
user: Thanks!
assistant: You are welcome! Enjoy your dinner.`,
  ),
  summaryText(
    'conversation',
    'people',
    'Lisbon|Elif|Oslo|90|christening',
    'Hiii|See you|Congratulations',
    `# 2026-06-01
Ida: Hiii Max!
Max: Hi cousin, nice to hear from you.
Ida: Grandma turned 90 on Sunday and all four of us went to Lisbon to see her.
Max: I could not come, because my daughter Elif was born on 30 May. She weighs 3,400 grams.
Ida: Congratulations!!! How is Derya?
Max: Derya is tired but well. She leaves the hospital tomorrow.
Ida: Uncle Ravi never told us anything. He moved to Oslo in 2024 and has a new job at the harbour.
Max: Really? I thought that he still lived in Bergen.
Ida: Grandma wants to see the baby. She cannot fly any more because of her heart.
Max: Then we take the train to Lisbon in August, and the christening is there on the 16th.
Ida: I will tell her tonight. She will be so happy.
Max: See you soon!`,
  ),
  summaryText(
    'conversation',
    'travel',
    'Tokyo|2 September|Kyoto|passport|11 nights',
    'Wow|cool|Good night',
    `# 2026-07-03
Zoe: It is done! We fly to Tokyo on 2 September and stay 11 nights.
Sam: Wow, that is so cool!
Zoe: The flight with a stop in Helsinki cost 780 dollars each.
Sam: I will not take the night train, I booked the hotel in Kyoto for 95 dollars a night instead.
Zoe: Fair enough. How many nights are you in Kyoto?
Sam: Four. Then I join you in Tokyo on the 8th.
# 2026-07-06
Zoe: The visa arrived this morning, but my passport expires in November.
Sam: Is that a problem?
Zoe: The embassy says that it has to be valid for the whole stay only, so it is fine.
Sam: What a relief. Should we get the rail pass?
Zoe: No. It costs 520 dollars and we only take two long trains.
Sam: Okay. Good night!`,
  ),
  summaryText(
    'conversation',
    'hobbies',
    'quilt|cello|choir|Bach|900 francs',
    'Hey|I see|no problem',
    `# 2026-04-11
Eli: Hey Uma, guess what!
Uma: What is it?
Eli: I finished the second quilt yesterday. It took me 140 hours and has 64 squares.
Uma: That is beautiful. I no longer play the cello, you know. I sold it to Pavel for 900 francs.
Eli: Oh. Why is that?
Uma: My left hand does not get better since the accident, and the cello only made me sad.
Eli: I see. You could sing with us instead. Our choir has 32 singers now and we perform Bach in December.
Uma: I have never sung in a choir. When do you meet?
Eli: Every Thursday at seven in Garner Hall. The first month is free.
# 2026-04-17
Uma: I went on Thursday. I am an alto, it seems, and the conductor, Mrs. Oduya, gave me the score of the Magnificat.
Eli: no problem, I knew that you would like it!
Uma: I signed up for the whole season.`,
  ),
  summaryText(
    'journal',
    'study',
    'chemistry|Utrecht|87 percent|tutor',
    'Dear diary|Good night|Anyway',
    `# 2026-10-05
user: Dear diary, what a day. I passed statistics with 87 percent but failed the chemistry exam by two points. Professor Haddad says that I can repeat it on 12 December. I cried in the library for an hour. Anyway, Liv made me tea.
# 2026-10-07
user: I thought about giving up the degree. My father told me to wait until Christmas before I decide anything. I do not want to wait. I like the laboratory, but I hate the lectures at eight in the morning.
# 2026-10-09
user: I switched to the evening course in Utrecht, it begins on 3 November. The train takes 40 minutes and the ticket costs 96 euros a month. I found a tutor for chemistry, too: Marek, who teaches at the Polish school. Good night.
# 2026-10-20
user: Marek explained the buffers to me for the third time, and now I understand them. We meet every Tuesday. I feel calm for the first time since September.`,
  ),
  summaryText(
    'journal',
    'money',
    'rent|1,150|car loan|savings|gym',
    'Phew|Oh well',
    `# 2026-08-20
user: Phew. The letter came today: the rent goes up to 1,150 euros from October, so I cancelled the gym and the magazine. That saves 61 euros a month. I did not sell the Novo shares, because Amy thinks that they recover.
# 2026-08-22
user: I still owe my brother Dev half of the car loan, 6,300 euros, until 2028. He never asks for it. I want to pay him 200 a month from my bonus. Oh well, it has to come from somewhere.
# 2026-08-29
user: The bank offers 3.2% on savings for a year. I moved 4,000 euros there this morning. The rest stays in the current account for the deposit. I am proud that I made a budget at last, in the green notebook.
# 2026-09-05
user: First week with the budget. I spent 83 euros on food, which is 20 less than usual. I walked to work four times and did not buy a single coffee.`,
  ),
  summaryText(
    'journal',
    'health',
    'sleep|coffee|seven hours|psychologist',
    'So yeah|Sigh',
    `# 2026-01-03
user: Sigh. Third night with less than four hours of sleep. I lie awake and count the bells of the church. Today I fell asleep in the meeting with the auditors, and Karin noticed it.
# 2026-01-06
user: I saw Dr. Lindqvist. She says that it is not the thyroid. I have to stop drinking coffee after noon, and I am not allowed to look at the phone in bed. She also gave me the number of a psychologist, Mr. Okafor, who has a place on 27 January.
# 2026-01-15
user: So yeah, no coffee after noon for nine days. The headaches are gone. Last night I slept for seven hours for the first time this year. I put the phone into the kitchen drawer at ten.
# 2026-01-28
user: The first hour with Mr. Okafor was harder than I expected. We spoke about the year in which my mother was ill. He wants me to write down three things every evening, and I agreed to try it until Easter.`,
  ),
  summaryText(
    'document',
    'tech',
    '47 minutes|certificate|renewal|node-3|alert',
    'Table of contents|Confidential',
    `# 2026-09-15
user: Report on the outage of 14 September 2026. Confidential. Table of contents on the next page. The API was unavailable for 47 minutes, from 09:12 to 09:59. The certificate for api.example.test had expired, because nobody renewed it by hand after the automatic renewal failed in August. About 3,100 requests were refused, most of them from the mobile app. No data was lost. The alert about the expiry was sent to a mailbox that is not read since Hugo left the team. Carla renewed the certificate at 09:55 and restarted the gateway on node-3. The renewal runs on all nodes again. Three things follow from this. The alert goes to the on-call channel from now on. A test checks each night that every certificate is valid for at least 21 days. The backup job on node-3, which did not run after the restart, gets a check of its own. Jan is responsible for all three until 30 September.`,
  ),
  summaryText(
    'document',
    'home',
    'heating|quiet hours|deposit|bicycle|rubbish',
    'Welcome|We wish you',
    `# 2026-04-01
user: Rules of the house at 12 Alder Road. Welcome to all new tenants! The heating runs from 1 October to 30 April, between 6 am and 11 pm. Quiet hours are from 10 pm to 7 am and all day on Sundays. Washing machines must not be used in the flats; there are two of them in the cellar, and a coin costs 2 euros. Bicycles belong in the shed behind the house. The bicycle shed is locked with the key of the front door. Rubbish is collected on Tuesdays, paper on every second Friday. The bins must not stand on the pavement before 6 pm of the day before. Pets are allowed after the owner, Mrs. Kessler, has agreed in writing. Each flat pays a deposit of three monthly rents, which is returned within six months after the end of the lease. Broken things are reported to Mr. Adeyemi, the caretaker, who can be reached from Monday to Friday. We wish you a pleasant time in our house.`,
  ),
];
