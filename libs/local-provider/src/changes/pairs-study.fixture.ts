/** Schools, languages, courses and goals. The form of a line is described in `pairs.fixture.ts`. */
export const STUDY_PAIRS = `
x value | I study chemistry. | I study physics now.
x value | My major is history. | My major is law now.
x value | My thesis advisor is Prof. Novak. | My thesis advisor is Prof. Chen now.
x value | I go to Lincoln High. | I go to Roosevelt High now.
x value | My goal is to run a 10k. | My goal is to run a half marathon now.
x value | My Spanish level is A2. | My Spanish level is B1 now.
x value | I'm in the second semester. | I'm in the third semester.
x value | My thesis topic is glaciers. | I changed my thesis topic to rivers.
x value | My grade average is 2.3. | My grade average is 2.0 now.
x ending | I study law. | I dropped out of law school.
x ending | I study medicine. | I no longer study medicine.
x ending | I'm learning Italian. | I stopped learning Italian.
x ending | I'm taking a pottery class. | I quit the pottery class.
x ending | I'm writing my thesis. | I handed in my thesis.
x ending | I'm a student. | I'm not a student anymore.
x ending | I have a scholarship. | I lost my scholarship.
x ending | I'm preparing for the bar exam. | I passed the bar exam.
x ending | I tutor two pupils. | I don't tutor anymore.
x ending | I attend evening school. | I don't attend evening school any more.
x ending | I take piano lessons. | I stopped taking piano lessons.
x ending | I'm in the debate club. | I left the debate club.
x ending | I use Anki for vocabulary. | I no longer use Anki.
x negation | I speak Danish. | I don't speak Danish anymore.
x negation | I have a study group. | I don't have a study group any more.
x third | Ana studies biology. | Ana studies geology now.
x third | My son goes to Oak School. | My son goes to Elm School now.
x third | Ana's advisor is Prof. Novak. | Ana's advisor is Prof. Chen.
x third | My daughter is learning French. | My daughter stopped learning French.
x thing | The lecture is in room 12. | The lecture is in room 30 now.
x thing | The tuition fee is 600 euros. | The tuition fee is 750 euros now.
x half | I study law and tutor two pupils. | I no longer study law. | tutor
x half | I'm learning Italian and Greek. | I stopped learning Greek. | Italian
x correction | My major is history. | Actually, my major is art history and my minor is law.
x correction | The exam covers ten chapters. | I was wrong, the exam covers eight chapters.
= same | I study chemistry. | I study chemistry.
= reword | I'm learning Italian. | I'm still learning Italian.
= reword | My major is history. | My major is still history.
~ subject | I study chemistry. | My brother studies physics.
~ subject | Ana studies biology. | Eva studies geology.
~ subject | I'm learning Italian. | My mom stopped learning Italian.
~ subject | Ana's advisor is Prof. Novak. | Leo's advisor is Prof. Chen.
~ subject | My son goes to Oak School. | My daughter goes to Elm School.
~ subject | The lecture is in room 12. | The seminar is in room 30.
~ attribute | My major is history. | My minor is law.
~ attribute | I'm learning Italian. | I stopped learning the accordion.
~ attribute | My thesis topic is glaciers. | My thesis title is too long.
~ attribute | My Spanish level is A2. | My French level is B1.
~ attribute | I have a scholarship. | I lost my umbrella.
~ attribute | The lecture is in room 12. | The lecture is on Monday.
~ both | I'm learning Italian. | I'm learning Greek.
~ both | I speak Danish. | I don't speak Finnish.
~ both | I study medicine. | I study in the library.
~ both | My goal is to run a 10k. | My goal this year is to read more.
~ both | I take piano lessons. | I take dance lessons.
~ both | I'm preparing for the bar exam. | I passed my driving test.
~ condition | I study law. | I'd drop out of law school if I failed again.
~ condition | I have a scholarship. | If I fail, I lose my scholarship.
~ hypothesis | I study medicine. | I'm considering quitting medicine.
~ hypothesis | I'm learning Italian. | I nearly stopped learning Italian.
~ hypothesis | My major is history. | I would rather study law.
~ question | I study chemistry. | Could I study physics?
~ question | I have a scholarship. | Did I lose my scholarship?
~ quote | I study law. | My roommate always yells "I dropped out of law school".
~ quote | I'm learning Italian. | The text said "I stopped learning Italian".
~ joke | I'm a student. | I'm a retired astronaut now, just kidding.
~ joke | I speak Danish. | I don't speak anything before coffee, lol.
~ time | I study physics. | I studied chemistry before that.
~ time | I'm learning Greek. | I used to learn Latin.
~ time | My major is law. | My major was history in 2020.
~ subject | I'm in the debate club. | My cousin left the debate club.
~ time | I take piano lessons. | I took no piano lessons last summer.
`;
