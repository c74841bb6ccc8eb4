/**
 * A sentence of the day `saidOn`, and what `words` in it mean: a day or `first..last` with its granularity, or "-" where
 * no single time is named.
 */
export type DateRow = readonly [
  saidOn: string,
  sentence: string,
  words: string,
  days: string,
  granularity: string,
  why: string,
];

/** Rows by class; a line "# class" begins a class. */
export type DateTable = ReadonlyMap<string, readonly DateRow[]>;

function parseTable(text: string): DateTable {
  const sections = text.trim().split(/^# /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [name = '', ...lines] = section.trim().split('\n');
      return [name, lines.map((line) => line.split(' | ') as unknown as DateRow)];
    }),
  );
}

/** The rows that the rules were written with. */
export const DATE_TABLE = parseTable(`
# near day
2024-03-11 | I finally cleaned the attic yesterday. | yesterday | 2024-03-10 | day | the day before
2024-01-01 | Yesterday my flatmate burnt the lentils. | Yesterday | 2023-12-31 | day | over the end of a year
2024-03-01 | We buried the hamster yesterday | yesterday | 2024-02-29 | day | leap day
2023-03-01 | We painted the shed yesterday | yesterday | 2023-02-28 | day | no leap day
2024-02-29 | Tomorrow I'm picking up the keys. | Tomorrow | 2024-03-01 | day | after the leap day
2023-12-31 | tomorrow we will sleep until noon | tomorrow | 2024-01-01 | day | over the end of a year
2024-03-11 | The day before yesterday the boiler broke. | The day before yesterday | 2024-03-09 | day | two days back
2025-01-31 | We're leaving the day after tomorrow. | the day after tomorrow | 2025-02-02 | day | over a month end
2024-03-11 | I baked two loaves today. | today | 2024-03-11 | day | the day itself
2024-03-11 | Today's lecture was about moss. | Today | 2024-03-11 | day | with a genitive s
2024-03-12 | my parents arrive tmrw at noon | tmrw | 2024-03-13 | day | chat spelling of tomorrow
# part of day
2024-03-11 | Last night the neighbours had a row. | Last night | 2024-03-10 | day | the night that began yesterday
2024-03-01 | I hardly slept last night | last night | 2024-02-29 | day | over a month end
2024-03-11 | I had a filling replaced this morning. | this morning | 2024-03-11 | day | today
2024-03-11 | This afternoon I am repotting the ficus. | This afternoon | 2024-03-11 | day | today
2024-03-13 | We're trying the new ramen place tonight | tonight | 2024-03-13 | day | today
2024-03-13 | My brother is performing this evening. | this evening | 2024-03-13 | day | today
2024-03-11 | I had my interview yesterday morning. | yesterday morning | 2024-03-10 | day | part of yesterday
2023-12-31 | The plumber comes tomorrow afternoon. | tomorrow afternoon | 2024-01-01 | day | part of tomorrow
2024-03-14 | The power went out the night before last. | the night before last | 2024-03-12 | day | the night before last night
2024-03-15 | Friday night we went bowling. | Friday night | 2024-03-08 | day | past tense, said on a Friday: today could not be told of as past night
2024-03-11 | Sunday morning I ran my first ten kilometres. | Sunday morning | 2024-03-10 | day | past: the latest Sunday
# weekday by tense
2024-03-11 | I met her on Friday at the gym. | Friday | 2024-03-08 | day | past: the latest
2024-03-11 | I'll return the drill on Friday. | Friday | 2024-03-15 | day | future: the coming one
2024-03-11 | My driving test is on Thursday. | Thursday | 2024-03-14 | day | a present that tells a plan: the coming one
2024-03-13 | Let's meet on Monday. | Monday | 2024-03-18 | day | a proposal looks ahead
2024-03-13 | See you Sunday! | Sunday | 2024-03-17 | day | a farewell looks ahead
2024-03-13 | On Tuesday we adopted a greyhound. | Tuesday | 2024-03-12 | day | past: yesterday is the latest Tuesday
2024-03-16 | We are driving to Ghent on Sunday. | Sunday | 2024-03-17 | day | future: tomorrow is the coming one
2024-03-11 | I have to hand in the essay by Wednesday. | Wednesday | 2024-03-13 | day | a deadline lies ahead
2024-03-15 | I've been ill since Tuesday. | Tuesday | 2024-03-12 | day | since looks back
2024-01-01 | He broke his wrist on Saturday. | Saturday | 2023-12-30 | day | past, over the end of a year
2024-12-30 | The movers come on Thursday. | Thursday | 2025-01-02 | day | ahead, over the end of a year
2024-03-15 | My cousin gets married on Friday. | Friday | 2024-03-22 | day | said on a Friday: today would be called today
2024-03-15 | I lost my keys on Friday. | Friday | 2024-03-08 | day | said on a Friday: today would be called today
2024-03-11 | The shop stays closed until Saturday. | Saturday | 2024-03-16 | day | until looks ahead
2024-03-13 | dentist on mon, could you drive me? | mon | 2024-03-18 | day | short form after "on", ahead
# this weekday
2024-03-11 | This Friday I have my first shift. | This Friday | 2024-03-15 | day | the one of this week
2024-03-16 | We sign the lease this Tuesday. | this Tuesday | 2024-03-19 | day | ahead: this week's is over
2024-03-14 | I saw the surgeon this Monday. | this Monday | 2024-03-11 | day | past: the one of this week
2024-03-11 | This coming Sunday is my recital. | This coming Sunday | 2024-03-17 | day | the coming one
2024-03-13 | This past Saturday I ran the half marathon. | This past Saturday | 2024-03-09 | day | the latest
# last weekday
2024-03-11 | I quit last Friday. | last Friday | 2024-03-08 | day | rule L: the latest before today
2024-03-11 | Last Monday we moved in. | Last Monday | 2024-03-04 | day | never today
2024-03-14 | We had the scan last Tuesday. | last Tuesday | 2024-03-12 | day | rule L
2024-03-16 | I fell down the stairs last Friday. | last Friday | 2024-03-15 | day | rule L
2024-03-17 | last sunday the choir sang in Bruges | last sunday | 2024-03-10 | day | never today
2024-01-01 | We skied last Wednesday. | last Wednesday | 2023-12-27 | day | over the end of a year
2024-03-11 | Last Thursday's storm took our fence. | Last Thursday | 2024-03-07 | day | with a genitive s
2024-03-12 | my gran visited last sat | last sat | 2024-03-09 | day | short form
# next weekday
2024-03-11 | I'm flying to Oslo next Friday. | next Friday | 2024-03-22 | day | rule N: of next week; the coming one is "this Friday"
2024-03-11 | My exam is next Tuesday. | next Tuesday | 2024-03-19 | day | rule N: tomorrow would be tomorrow
2024-03-15 | The course starts next Monday. | next Monday | 2024-03-18 | day | rule N, both readings agree
2024-03-15 | We are hosting dinner next Saturday. | next Saturday | 2024-03-23 | day | rule N
2024-03-13 | Next Wednesday I turn forty. | Next Wednesday | 2024-03-20 | day | a week from today
2024-03-17 | They operate next Thursday. | next Thursday | 2024-03-21 | day | rule N: weeks begin on Monday
2024-12-27 | My visa runs out next Thursday. | next Thursday | 2025-01-02 | day | over the end of a year
2024-03-14 | gonna see the vet next fri | next fri | 2024-03-22 | day | short form, rule N
# weekday composed
2024-03-11 | We met the Friday before last. | the Friday before last | 2024-03-01 | day | one before last Friday
2024-03-11 | We leave on Friday next week. | Friday next week | 2024-03-22 | day | told plainly
2024-03-13 | The kitten arrived Tuesday last week. | Tuesday last week | 2024-03-05 | day | told plainly
2024-03-13 | I gave notice on Thursday of last week. | Thursday of last week | 2024-03-07 | day | told plainly
2024-03-11 | The hearing is a week from Friday. | a week from Friday | 2024-03-22 | day | seven days after the coming Friday
2024-03-11 | I passed my exam two Fridays ago. | two Fridays ago | 2024-03-01 | day | the latest is one Friday ago
2024-03-11 | The audit happens a week from today. | a week from today | 2024-03-18 | day | exactly seven days
2024-03-13 | We met a week ago today. | a week ago today | 2024-03-06 | day | exactly seven days
2024-03-11 | On Friday, March 15, we sign the papers. | Friday, March 15 | 2024-03-15 | day | weekday and date name one day
2024-03-11 | It took place on Saturday 2 March. | Saturday 2 March | 2024-03-02 | day | weekday and date name one day
# weekend
2024-03-11 | We visited the castle last weekend. | last weekend | 2024-03-09..2024-03-10 | weekend | the one that is just over
2024-03-13 | Last weekend I repaired the gutter. | Last weekend | 2024-03-09..2024-03-10 | weekend | the latest that is over
2024-03-17 | I was in Lyon last weekend. | last weekend | 2024-03-09..2024-03-10 | weekend | said on a weekend: the one before
2024-03-15 | I'm camping this weekend. | this weekend | 2024-03-16..2024-03-17 | weekend | the coming one
2024-03-16 | I'm at my sister's this weekend. | this weekend | 2024-03-16..2024-03-17 | weekend | the one that is on
2024-03-11 | This weekend we finally saw the comet. | This weekend | 2024-03-09..2024-03-10 | weekend | past tense, said on a Monday
2024-03-11 | We are hiking in Wales next weekend. | next weekend | 2024-03-23..2024-03-24 | weekend | rule N: of next week
2024-03-17 | Next weekend my parents visit. | Next weekend | 2024-03-23..2024-03-24 | weekend | the coming one, both readings agree
2024-03-15 | I'll tidy the garage next weekend. | next weekend | 2024-03-23..2024-03-24 | weekend | rule N
2024-03-12 | This past weekend my tent leaked. | This past weekend | 2024-03-09..2024-03-10 | weekend | the latest that is over
2024-03-11 | Over the weekend I read three novels. | Over the weekend | 2024-03-09..2024-03-10 | weekend | past: the latest
2024-03-14 | We'll move the piano over the weekend. | over the weekend | 2024-03-16..2024-03-17 | weekend | ahead: the coming one
2024-03-13 | We went sailing the weekend before last. | the weekend before last | 2024-03-02..2024-03-03 | weekend | one before last weekend
2024-03-13 | I helped him move two weekends ago. | two weekends ago | 2024-03-02..2024-03-03 | weekend | the latest is one weekend ago
2024-01-01 | last weekend we roasted chestnuts | last weekend | 2023-12-30..2023-12-31 | weekend | over the end of a year
2024-09-02 | Our club regatta was last weekend. | last weekend | 2024-08-31..2024-09-01 | weekend | across months
# week
2024-03-11 | I caught a cold last week. | last week | 2024-03-04..2024-03-10 | week | the calendar week before
2024-03-17 | Last week I sold my bike. | Last week | 2024-03-04..2024-03-10 | week | weeks end on Sunday
2024-03-15 | I start at the bakery next week. | next week | 2024-03-18..2024-03-24 | week | the calendar week after
2024-03-13 | This week I am house-sitting. | This week | 2024-03-11..2024-03-17 | week | the calendar week
2024-03-14 | Earlier this week the cat had kittens. | this week | 2024-03-11..2024-03-17 | week | the calendar week; earlier stays vague
2024-01-01 | last week I didn't leave the sofa | last week | 2023-12-25..2023-12-31 | week | over the end of a year
2024-02-29 | We get the results next week. | next week | 2024-03-04..2024-03-10 | week | over a month end
2024-03-11 | The week before last I was in Turin. | The week before last | 2024-02-26..2024-03-03 | week | one before last week
2024-03-11 | The inspection is the week after next. | the week after next | 2024-03-25..2024-03-31 | week | one after next week
2024-03-13 | The baby was born two weeks ago. | two weeks ago | 2024-02-26..2024-03-03 | week | the calendar week 14 days back
2024-03-13 | I stopped smoking a week ago. | a week ago | 2024-03-04..2024-03-10 | week | the calendar week 7 days back
2024-03-15 | My brace comes off in two weeks. | in two weeks | 2024-03-25..2024-03-31 | week | the calendar week 14 days on
2024-03-15 | The exhibition opens three weeks from now. | three weeks from now | 2024-04-01..2024-04-07 | week | the calendar week 21 days on
2025-01-31 | He came back a couple of weeks ago. | a couple of weeks ago | 2025-01-13..2025-01-19 | week | a couple is two
2024-03-11 | We'll have the keys in a week's time. | in a week's time | 2024-03-18..2024-03-24 | week | seven days on
2024-07-10 | Ana was in Rome in the week of 3 June 2024. | the week of 3 June 2024 | 2024-06-03..2024-06-09 | week | how a resolved week is written
2024-07-10 | We harvested in the week of June 12. | the week of June 12 | 2024-06-10..2024-06-16 | week | the week that holds the day
2024-03-12 | About three weeks ago my hard disk died. | three weeks ago | 2024-02-19..2024-02-25 | week | about leaves the week
# n days
2024-03-11 | I planted the bulbs three days ago. | three days ago | 2024-03-08 | day | counted
2024-03-02 | the parcel came 2 days ago | 2 days ago | 2024-02-29 | day | leap day
2024-01-01 | We got engaged ten days ago. | ten days ago | 2023-12-22 | day | over the end of a year
2024-03-13 | The warranty ends in five days. | in five days | 2024-03-18 | day | ahead
2025-01-31 | Registration closes in 30 days. | in 30 days | 2025-03-02 | day | counted over February
2024-03-11 | A couple of days ago I saw an otter. | A couple of days ago | 2024-03-09 | day | a couple is two
2024-03-11 | My passport expires four days from now. | four days from now | 2024-03-15 | day | ahead
2024-03-14 | She called a day ago. | a day ago | 2024-03-13 | day | yesterday
2024-03-31 | We sowed the beans 21 days ago. | 21 days ago | 2024-03-10 | day | counted
# month
2024-03-11 | I changed jobs last month. | last month | 2024-02-01..2024-02-29 | month | the calendar month before
2024-03-31 | Last month I ran every day. | Last month | 2024-02-01..2024-02-29 | month | said on the 31st: still February
2025-01-31 | We're renovating the bath next month. | next month | 2025-02-01..2025-02-28 | month | said on the 31st: still February
2024-01-01 | I got my licence last month. | last month | 2023-12-01..2023-12-31 | month | over the end of a year
2024-12-10 | Next month I turn thirty. | Next month | 2025-01-01..2025-01-31 | month | over the end of a year
2024-03-11 | This month I am giving up sugar. | This month | 2024-03-01..2024-03-31 | month | the calendar month
2024-03-11 | We broke up two months ago. | two months ago | 2024-01-01..2024-01-31 | month | as exact as the unit
2024-05-31 | The rent went up three months ago. | three months ago | 2024-02-01..2024-02-29 | month | the 31st has no day there
2024-03-11 | A couple of months ago I took up fencing. | A couple of months ago | 2024-01-01..2024-01-31 | month | a couple is two
2024-03-11 | a month ago we had snow | a month ago | 2024-02-01..2024-02-29 | month | as exact as the unit
2024-08-31 | My contract ends in six months. | in six months | 2025-02-01..2025-02-28 | month | the 31st has no day there
2024-03-11 | The month before last was rainy, so we stayed in. | The month before last | 2024-01-01..2024-01-31 | month | one before last month
2024-03-11 | Half a year ago I could not swim. | Half a year ago | 2023-09-01..2023-09-30 | month | six months
2024-03-11 | A year and a half ago I lived in Graz. | A year and a half ago | 2022-09-01..2022-09-30 | month | eighteen months
# named month
2024-03-11 | We got married in May. | in May | 2023-05-01..2023-05-31 | month | past: the latest
2024-03-11 | My lease ends in August. | in August | 2024-08-01..2024-08-31 | month | ahead: the coming one
2024-03-11 | I started violin lessons in March. | in March | 2024-03-01..2024-03-31 | month | past, said in March: this month
2024-10-15 | We'll be parents in February. | in February | 2025-02-01..2025-02-28 | month | ahead, next year
2025-01-31 | He retired in December. | in December | 2024-12-01..2024-12-31 | month | past, last year
2024-03-11 | I visited Peru last August. | last August | 2023-08-01..2023-08-31 | month | the latest that is over
2024-03-11 | Last March we still lived abroad. | Last March | 2023-03-01..2023-03-31 | month | said in March: not this month
2024-10-15 | She graduated last June. | last June | 2024-06-01..2024-06-30 | month | the latest that is over
2024-03-11 | The bridge reopens next September. | next September | 2024-09-01..2024-09-30 | month | the nearest that has not begun
2024-10-15 | Next April I am taking a sabbatical. | Next April | 2025-04-01..2025-04-30 | month | the nearest that has not begun
2024-03-11 | This June the twins finish school. | This June | 2024-06-01..2024-06-30 | month | the June of this year
2024-03-11 | I moved to Leeds in April 2022. | in April 2022 | 2022-04-01..2022-04-30 | month | told plainly
2024-03-11 | Ana sold the car in April 2026. | in April 2026 | 2026-04-01..2026-04-30 | month | how a resolved month is written
2024-03-11 | The shop has been shut since November. | since November | 2023-11-01..2023-11-30 | month | since looks back
2024-03-11 | We need new tyres by October. | by October | 2024-10-01..2024-10-31 | month | a deadline lies ahead
2024-10-15 | In early July I twisted my knee. | early July | 2024-07-01..2024-07-31 | month | the month; early stays vague
2024-03-11 | The roses bloomed in late Sept 2023. | late Sept 2023 | 2023-09-01..2023-09-30 | month | short form
2024-03-11 | Back in January, my laptop died. | in January | 2024-01-01..2024-01-31 | month | past: the latest
# season
2024-03-11 | Last summer we cycled along the Danube. | Last summer | 2023-06-01..2023-08-31 | season | the latest that is over
2024-07-10 | Last summer I worked as a lifeguard. | Last summer | 2023-06-01..2023-08-31 | season | said in summer: the one before
2024-10-15 | We built the deck last summer. | last summer | 2024-06-01..2024-08-31 | season | the latest that is over
2024-03-11 | Last fall I adopted a rescue dog. | Last fall | 2023-09-01..2023-11-30 | season | the latest that is over
2024-10-15 | I ran my first marathon last fall. | last fall | 2023-09-01..2023-11-30 | season | said in autumn: the one before
2024-03-11 | Last winter was mild. | Last winter | 2023-12-01..2024-02-29 | season | just over; it ends in a leap year
2025-01-15 | Last winter we had no heating. | Last winter | 2023-12-01..2024-02-29 | season | said in winter: the one before
2024-07-10 | She graduated last spring. | last spring | 2024-03-01..2024-05-31 | season | the latest that is over
2024-10-15 | Next summer we are walking the Camino. | Next summer | 2025-06-01..2025-08-31 | season | the nearest that has not begun
2024-03-11 | I'm saving for a trip next winter. | next winter | 2024-12-01..2025-02-28 | season | the nearest that has not begun
2024-03-11 | He starts college next fall. | next fall | 2024-09-01..2024-11-30 | season | the nearest that has not begun
2024-03-11 | Next summer my band tours Spain. | Next summer | 2024-06-01..2024-08-31 | season | the nearest that has not begun
2024-03-11 | This summer we're staying home. | This summer | 2024-06-01..2024-08-31 | season | the one of this year
2024-10-15 | This summer I learned to surf. | This summer | 2024-06-01..2024-08-31 | season | past: just over
2024-12-10 | This winter I will learn to knit. | This winter | 2024-12-01..2025-02-28 | season | the one that is on
2024-07-10 | This past spring our cellar flooded. | This past spring | 2024-03-01..2024-05-31 | season | the latest that is over
2024-03-11 | We met in the summer of 2019. | the summer of 2019 | 2019-06-01..2019-08-31 | season | told plainly
2024-03-11 | Ana hiked the Alps in autumn 2021. | autumn 2021 | 2021-09-01..2021-11-30 | season | how a resolved season is written
2024-03-11 | We're moving to Leeds in the autumn. | in the autumn | 2024-09-01..2024-11-30 | season | ahead: the coming one
2024-03-11 | They got divorced in the spring. | in the spring | 2023-03-01..2023-05-31 | season | past, said in the first days of spring
# year
2024-03-11 | My dad died last year. | last year | 2023-01-01..2023-12-31 | year | the calendar year before
2024-01-01 | Last year I read sixty books. | Last year | 2023-01-01..2023-12-31 | year | said on 1 January
2023-12-31 | Next year I want to learn Greek. | Next year | 2024-01-01..2024-12-31 | year | said on 31 December
2024-02-29 | This year we grow our own tomatoes. | This year | 2024-01-01..2024-12-31 | year | the calendar year
2024-02-29 | We bought the boat four years ago. | four years ago | 2020-01-01..2020-12-31 | year | as exact as the unit
2024-03-11 | a year ago I could not walk | a year ago | 2023-01-01..2023-12-31 | year | as exact as the unit
2024-03-11 | I was diagnosed 12 years ago. | 12 years ago | 2012-01-01..2012-12-31 | year | as exact as the unit
2024-03-11 | My mortgage ends in three years. | in three years | 2027-01-01..2027-12-31 | year | ahead
2024-03-11 | I have lived here since 2015. | since 2015 | 2015-01-01..2015-12-31 | year | told plainly
2024-03-11 | We emigrated in 1998. | in 1998 | 1998-01-01..1998-12-31 | year | told plainly
2024-03-11 | The year before last we lost the orchard. | The year before last | 2022-01-01..2022-12-31 | year | one before last year
2024-03-11 | Last year's harvest was poor. | Last year | 2023-01-01..2023-12-31 | year | with a genitive s
2024-03-11 | I want to be debt-free by 2027. | by 2027 | 2027-01-01..2027-12-31 | year | told plainly
# explicit day
2024-03-11 | I was born on 9 May 1991. | 9 May 1991 | 1991-05-09 | day | told plainly
2024-03-11 | The vows were on May 9th, 2021. | May 9th, 2021 | 2021-05-09 | day | told plainly
2024-03-11 | We moved in on the 3rd of February. | the 3rd of February | 2024-02-03 | day | past: the latest
2024-03-11 | My flight leaves on 12 April. | 12 April | 2024-04-12 | day | ahead
2024-03-11 | We close on June 4. | June 4 | 2024-06-04 | day | ahead
2024-10-15 | The hearing is on Feb. 3. | Feb. 3 | 2025-02-03 | day | ahead, next year
2025-01-31 | I sold the van on December 28. | December 28 | 2024-12-28 | day | past, last year
2024-03-11 | My son was born on February 29, 2020. | February 29, 2020 | 2020-02-29 | day | leap day
2024-03-11 | I have to file the taxes by 15 April. | 15 April | 2024-04-15 | day | a deadline lies ahead
2024-03-11 | The talk is on the twenty-first of June. | the twenty-first of June | 2024-06-21 | day | in words
2024-03-11 | The hotel is booked from June 3 to June 5. | June 3 | 2024-06-03 | day | where it begins
2024-03-11 | The hotel is booked from June 3 to June 5. | June 5 | 2024-06-05 | day | where it ends
2024-03-11 | The fair runs June 3-5. | June 3-5 | 2024-06-03..2024-06-05 | day | three days
2024-03-11 | She proposed on 14th Feb 2023 in Nice. | 14th Feb 2023 | 2023-02-14 | day | short form
# arranged ahead
2026-05-12 | She got a deadline on 1 November. | 1 November | 2026-11-01 | day | a deadline that was given lies ahead
2026-05-12 | My supervisor gave me a deadline of 1 November. | 1 November | 2026-11-01 | day | a deadline that was given lies ahead
2026-05-12 | I was given a deadline on 1 November for the thesis. | 1 November | 2026-11-01 | day | in the passive
2026-05-12 | We agreed on a deadline on 1 November. | 1 November | 2026-11-01 | day | agreed on
2026-05-12 | I got an appointment on 20 June. | 20 June | 2026-06-20 | day | an appointment that was got lies ahead
2026-05-12 | We booked a flight for 3 December. | 3 December | 2026-12-03 | day | booked for
2026-05-12 | I registered for a race on 4 October. | 4 October | 2026-10-04 | day | registered for what is on a day
2026-05-12 | I signed up for the exam on 1 November. | 1 November | 2026-11-01 | day | signed up for what is on a day
2026-05-12 | The dentist moved my appointment to 20 June. | 20 June | 2026-06-20 | day | moved to
2026-05-12 | They postponed the wedding until 20 June. | 20 June | 2026-06-20 | day | postponed until
2026-05-12 | They scheduled the demo for Thursday. | Thursday | 2026-05-14 | day | weekdays too
2026-05-12 | We missed the deadline on 1 November. | 1 November | 2025-11-01 | day | missed: it is over
2026-05-12 | We had a deadline on 1 November. | 1 November | 2025-11-01 | day | had: it is over
2026-05-12 | I handed it in before the deadline on 1 November. | 1 November | 2025-11-01 | day | before a deadline that is over
2026-05-12 | I booked the hotel on 3 April. | 3 April | 2026-04-03 | day | the day of the booking
2026-05-12 | I got an award on 20 June. | 20 June | 2025-06-20 | day | an award is got on its day
2026-05-12 | We gave a party for 3 March and cleaned up on 5 March. | 5 March | 2026-03-05 | day | another verb is between
2026-05-12 | I got an appointment and went there on 20 June. | 20 June | 2025-06-20 | day | another verb is between
2026-05-12 | I moved to 20 Oak Street on 5 March. | 5 March | 2026-03-05 | day | moved, but not an event
# day of month
2024-03-11 | I get paid on the 25th. | the 25th | 2024-03-25 | day | ahead: of this month
2024-03-11 | I saw the notary on the 5th. | the 5th | 2024-03-05 | day | past: of this month
2024-03-11 | We argued on the 28th. | the 28th | 2024-02-28 | day | past: of the month before
2024-03-11 | The rent is due on the 1st. | the 1st | 2024-04-01 | day | ahead: of the month after
2025-01-31 | Our tour ends on the 30th. | the 30th | 2025-03-30 | day | ahead: February has none
2023-12-31 | The sale begins on the 2nd. | the 2nd | 2024-01-02 | day | ahead, over the end of a year
# numeric
2024-03-11 | The invoice is dated 2024-02-28. | 2024-02-28 | 2024-02-28 | day | ISO
2024-03-11 | I signed on 3/4/2024. | 3/4/2024 | 2024-03-04 | day | rule M: month first
2024-03-11 | We met on 13/4/2023. | 13/4/2023 | 2023-04-13 | day | only the day can be 13
2024-03-11 | The recall covers 12/31/2023. | 12/31/2023 | 2023-12-31 | day | only the day can be 31
2024-03-11 | Our anniversary dinner is on 3/22. | 3/22 | 2024-03-22 | day | after "on", ahead
2024-03-11 | Der Vertrag, I mean the contract, began on 24.2.2024. | 24.2.2024 | 2024-02-24 | day | dots: day first
2024-03-11 | Log entry 2024/03/01: replaced the filter. | 2024/03/01 | 2024-03-01 | day | year first
# written by us
2024-07-10 | Ana visited the fort on the weekend of 6 May 2023. | the weekend of 6 May 2023 | 2023-05-06..2023-05-07 | weekend | how a resolved weekend is written
2024-07-10 | Ana ran on 8 May 2023 (morning). | 8 May 2023 | 2023-05-08 | day | how a resolved morning is written
2024-03-11 | Yesterday (10 March 2024) I ran. | Yesterday | 2024-03-10 | day | explained already
2024-03-11 | Yesterday (10 March 2024) I ran. | 10 March 2024 | 2024-03-10 | day | an explanation
# negative
2024-03-11 | You may want to sit down. | may | - | - | the verb
2024-03-11 | May I borrow your ladder? | May | - | - | the verb, capitalised
2024-03-11 | I may have 3 sisters, but no brothers. | may | - | - | the verb before a number further on
2024-03-11 | They march every time the king dies. | march | - | - | the verb
2024-03-11 | The soldiers march 20 miles a day. | march 20 | - | - | the verb before a number
2024-03-11 | Mr. April teaches us pottery. | April | - | - | a name
2024-03-11 | My sister April plays the harp. | April | - | - | a name
2024-03-11 | June called and wants her pan back. | June | - | - | a name
2024-03-11 | I got a lovely card from June. | June | - | - | a name after from
2024-03-11 | August heat makes me grumpy. | August | - | - | any August
2024-03-11 | Wait a second, I need my glasses. | second | - | - | a moment
2024-03-11 | My second cousin breeds llamas. | second | - | - | an order
2024-03-11 | I came second in March madness trivia. | second | - | - | a place
2024-03-11 | We sat by the fire all evening. | sat | - | - | past of sit
2024-03-11 | I sat next to Tom. | sat | - | - | past of sit
2024-03-11 | The sun was blinding on the water. | sun | - | - | the star
2024-03-11 | I saw the last sun rays over the bay. | last sun | - | - | the star
2024-03-11 | I wed my best friend in a barn. | wed | - | - | the verb
2024-03-11 | I always fall asleep on trains. | fall | - | - | the verb
2024-03-11 | My last fall broke two ribs. | last fall | - | - | a tumble
2024-03-11 | He makes great spring rolls. | spring | - | - | food
2024-03-11 | The last spring in the mattress snapped. | last spring | - | - | a coil
2024-03-11 | The last time I saw him he had a beard. | last time | - | - | an occasion
2024-03-11 | The pharmacy is next to the bank. | next | - | - | beside
2024-03-11 | My next door neighbour keeps bees. | next | - | - | beside
2024-03-11 | I'd love a day off. | day off | - | - | a duration
2024-03-11 | Never put things off to the last day. | last day | - | - | of whatever it is
2024-03-11 | I upgraded to version 3.4 of the editor. | 3.4 | - | - | a version
2024-03-11 | Node 20.11.1 fixed the leak. | 20.11.1 | - | - | a version
2024-03-11 | The server runs v2.10.24 at 10.0.3.24. | 2.10.24 | - | - | a version and an address
2024-03-11 | Dinner is at 5. | at 5 | - | - | a time of day
2024-03-11 | The alarm rings at 6:30 am. | at 6:30 am | - | - | a time of day
2024-03-11 | The shop is open 24/7. | 24/7 | - | - | always
2024-03-11 | Add 1/2 cup of sugar. | 1/2 cup | - | - | a fraction
2024-03-11 | About 3/4 of the class had flu. | 3/4 | - | - | a fraction
2024-03-11 | We split the bill 50/50. | 50/50 | - | - | a share
2024-03-11 | I give the film 9/10. | 9/10 | - | - | a mark
2024-03-11 | I go swimming every Friday. | every Friday | - | - | a habit
2024-03-11 | I volunteer on Saturdays. | Saturdays | - | - | a habit
2024-03-11 | We play cards on Friday nights. | Friday nights | - | - | a habit
2024-03-11 | The club meets on the last Friday of every month. | last Friday | - | - | a habit
2024-03-11 | I call my mum every other Sunday. | every other Sunday | - | - | a habit
2024-03-11 | I bought a drone, and it crashed the next day. | the next day | - | - | counted from something else
2024-03-11 | The following week she resigned. | The following week | - | - | counted from something else
2024-03-11 | Two weeks before the wedding he vanished. | Two weeks before | - | - | counted from something else
2024-03-11 | They divorced three years later. | three years later | - | - | counted from something else
2024-03-11 | The next month she was promoted. | The next month | - | - | counted from something else
2024-03-11 | I wrote the thesis in two months. | in two months | - | - | how long it took
2024-03-11 | I have been dieting for three weeks. | three weeks | - | - | a duration
2024-03-11 | I slept badly over the last two weeks. | last two weeks | - | - | a span up to now
2024-03-11 | I gave two weeks notice. | two weeks | - | - | a duration
2024-03-11 | I run twice a week. | a week | - | - | a rate
2024-03-11 | The other day I found a coin. | The other day | - | - | no one day
2024-03-11 | I moved here a few months ago. | a few months ago | - | - | vague on purpose
2024-03-11 | Several years ago I smoked. | Several years ago | - | - | vague on purpose
2024-03-11 | I saw her recently. | recently | - | - | vague on purpose
2024-03-11 | Long ago I spoke Finnish. | Long ago | - | - | vague on purpose
2024-03-11 | Two hours ago the bell rang. | Two hours ago | - | - | finer than a day
2024-03-11 | I'll call you in ten minutes. | in ten minutes | - | - | finer than a day
2024-03-11 | The lecture took place on the 5th floor. | the 5th | - | - | a storey
2024-03-11 | This is the 3rd time the toaster failed. | the 3rd | - | - | an order
2024-03-11 | My street is 5th Avenue. | 5th | - | - | a street
2024-03-11 | I have read 1984 twice. | 1984 | - | - | a title
2024-03-11 | We did it in 2000 steps. | in 2000 | - | - | a number
2024-03-11 | My PIN is not 2024. | 2024 | - | - | a number
2024-03-11 | I love music of the 1990s. | 1990s | - | - | ten years
2024-03-11 | I love skiing in winter. | in winter | - | - | any winter
2024-03-11 | My birthday is in the summer holidays. | the summer holidays | - | - | any year
2024-03-11 | I wore my Sunday best. | Sunday | - | - | an idiom
2024-03-11 | On Black Friday I avoid shops. | Black Friday | - | - | a day of any year
2024-03-11 | I hate the Monday blues. | Monday | - | - | any Monday
2024-03-11 | The weekend house has a leak. | weekend | - | - | a kind of house
2024-03-11 | I work on weekends. | weekends | - | - | a habit
2024-03-11 | My number is 555-12-1999 or so. | 555-12-1999 | - | - | a telephone number
2024-03-11 | The ratio was 3-4-5 in the triangle. | 3-4-5 | - | - | numbers
2024-03-11 | He is 31 and I am 13. | 31 | - | - | ages
2024-03-11 | I march on, one step at a time. | march | - | - | the verb
2024-03-11 | There are 30 days in this photo challenge, day 12 was hard. | day 12 | - | - | a number
2024-03-11 | The band is called Yesterdays. | Yesterdays | - | - | a name
`);

