import { splitWords, STOP_WORDS } from '@annals/english';

/** Words of greetings, thanks, praise and sympathy, which say nothing of the matter. */
const POLITE_WORDS: ReadonlySet<string> = new Set(
  (
    'hi hii hiii hey hello hiya bye goodbye cheers thx thanks thank please welcome sorry congrats congratulations wow whoa oh ah aw aww ' +
    'haha hahaha lol omg ugh phew hooray yay yes yeah yep yup no nope ok okay sure right indeed exactly absolutely definitely totally ' +
    'course good great nice cool awesome amazing fantastic wonderful lovely beautiful perfect excellent delicious fair enough ' +
    'glad happy proud excited thrilled jealous lucky fun best luck sound sounds look looks looking hear hearing heard know knew think ' +
    'thought guess hope feel see say tell told ask asking mean let want love like well really truly so very much lot such too ' +
    'always ever never again soon later now today tomorrow tonight day night morning evening weekend time long ' +
    'care talk chat help keep take get going go come coming doing make great news thing things stuff way bit kind sort ' +
    'worries problem matter pleasure appreciate enjoy congratulate fingers crossed relief dear anyway yet still just also ' +
    'interesting impressive inspiring incredible super hard work up down out about how what why when who something anything everything ' +
    'one ones guys everyone man dude friend buddy please pls idea point true agree agreed same here there update small quick'
  ).split(' '),
);

/** Words of feelings and of everything: a chat is full of them, and they are not what it is about. */
const VAGUE_WORDS: ReadonlySet<string> = new Set(
  (
    'support share shared sharing important special positive impact journey experience experiences moment moments memories remind ' +
    'reminds reminder connect connection people person world life lives find found start started keeps bring brings give gives ' +
    'passion passionate meaningful means growth proud peace joy express strength power powerful difference together feels feeling ' +
    'happen happened happens makes making enjoying part whole different try trying others'
  ).split(' '),
);

/** Whether a word tells what a text is about; in lower case, as `splitWords` gives it. */
export function isTopicWord(word: string): boolean {
  return word !== '' && !STOP_WORDS.has(word) && !POLITE_WORDS.has(word) && !VAGUE_WORDS.has(word);
}

/** Openings of sentences that only answer politely. */
const POLITE_OPENING =
  /^(?:(?:i am|i'm|so) (?:so |very |really )?(?:glad|happy|sorry|pleased|excited) (?:to hear|for you|that you)|you are (?:welcome|the best|right|so|lucky)|you're (?:welcome|the best|right|so|lucky)|have (?:a|fun)|good (?:luck|night|morning|evening)|take care|enjoy|let me know|let us begin|i would (?:love|be happy) to|i'd (?:love|be happy) to|here is (?:all|what)|of course|no (?:worries|problem)|see you|talk (?:to you )?(?:later|soon)|we wish you|welcome to|dear \p{L}+|guess what|hope you|thank you|thanks|congrat)/iu;

/** Fewer words than these about something are no statement. */
const MIN_WORDS = 3;

/** Greetings, thanks, praise and replies that say nothing ("That sounds wonderful!"). English only. */
export function isSmallTalk(sentence: string): boolean {
  if (POLITE_OPENING.test(sentence.trim())) return true;
  const words = splitWords(sentence).filter((word) => !STOP_WORDS.has(word) && !POLITE_WORDS.has(word));
  return words.length < MIN_WORDS;
}

/** Words that lead up to what is said, with a name or not: "Oh wow, ", "Hi Ben! ", "By the way, ". */
const LEAD = /^(?<words>[\p{L}’']+(?: \p{Ll}+){0,2}?)(?: \p{Lu}[\p{L}’'-]+)?\s*[,.!:;…—–-]+\s*(?=\S)/u;
const LEADING_WORDS: ReadonlySet<string> = new Set(
  (
    'oh,ah,aw,aww,wow,oh wow,oh no,whoa,haha,hahaha,lol,ugh,phew,sigh,hm,hmm,yes,yeah,yep,no,nope,ok,okay,sure,right,well,so,' +
    'so yeah,anyway,hey,hi,hiya,hello,thanks,thx,thank you,great,nice,cool,awesome,perfect,agreed,hooray,yay,tired,fair enough,' +
    'of course,by the way,btw,good morning,good night,good evening,morning,cheers,actually,honestly,totally,definitely,exactly'
  ).split(','),
);
const MAX_LEADS = 4;
// Joiners and variation selectors stand apart: inside a class they would read as part of a neighbour.
const OUTER_MARKS =
  /^(?:\s|\p{Extended_Pictographic}|\u200d|\ufe0f)+|(?:\s|\p{Extended_Pictographic}|\u200d|\ufe0f)+$/gu;
const ATTACHMENT = /\s*\[(?:shared |attached )?(?:image|photo|picture|video|file|link|audio|gif|sticker)[^\]]*\]/iu;

/** In UTF-16 units; longer ones are not read, since the patterns look for ends of runs. */
export const MAX_TRIMMED_LENGTH = 600;

/** The sentence without the words that lead up to it, emoji around it, and attachments: one piece of it, unchanged. */
export function trimQuotation(sentence: string): string {
  const attachment = sentence.search(ATTACHMENT);
  let words = (attachment < 0 ? sentence : sentence.slice(0, attachment)).replace(OUTER_MARKS, '');
  for (let leads = 0; leads < MAX_LEADS; leads += 1) {
    const lead = LEAD.exec(words);
    if (!lead || !LEADING_WORDS.has(lead.groups!['words']!.toLowerCase())) return words;
    words = words.slice(lead[0].length);
  }
  return words;
}
