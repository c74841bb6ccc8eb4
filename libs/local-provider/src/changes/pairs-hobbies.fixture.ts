/** Sports, music, games and clubs. The form of a line is described in `pairs.fixture.ts`. */
export const HOBBY_PAIRS = `
x value | My favorite band is Radiohead. | My favorite band is Portishead now.
x value | I train on Mondays. | I train on Wednesdays now.
x value | My chess coach is Viktor. | My chess coach is Irina now.
x value | My marathon record is 3:45. | My marathon record is 3:38 now.
x value | I'm reading Middlemarch. | I'm reading Dracula now.
x value | My gym is FitHouse. | My new gym is Ironworks.
x value | My favorite color is blue. | My favourite colour is green.
x value | I run five kilometers every morning. | I run eight kilometers every morning now.
x ending | I play chess. | I no longer play chess.
x ending | I play tennis. | I stopped playing tennis.
x ending | I play the piano. | I quit playing the piano.
x ending | I play the violin. | I gave up the violin.
x ending | I go to yoga every Tuesday. | I don't go to yoga anymore.
x ending | I sing in a choir. | I left the choir.
x ending | I collect stamps. | I don't collect stamps any more.
x ending | I'm a member of a rowing club. | I'm no longer a member of the rowing club.
x ending | I'm learning the guitar. | I gave up learning the guitar.
x ending | I paint watercolors. | I used to paint watercolors.
x ending | I'm training for a marathon. | I finished training for the marathon.
x ending | I have a gym membership. | I cancelled my gym membership.
x ending | I write a blog about trains. | I stopped writing my blog about trains.
x ending | I'm into pottery. | I'm not into pottery anymore.
x negation | I like hiking. | I don't like hiking anymore.
x negation | I ride a motorbike. | I don't ride a motorbike any more.
x third | Ana plays handball. | Ana stopped playing handball.
x third | My husband plays poker. | My husband quit poker.
x third | Ana's coach is Viktor. | Ana's coach is Irina.
x thing | The book club is on Thursdays. | The book club is on Sundays now.
x half | I play chess and tennis. | I quit tennis. | chess
x half | I ski and I surf. | I don't ski anymore. | surf
x correction | I play the cello. | Actually I play the viola, not the cello.
x correction | My favorite film is Alien. | I made a mistake, my favorite film is Aliens.
= same | I play chess. | I play chess.
= reword | I play tennis. | I still play tennis.
= reword | I sing in a choir. | I also sing in a choir.
~ subject | I play chess. | My nephew no longer plays chess.
~ subject | Ana plays handball. | Eva stopped playing handball.
~ subject | I collect stamps. | My grandfather doesn't collect stamps any more.
~ subject | Ana's coach is Viktor. | Bruno's coach is Irina.
~ subject | My gym is FitHouse. | My brother's gym is Ironworks.
~ subject | The book club is on Thursdays. | The film club is on Sundays.
~ attribute | I play chess. | I no longer play checkers.
~ attribute | I play the piano. | I sold my drums.
~ attribute | I play tennis. | I stopped watching tennis.
~ attribute | My favorite band is Radiohead. | My favorite album is Dummy.
~ attribute | I sing in a choir. | I left the office.
~ attribute | I train on Mondays. | I rest on Wednesdays.
~ both | I play chess. | I play tennis.
~ both | I like hiking. | I don't like hiking in the rain.
~ both | I'm reading Middlemarch. | I'm learning to juggle.
~ both | I paint watercolors. | I paint with oils as well.
~ both | My favorite band is Radiohead. | I saw Portishead live last night.
~ both | I have a gym membership. | I cancelled my phone contract.
~ both | I play chess. | I won a tournament yesterday.
~ condition | I play tennis. | I'd stop playing tennis if my knee hurt.
~ condition | I play chess. | I'll no longer play chess if I lose again.
~ hypothesis | I sing in a choir. | I almost left the choir.
~ hypothesis | I play the violin. | I'm thinking of giving up the violin.
~ hypothesis | I collect stamps. | Imagine I didn't collect stamps any more.
~ question | I play chess. | Did I tell you I no longer play chess?
~ question | I play the piano. | Is it sad to quit the piano?
~ quote | I play tennis. | He shouted "I quit tennis" at the net.
~ quote | I sing in a choir. | In the song he goes "I left the choir".
~ joke | I like hiking. | I hike only to the fridge now, just kidding.
~ joke | I play the violin. | My neighbors wish I gave up the violin, haha.
~ time | I play tennis. | I used to play squash.
~ time | My gym is FitHouse. | Two years ago my gym was Ironworks.
~ time | I play chess. | I didn't play chess last week.
~ attribute | My marathon record is 3:45. | My half marathon record is 1:48.
~ both | I go to yoga every Tuesday. | I go to the pool every Friday.
~ both | I train on Mondays. | I also train on Fridays now.
`;