/** Rows that were written before the rules and compared after them. */
export const HELD_OUT_TABLE = parseTable(`
# near day
2025-06-18 | Did you hear that thunder yesterday evening? | yesterday evening | 2025-06-17 | day | -
2024-12-31 | Starting tomorrow, I wake up at six. | tomorrow | 2025-01-01 | day | -
2025-11-01 | Today I'm carving the last pumpkin. | Today | 2025-11-01 | day | -
2025-02-28 | I went to bed early last night because of my migraine. | last night | 2025-02-27 | day | -
# weekday
2025-06-18 | I handed in my badge on Monday and never looked back. | Monday | 2025-06-16 | day | -
2025-06-18 | Mum is coming over on Saturday with the twins. | Saturday | 2025-06-21 | day | -
2025-11-01 | We have tickets for Thursday. | Thursday | 2025-11-06 | day | -
2024-12-31 | I will hear back from them by Friday. | Friday | 2025-01-03 | day | -
2025-06-18 | Sunday was the best day of my holiday. | Sunday | 2025-06-15 | day | -
2025-06-18 | The kids have been off school since last Thursday. | last Thursday | 2025-06-12 | day | -
2025-11-01 | Next Tuesday is my first chemo session. | Next Tuesday | 2025-11-04 | day | -
2025-06-18 | We've got the survey next Monday. | next Monday | 2025-06-23 | day | -
2025-06-18 | Are you free this Thursday? | this Thursday | 2025-06-19 | day | -
2025-02-28 | I can't make it on Tuesday, sorry. | Tuesday | 2025-03-04 | day | -
2025-06-18 | On Saturday night my band played its first gig. | Saturday night | 2025-06-14 | day | -
# weekend
2025-06-18 | How was your hike last weekend? | last weekend | 2025-06-14..2025-06-15 | weekend | -
2025-06-18 | We're off to the coast this weekend. | this weekend | 2025-06-21..2025-06-22 | weekend | -
2025-11-01 | I'm running a stall next weekend. | next weekend | 2025-11-08..2025-11-09 | weekend | -
2025-06-18 | At the weekend I finally fixed the bike. | the weekend | 2025-06-14..2025-06-15 | weekend | -
# week
2025-06-18 | The roof was repaired three weeks ago. | three weeks ago | 2025-05-26..2025-06-01 | week | -
2025-11-01 | My new passport came last week. | last week | 2025-10-20..2025-10-26 | week | -
2025-06-18 | She's having surgery in a couple of weeks. | in a couple of weeks | 2025-06-30..2025-07-06 | week | -
2024-12-31 | Next week we start couples therapy. | Next week | 2025-01-06..2025-01-12 | week | -
2025-06-18 | I've been feeling low this week. | this week | 2025-06-16..2025-06-22 | week | -
# n days
2024-12-31 | Eight days ago we got the diagnosis. | Eight days ago | 2024-12-23 | day | -
2025-02-28 | We fly back in two days. | in two days | 2025-03-02 | day | -
# month
2024-12-31 | I'm changing schools next month. | next month | 2025-01-01..2025-01-31 | month | -
2025-11-01 | Ten months ago I was still in hospital. | Ten months ago | 2025-01-01..2025-01-31 | month | -
2025-02-28 | Our lodger moves out in one month. | in one month | 2025-03-01..2025-03-31 | month | -
2025-06-18 | Later this month we are hosting an exchange student. | this month | 2025-06-01..2025-06-30 | month | -
# named month
2025-06-18 | I had my tonsils out in October. | in October | 2024-10-01..2024-10-31 | month | -
2025-06-18 | The conference takes place in November in Riga. | in November | 2025-11-01..2025-11-30 | month | -
2025-11-01 | I'll be back at work in mid-January. | mid-January | 2026-01-01..2026-01-31 | month | -
2025-06-18 | My sister had her first baby last February. | last February | 2025-02-01..2025-02-28 | month | -
2025-06-18 | I joined the firm in September 2018. | September 2018 | 2018-09-01..2018-09-30 | month | -
# season
2025-11-01 | This fall I taught my son to ride. | This fall | 2025-09-01..2025-11-30 | season | -
2025-06-18 | We had the chimney redone last autumn. | last autumn | 2024-09-01..2024-11-30 | season | -
2025-06-18 | We are planning to sail to Corsica next spring. | next spring | 2026-03-01..2026-05-31 | season | -
2025-06-18 | He proposed in the winter of 2020. | the winter of 2020 | 2020-12-01..2021-02-28 | season | -
# year
2025-06-18 | Five years ago we sold the farm. | Five years ago | 2020-01-01..2020-12-31 | year | -
2025-06-18 | I got into Berkeley for next year. | next year | 2026-01-01..2026-12-31 | year | -
2025-06-18 | My grandparents met in 1951 at a dance. | in 1951 | 1951-01-01..1951-12-31 | year | -
# explicit day
2025-06-18 | The party on July 12th is cancelled, so we will meet at home. | July 12th | 2025-07-12 | day | -
2025-06-18 | My daughter was born on the 30th of November 2016. | the 30th of November 2016 | 2016-11-30 | day | -
2025-06-18 | He started his new job on June 2nd. | June 2nd | 2025-06-02 | day | -
2025-11-01 | Their wedding is on January 17, 2026. | January 17, 2026 | 2026-01-17 | day | -
2025-06-18 | I have a flight on 1 July at 9:40. | 1 July | 2025-07-01 | day | -
# day of month
2025-06-18 | The course begins on the 30th. | the 30th | 2025-06-30 | day | -
# numeric
2025-06-18 | Receipt from 06/02/2025: two chairs. | 06/02/2025 | 2025-06-02 | day | -
# negative
2025-06-18 | It may rain, so bring boots. | may | - | - | -
2025-06-18 | My cat April had 4 kittens. | April | - | - | -
2025-06-18 | We had spring onions and rice. | spring | - | - | -
2025-06-18 | She fell for the second time. | second | - | - | -
2025-06-18 | I read about 5 books a month. | a month | - | - | -
2025-06-18 | He works Monday to Friday. | Monday | - | - | -
2025-06-18 | Every summer we rent the same cottage. | summer | - | - | -
2025-06-18 | I finished the puzzle in three days. | in three days | - | - | -
2025-06-18 | The bus leaves at 7.45 sharp. | 7.45 | - | - | -
2025-06-18 | My blood pressure was 120/80. | 120/80 | - | - | -
2025-06-18 | I wear a size 8 1/2 shoe. | 8 1/2 | - | - | -
2025-06-18 | My favourite day is Saturday. | Saturday | - | - | -
2025-06-18 | After the next week of the programme I felt better. | the next week | - | - | -
2025-06-18 | Room 3/4/12 is locked. | 3/4/12 | - | - | -
2025-06-18 | The week after the flood was chaos. | The week after | - | - | -
2025-06-18 | My last summer job was awful. | last summer | - | - | -
2025-06-18 | I usually shop on Thursday. | Thursday | - | - | -
2025-06-18 | I waited a whole year. | year | - | - | -
2025-06-18 | My flat is on the 2nd. | the 2nd | - | - | -
2025-06-18 | I hope to finish one day. | one day | - | - | -
`);

