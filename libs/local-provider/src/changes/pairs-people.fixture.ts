/** Partners, family and friends. The form of a line is described in `pairs.fixture.ts`. */
export const PEOPLE_PAIRS = `
x value | I'm single. | I got married in May.
x value | I'm engaged. | I'm married now.
x value | My girlfriend is Nora. | My girlfriend is Paula now.
x value | My best friend is Timo. | My best friend is Arne now.
x value | I have two kids. | I have three kids now.
x value | My name is Julia Meier. | My name is Julia Braun now.
x value | My emergency contact is Peter. | My emergency contact is Olga now.
x value | My sister's boyfriend is Max. | My sister's boyfriend is Jan now.
x ending | I'm dating Tom. | I'm not dating Tom anymore.
x ending | I'm dating Lukas. | Lukas and I broke up.
x ending | I'm married to Sven. | I'm divorced.
x ending | My boyfriend is Marco. | I broke up with Marco.
x ending | I live with my girlfriend. | I no longer live with my girlfriend.
x ending | I'm in touch with my cousin Ida. | I'm no longer in touch with my cousin Ida.
x ending | I take care of my grandmother. | I don't take care of my grandmother anymore.
x ending | I'm friends with Hanna. | I'm no longer friends with Hanna.
x ending | I'm a member of the parents' council. | I left the parents' council.
x ending | I visit my aunt every Sunday. | I stopped visiting my aunt every Sunday.
x negation | I'm engaged. | I'm not engaged any more.
x negation | I have a nanny. | We don't have a nanny anymore.
x negation | I'm married. | I'm not married any more.
x third | Ana's husband is Luis. | Ana's husband is Pedro now.
x third | My sister is single. | My sister got engaged last week.
x third | Eva is dating Paul. | Eva is no longer dating Paul.
x third | My brother is married. | My brother got divorced.
x thing | The wedding is on 4 June. | The wedding is on 11 June now.
x thing | The kindergarten fee is 200 euros. | The kindergarten fee is 240 euros now.
x half | I'm married to Sven and have a stepson. | I got divorced. | stepson
x half | I live with my girlfriend and take care of her dog. | I no longer live with my girlfriend. | dog
x correction | My mother's name is Helga. | Sorry, my mother's name is Helge.
x correction | My sister is 30. | Actually, my sister is 31.
= same | I'm married. | I'm married.
= reword | I'm single. | I'm still single.
= reword | I'm friends with Hanna. | I'm really good friends with Hanna.
~ subject | I'm single. | My cousin got married in May.
~ subject | I'm dating Tom. | Rita isn't dating Tom anymore.
~ subject | Ana's husband is Luis. | Carla's husband is Pedro.
~ subject | My sister is single. | My aunt got engaged last week.
~ subject | I'm married to Sven. | My parents are divorced.
~ subject | My mother's name is Helga. | My father's name is Ralf.
~ attribute | My best friend is Timo. | My neighbor is Arne.
~ attribute | My girlfriend is Nora. | My roommate is Paula.
~ attribute | I have two kids. | I have three nephews.
~ attribute | I'm in touch with my cousin Ida. | I'm no longer in touch with my school.
~ attribute | The wedding is on 4 June. | The wedding is in Verona.
~ attribute | I visit my aunt every Sunday. | I stopped visiting museums.
~ both | I have a daughter named Mia. | I have a son named Tom.
~ both | My best friend is Timo. | My best friend is a great cook.
~ both | I'm married. | I'm tired.
~ both | My sister is 30. | My other sister is 27.
~ both | I have two kids. | My son is five.
~ both | My brother lives in Rome. | My brother lives with a cat.
~ both | I'm dating Tom. | I met Lukas yesterday.
~ condition | I'm single. | If Tom asks, I'm married.
~ condition | I'm dating Tom. | I'd break up with Tom if he lied.
~ hypothesis | I'm engaged. | I dreamt that I was not engaged any more.
~ hypothesis | I'm married to Sven. | I wish I were divorced.
~ hypothesis | I live with my girlfriend. | She thinks I might no longer live with my girlfriend.
~ question | I'm single. | When will I get married?
~ question | I'm dating Lukas. | Did Lukas and I break up?
~ quote | I'm married. | The singer goes "I'm not married any more".
~ quote | Ana's husband is Luis. | The caption was "Ana's husband is Pedro".
~ joke | I'm single. | I'm married to my sofa, haha, just kidding.
~ joke | I have two kids. | I have three kids if you count my husband, lol.
~ time | I'm married. | I was single back then.
~ time | My boyfriend is Marco. | My boyfriend in school was Jan.
~ time | I'm single. | I used to be engaged to Paul.
~ attribute | My emergency contact is Peter. | My first contact at the bank is Olga.
~ time | I have a nanny. | We had no nanny in 2020.
~ attribute | I have a son. | My son moved out.
~ subject | I have a gym membership. | I cancelled Mia's gym membership.
`;
