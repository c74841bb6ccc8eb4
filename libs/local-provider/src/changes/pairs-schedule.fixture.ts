/** Appointments, trips, habits and money. The form of a line is described in `pairs.fixture.ts`. */
export const SCHEDULE_PAIRS = `
x value | My flight is on 3 June. | My flight is on 5 June now.
x value | My dentist appointment is on Monday. | My dentist appointment is on Thursday now.
x value | I get up at six. | I get up at seven now.
x value | I go to bed at eleven. | I go to bed at ten now.
x value | My bank is Sparkasse. | My bank is Revolut now.
x value | My phone contract is with Vodafone. | My phone contract is with Orange now.
x value | My budget for the trip is 900 euros. | My budget for the trip is 1200 euros now.
x value | I take the bus to work. | I take the train to work now.
x value | My exam is on 12 July. | My exam got moved to 19 July.
x value | My hotel is the Astoria. | My hotel is the Bristol now.
x value | My time zone is CET. | My time zone is EST now.
x ending | I have a meeting with Lea on Friday. | My meeting with Lea on Friday is cancelled.
x ending | I'm saving for a trip to Peru. | I'm no longer saving for a trip to Peru.
x ending | I commute by bike. | I no longer commute by bike.
x ending | I have a student loan. | I paid off my student loan.
x ending | I pay for Spotify. | I cancelled Spotify.
x ending | I want to learn sailing. | I no longer want to learn sailing.
x ending | I plan to visit Japan. | I don't plan to visit Japan anymore.
x ending | I need to renew my passport. | I renewed my passport.
x ending | I have to call the plumber. | I called the plumber.
x ending | I meditate every evening. | I don't meditate anymore.
x ending | I'm going to Oslo in June. | My trip to Oslo is cancelled.
x ending | I owe Ben 50 euros. | I paid Ben back.
x negation | I have a savings account. | I don't have a savings account any more.
x negation | I use public transport. | I don't use public transport any more.
x third | Ana's flight is on 3 June. | Ana's flight is on 6 June now.
x third | My wife takes the bus to work. | My wife takes the tram to work now.
x thing | The garbage is collected on Tuesdays. | The garbage is collected on Fridays now.
x thing | The course starts at nine. | The course starts at ten now.
x half | I commute by bike and meditate every evening. | I no longer commute by bike. | meditate
x half | My flight is on 3 June and my hotel is the Astoria. | My flight is on 5 June now. | Astoria
x correction | My exam is on 12 July. | Actually, my exam is on 21 July.
x correction | My bank is Sparkasse. | I misspoke, my bank is Volksbank.
= same | My flight is on 3 June. | My flight is on 3 June.
= reword | I get up at six. | I still get up at six.
= reword | My bank is Sparkasse. | My bank is still Sparkasse.
~ subject | My flight is on 3 June. | My sister's flight is on 5 June.
~ subject | I get up at six. | My husband gets up at seven.
~ subject | Ana's flight is on 3 June. | Leo's flight is on 6 June.
~ subject | I pay for Spotify. | My flatmate cancelled Spotify.
~ subject | My exam is on 12 July. | Mia's exam got moved to 19 July.
~ subject | The course starts at nine. | The film starts at ten.
~ attribute | My flight is on 3 June. | My flight is at noon.
~ attribute | My bank is Sparkasse. | My insurance is Allianz.
~ attribute | I get up at six. | I start work at seven.
~ attribute | My hotel is the Astoria. | My hotel is near the station.
~ attribute | I'm saving for a trip to Peru. | I'm no longer saving for a car.
~ attribute | My budget for the trip is 900 euros. | My budget for the party is 1200 euros.
~ both | I have a meeting with Lea on Friday. | My meeting with Tom on Friday is cancelled.
~ both | I need to renew my passport. | I renewed my library card.
~ both | I plan to visit Japan. | I plan to visit Korea.
~ both | I meditate every evening. | I read every evening.
~ both | I take the bus to work. | I took the train to Bonn yesterday.
~ both | I have to call the plumber. | I called my mother.
~ condition | My flight is on 3 June. | If there is a strike, my flight is on 5 June.
~ condition | I pay for Spotify. | I'd cancel Spotify if it got more expensive.
~ hypothesis | I get up at six. | I wish I got up at five.
~ hypothesis | My bank is Sparkasse. | Maybe my bank is Revolut soon.
~ hypothesis | I commute by bike. | I could stop commuting by bike.
~ question | My exam is on 12 July. | Is my exam on 19 July?
~ question | I plan to visit Japan. | Why don't I plan to visit Japan anymore?
~ quote | My flight is on 3 June. | The mail said "your flight is on 5 June".
~ quote | I pay for Spotify. | A friend wrote "I cancelled Spotify".
~ joke | I get up at six. | I get up at noon now, just kidding.
~ joke | I have a student loan. | I paid off my student loan in Monopoly money, haha.
~ time | I get up at six. | I got up at nine yesterday.
~ time | My bank is Revolut. | I used to be with Sparkasse.
~ time | I take the bus to work. | When I lived in Bonn I took the tram to work.
~ subject | I owe Ben 50 euros. | Lea paid Ben back.
~ time | I commute by bike. | I didn't commute by bike yesterday.
~ both | I have a yoga class every Monday. | My yoga class is cancelled on 23 November.
`;