/** Rows that were written after the rules and compared once. */
export const SECOND_HELD_OUT_TABLE = parseTable(`
# day
2023-07-20 | Guess what, I ran into Priya at the market yesterday! | yesterday | 2023-07-19 | day | -
2023-07-20 | We've got a big presentation tomorrow morning, wish me luck. | tomorrow morning | 2023-07-21 | day | -
2023-10-29 | The clocks went back last night so I'm confused. | last night | 2023-10-28 | day | -
2023-07-20 | My nephew came round on Tuesday and broke a vase. | Tuesday | 2023-07-18 | day | -
2023-07-20 | Not sure yet, but the interview might be on Wednesday. | Wednesday | 2023-07-26 | day | -
2026-01-03 | I went for a run last Wednesday, first time this year. | last Wednesday | 2025-12-31 | day | -
2023-07-20 | They're delivering the sofa next Monday. | next Monday | 2023-07-24 | day | -
2022-02-28 | My passport photo appointment is next Wednesday. | next Wednesday | 2022-03-09 | day | -
2023-10-29 | Could we talk this Tuesday? | this Tuesday | 2023-10-31 | day | -
2023-07-20 | My mum's surgery went well on Monday. | Monday | 2023-07-17 | day | -
2023-07-20 | Since Sunday my back has been killing me. | Sunday | 2023-07-16 | day | -
2023-07-20 | It has to be finished before Saturday. | Saturday | 2023-07-22 | day | -
2022-02-28 | Six days ago my phone died. | Six days ago | 2022-02-22 | day | -
2023-10-29 | Our anniversary is in three days and I've got nothing. | in three days | 2023-11-01 | day | -
2023-07-20 | She gave birth on the 14th of July. | the 14th of July | 2023-07-14 | day | -
2023-07-20 | Rehearsals start on August 8th. | August 8th | 2023-08-08 | day | -
2026-01-03 | I fell off a ladder on December 19th. | December 19th | 2025-12-19 | day | -
2023-07-20 | My licence was issued on 03/15/2019. | 03/15/2019 | 2019-03-15 | day | -
2023-07-20 | Payday is on the 28th, thank goodness. | the 28th | 2023-07-28 | day | -
2023-07-20 | On the 2nd we lost power for nine hours. | the 2nd | 2023-07-02 | day | -
2023-10-29 | Born 29 October 1988, so today I am 35. | 29 October 1988 | 1988-10-29 | day | -
2023-07-20 | Tonight we are stargazing with the kids. | Tonight | 2023-07-20 | day | -
2023-07-20 | The day before yesterday I found a kitten in the garage. | The day before yesterday | 2023-07-18 | day | -
# weekend
2023-07-20 | Last weekend I signed up for a pottery class. | Last weekend | 2023-07-15..2023-07-16 | weekend | -
2023-07-20 | I'm heading to the lake this weekend with Caroline. | this weekend | 2023-07-22..2023-07-23 | weekend | -
2023-10-29 | We took the kids to a corn maze last weekend. | last weekend | 2023-10-21..2023-10-22 | weekend | -
2023-07-20 | Two weekends ago we went to a pride parade. | Two weekends ago | 2023-07-08..2023-07-09 | weekend | -
2023-07-20 | The reunion was so fun this past weekend. | this past weekend | 2023-07-15..2023-07-16 | weekend | -
# week
2023-07-20 | I'm off next week, finally! | next week | 2023-07-24..2023-07-30 | week | -
2022-02-28 | He proposed last week in the snow. | last week | 2022-02-21..2022-02-27 | week | -
2023-07-20 | I got my results back a week ago. | a week ago | 2023-07-10..2023-07-16 | week | -
2026-01-03 | She leaves for Chile in four weeks. | in four weeks | 2026-01-26..2026-02-01 | week | -
# month
2023-07-20 | Last month I ran a charity race for mental health. | Last month | 2023-06-01..2023-06-30 | month | -
2026-01-03 | The exhibition opens next month. | next month | 2026-02-01..2026-02-28 | month | -
2022-02-28 | Four months ago I could barely walk. | Four months ago | 2021-10-01..2021-10-31 | month | -
2023-07-20 | I visited my grandma in Sweden in April. | in April | 2023-04-01..2023-04-30 | month | -
2023-07-20 | We're planning a road trip for October. | October | 2023-10-01..2023-10-31 | month | -
2023-07-20 | My divorce was finalised back in November 2021. | November 2021 | 2021-11-01..2021-11-30 | month | -
2023-10-29 | She will turn 18 in February. | February | 2024-02-01..2024-02-29 | month | -
2023-07-20 | We adopted him last December. | last December | 2022-12-01..2022-12-31 | month | -
# season
2023-07-20 | My family went camping in the Rockies last summer. | last summer | 2022-06-01..2022-08-31 | season | -
2023-10-29 | I taught swimming this summer. | this summer | 2023-06-01..2023-08-31 | season | -
2022-02-28 | We're getting chickens this spring. | this spring | 2022-03-01..2022-05-31 | season | -
2023-07-20 | I learned to ski in the winter of 2018. | the winter of 2018 | 2018-12-01..2019-02-28 | season | -
# year
2023-07-20 | I came out to my parents three years ago. | three years ago | 2020-01-01..2020-12-31 | year | -
2026-01-03 | Last year was brutal, honestly. | Last year | 2025-01-01..2025-12-31 | year | -
2023-07-20 | I painted that lake sunrise in 2022. | 2022 | 2022-01-01..2022-12-31 | year | -
2023-07-20 | I want to open my own studio next year. | next year | 2024-01-01..2024-12-31 | year | -
# negative
2023-07-20 | I run to clear my head, it may sound silly. | may | - | - | -
2023-07-20 | I have been together with my husband for five years. | five years | - | - | -
2023-07-20 | We always have a picnic on the first Sunday of the month. | Sunday | - | - | -
2023-07-20 | My last week of uni was bittersweet. | last week | - | - | -
2023-07-20 | The kids were born two years apart. | two years | - | - | -
2023-07-20 | He fell in love with her in one day. | in one day | - | - | -
2023-07-20 | Next time, bring a jumper. | Next | - | - | -
2023-07-20 | My friend Autumn has a cafe. | Autumn | - | - | -
2023-07-20 | I bought a 2019 Honda. | 2019 | - | - | -
2023-07-20 | It costs 20.10 a month. | 20.10 | - | - | -
2023-07-20 | I read Catch-22 and 11/22/63. | 11/22/63 | - | - | -
2023-07-20 | I usually see my therapist on Wednesday. | Wednesday | - | - | -
2023-07-20 | The week flew by. | week | - | - | -
2023-07-20 | Our first year was hard. | year | - | - | -
2023-07-20 | I work night shifts every winter. | winter | - | - | -
2023-07-20 | The sun and the moon. | sun | - | - | -
2023-07-20 | She is a second year student. | second | - | - | -
2023-07-20 | Sat nav said 10 minutes. | Sat | - | - | -
2023-07-20 | I spent a year in Peru. | a year | - | - | -
2023-07-20 | I only had three days to prepare. | three days | - | - | -
2023-07-20 | There was a march for trans rights downtown. | march | - | - | -
2023-07-20 | A few weeks ago I tried kayaking. | A few weeks ago | - | - | -
`);
