/** Jobs, employers and colleagues. The form of a line is described in `pairs.fixture.ts`. */
export const WORK_PAIRS = `
x value | I work at Siemens. | I work at Bosch now.
x value | I work as a nurse. | I started a new job as a teacher.
x value | My manager is Li. | My manager is Sam now.
x value | I'm a software developer at Nokia. | I joined Ericsson in May.
x value | My salary is 52000 euros. | My salary is 58000 euros since January.
x value | My team lead is Petra. | My new team lead is Goran.
x value | I work in the sales department. | I moved to the marketing department.
x value | I work full-time. | I work part-time now.
x value | My desk is on the second floor. | My desk is on the fifth floor now.
x value | My job title is analyst. | My job title is senior analyst.
x ending | I work at Siemens. | I left Siemens.
x ending | I work as a waiter. | I no longer work as a waiter.
x ending | I work at a bakery. | I quit my job at the bakery.
x ending | I freelance for two magazines. | I stopped freelancing.
x ending | I work night shifts. | I don't work night shifts any more.
x ending | I run a small print shop. | I closed my print shop.
x ending | I manage a team of five. | I no longer manage a team.
x ending | I'm looking for a job. | I'm not looking for a job anymore.
x ending | I'm on parental leave. | My parental leave is over.
x negation | I work from home. | I don't work from home anymore.
x negation | I'm a union member. | I'm not a union member any more.
x third | Ana's manager is Li. | Ana's manager is Ruth.
x third | Bruno works at Philips. | Bruno left Philips.
x third | My wife works as a lawyer. | My wife no longer works as a lawyer.
x thing | The team meeting is on Tuesday. | The team meeting is on Friday now.
x thing | The office is in Hall 3. | The office is in Hall 7 since we moved.
x half | I work at Zeiss and play chess. | I left Zeiss. | chess
x half | I teach maths and coach a football team. | I stopped teaching maths. | football
x correction | My manager is Dora. | Actually, my manager is Mara.
x correction | I work at Airbus. | Correction: I work at Embraer, not Airbus.
= same | I work at Siemens. | I work at Siemens.
= reword | I work as a nurse. | I still work as a nurse.
= reword | My manager is Li. | My manager is still Li.
~ subject | I work at Siemens. | My brother left Siemens.
~ subject | Ana's manager is Li. | Eva's manager is Ruth.
~ subject | Bruno works at Philips. | Carla left Philips.
~ subject | My manager is Li. | My sister's manager is Sam.
~ subject | My wife works as a lawyer. | My aunt no longer works as a lawyer.
~ subject | The team meeting is on Tuesday. | The board meeting is on Friday.
~ attribute | My manager is Li. | My mentor is Sam.
~ attribute | I work at Siemens. | I left the party at Siemens early.
~ attribute | My salary is 52000 euros. | My bonus is 6000 euros.
~ attribute | The team meeting is on Tuesday. | The team meeting is in room 4.
~ attribute | Ana's manager is Li. | Ana's assistant is Ruth.
~ attribute | I work as a nurse. | I started a new course as a beginner.
~ both | I work at Siemens. | I work as an engineer.
~ both | I work as a nurse. | I also work at a bar on weekends.
~ both | I work from home. | I work with a great team.
~ both | My manager is Li. | My manager is very patient.
~ both | I run a small print shop. | I opened a second print shop.
~ both | I teach maths. | I teach physics.
~ both | I work at Bosch. | I quit smoking.
~ condition | I work at Siemens. | I would leave Siemens if the pay got worse.
~ condition | I work night shifts. | If I get promoted I won't work night shifts any more.
~ hypothesis | I work as a waiter. | I wish I no longer worked as a waiter.
~ hypothesis | My manager is Li. | Maybe my manager will be Sam soon.
~ hypothesis | I run a small print shop. | I dream of closing my print shop one day.
~ question | I work at a bakery. | Should I quit my job at the bakery?
~ question | My manager is Li. | Is my manager Sam now?
~ quote | I work at Siemens. | The article says "I left Siemens".
~ quote | My manager is Li. | My colleague said "my manager is Sam".
~ joke | I work as a nurse. | I'm the king of France now, just kidding.
~ joke | I work at Bosch. | Haha, I quit my job every Monday morning, jk.
~ time | I work at Bosch. | I used to work at Siemens.
~ time | I work as a nurse. | I worked as a waiter until 2018.
~ time | My manager is Li. | Back then my manager was Sam.
~ attribute | My desk is on the second floor. | My locker is on the fifth floor.
~ both | I manage a team of five. | I no longer manage my own calendar.
`;
