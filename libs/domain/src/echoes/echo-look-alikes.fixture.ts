import { listPairs, type PairsOfMemory } from './echo-pairs.fixture.js';

/** Written before the rule read tense and what stands between its words: the same words about something else. */
const HELD_OUT_SUBJECTS: Readonly<Record<string, PairsOfMemory>> = {
  'The user lives in Lisbon.': {
    echoes: [
      'u| I currently live in Lisbon.',
      'u| My home is Lisbon.',
      'u| My husband and I live in Lisbon.',
      'a| Lisbon is where you live, so the tram is easy.',
    ],
    others: [
      'u| I visited Lisbon where my sister lives.',
      'u| I visited Lisbon and drove home.',
      'u| I love Lisbon, where Acme is based.',
      'u| I lived in Lisbon for ten years, so I know its trams.',
      'u| I was living in Lisbon at the time.',
      'u| I came home from Lisbon yesterday.',
      'u| I am going home via Lisbon.',
      'u| I met Paul, who lives in Lisbon.',
      'u| I know somebody living in Lisbon.',
      'u| I left my home in Lisbon.',
      'u| I grew up in Lisbon and now live in Porto.',
      'u| I watched live music in Lisbon.',
      'a| You told me that Carla lives in Lisbon.',
      'a| Your favourite band plays live in Lisbon.',
      'u| My former home is Lisbon.',
    ],
  },
  'The user works at Zeiss.': {
    echoes: [
      'u| I have a job at Zeiss.',
      'a| You work at Zeiss, so ask the optics lab.',
      'u| I have worked at Zeiss since 2019.',
    ],
    others: [
      'u| I left my job at Zeiss.',
      'u| I left Zeiss for a new job.',
      'u| I worked at Zeiss before I had children.',
      'u| I resigned from my job at Zeiss.',
      'u| I bought Zeiss glasses for work.',
      'u| I wear my Zeiss glasses at work.',
      'u| My lenses by Zeiss work well.',
      'u| I am an ex employee of Zeiss, I work elsewhere.',
      'u| I was offered a job at Zeiss.',
      'u| I applied for a job at Zeiss.',
      'u| I talked with a man working at Zeiss.',
      'a| Your former job at Zeiss looks good on paper.',
    ],
  },
  'The user is married to Eva.': {
    echoes: ['u| Eva is my wife.', 'a| You and your wife Eva could take the train.'],
    others: [
      'u| I was married to Eva for three years.',
      'u| I know that Eva is married.',
      'u| My ex wife is Eva.',
      'u| I met Eva and her husband.',
    ],
  },
  'The user takes metformin.': {
    echoes: ["u| I'm still taking metformin."],
    others: ['u| I took metformin last year.', 'u| I gave metformin to my father, who takes it daily.'],
  },
  'The user plays the cello in an orchestra.': {
    echoes: ['a| You play the cello in an orchestra, so you read music.'],
    others: [
      'u| I played the cello in an orchestra as a student.',
      'u| I listened to a cello in an orchestra that plays Bach.',
    ],
  },
  'The user lived in Faro until 2018.': {
    echoes: ['u| I lived in Faro until 2018.'],
    others: ['u| My sister lived in Faro until 2018.'],
  },
};

/** Written after that change; the rule was then changed for five of the seven that it took for echoes. */
const LATE_LOOK_ALIKES: Readonly<Record<string, PairsOfMemory>> = {
  'The user lives in Lisbon.': {
    echoes: [],
    others: [
      'u| I know Lisbon, my home is Porto.',
      'u| I have friends in Lisbon and live in Porto.',
      'u| I am in Lisbon and live music is everywhere.',
      'u| I have lived in Lisbon, Porto and Rome.',
      'u| I live near Lisbon.',
      'u| I live outside Lisbon.',
      'u| I live far from Lisbon.',
      'u| I live two hours from Lisbon.',
      'u| In Lisbon I saw a live show.',
      'u| I flew from Lisbon, where you live.',
      'u| My parents and I lived in Lisbon.',
      'u| I almost live in Lisbon.',
      'u| Back when I was living in Lisbon, rents were low.',
      'u| I live in Porto, not in Lisbon.',
      'u| I live in Porto, but Lisbon is nice.',
      'u| I live in a street named after Lisbon.',
      'u| My company is based in Lisbon.',
      'u| My team at work is based in Lisbon.',
      'u| My new office is based in Lisbon.',
      'u| I live for Lisbon.',
      'u| I moved from Lisbon to live in Porto.',
    ],
  },
  'The user works at Zeiss.': {
    echoes: [],
    others: [
      'u| I work with Zeiss lenses.',
      'u| I work for a competitor of Zeiss.',
      'u| I quit Zeiss to work alone.',
      'u| I got a job offer from Zeiss.',
      'u| My lawsuit at work is against Zeiss.',
      'u| I lost my job at Zeiss.',
      'u| I got fired from my job at Zeiss.',
      'u| I am looking for a job at Zeiss.',
      'u| My last job is at Zeiss no more.',
      'u| My old job at Zeiss was fun.',
      'u| I start my job at Zeiss in May.',
      'u| I will work at Zeiss in May.',
    ],
  },
  'The user has two children.': {
    echoes: [],
    others: ['u| I saw two children.', 'u| I teach two children.', 'u| I had two children in my class.'],
  },
  'Ana lives in Lisbon.': {
    echoes: [],
    others: [
      'u| Ana visited Lisbon where Ben lives.',
      'u| Ana lived in Lisbon.',
      'u| Ana loves the live music in Lisbon.',
      'u| Ana left Lisbon to live in Porto.',
      "u| Ana's sister lives in Lisbon.",
      'u| Ben lives in Lisbon with Ana.',
    ],
  },
};

/** Of `HELD_OUT_SUBJECTS`. */
export const SUBJECT_ECHOES = listPairs(HELD_OUT_SUBJECTS, 'echoes');
export const SUBJECT_NO_ECHOES = listPairs(HELD_OUT_SUBJECTS, 'others');
export const LATE_NO_ECHOES = listPairs(LATE_LOOK_ALIKES, 'others');
