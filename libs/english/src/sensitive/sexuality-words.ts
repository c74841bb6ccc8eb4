import { IS, type SubjectWords } from './subject-words.js';

export const SEXUALITY_WORDS: SubjectWords = {
  harmless: [
    'straight (?:answers?|to|away|line|talk|forward|face|from|into|through|ahead|after|back|on|up|flush|edges?|razor)|(?:thinks?|sits?|stands?|looks?|sets?|gets?) (?:\\p{L}+ )?straight',
    '(?:takes?|took|taking|full of|with|sense of|swallow(?:s|ed)?) (?:\\p{L}+ )?pride',
    'attracted to (?:simple|clean|small|new|bright|bold|minimal|open|modern|old|remote|quiet|big)',
    'transition(?:s|ed|ing)? (?:to|from|of|between) (?:a |an |the )?(?!(?:male|female|wom[ae]n|m[ae]n)\\b)\\p{L}+',
    'orientation (?:days?|weeks?|sessions?|meetings?|materials?|lock)|(?:page|screen|portrait|landscape|object|goal) orientation',
    'affairs? of (?:the )?(?:heart|state)|(?:current|foreign|public|legal|external|internal) affairs|love affairs? with (?:the |a )?(?:\\p{Ll}+s|music|jazz|cooking|code)(?!\\p{L})',
    '(?:sex|gender) ?(?:change )?field|non-?binary files?',
    '(?:in|into|from|of) (?:the|a|her|his|their) (?:linen |broom |walk-in |coat )?closets?(?= (?:and|are|is|with|of|where|that|next))',
    'drag and drop|dragged|drag queens? of',
  ],
  words: [
    `gay(?:s|ness)?|lesbians?|bisexual\\p{L}*|homosexual\\p{L}*|heterosexual\\p{L}*|asexual\\p{L}*|pansexual\\p{L}*|queer\\p{L}*|lgbt\\p{L}*\\+?|trans(?:gender(?:ed)?|sexual)?(?: (?:wom[ae]n|m[ae]n|person|people))?|non-?binary|gender[- ]?(?:fluid|queer|identity|transition\\p{L}*|dysphoria|reassignment)|cis(?:gender)?|intersex|drag queens?`,
    `${IS} (?:still |back |deep )?in the closet|${IS} straight(?=\\s*[.,;!?]|$)|sexual\\p{L}*|sex (?:life|lives|drive|worker|toys?|partners?|addict\\p{L}*)|(?:has|had|have|having|about|enjoys?|after|without) sex|libido|erotic\\p{L}*|porn\\p{L}*|masturbat\\p{L}*|fetish\\p{L}*|kink(?:s|y)?|bdsm|orgasm\\p{L}*|impoten(?:t|ce)|viagra|virgin(?:s|ity)?|prostitut\\p{L}+|escort service|one-night stands?|threesomes?|swingers?`,
    '(?:homo|trans|bi)phob\\p{L}+|attracted to (?:the )?(?:same|opposite|both|any) (?:sex(?:es)?|genders?)|(?:assigned|birth) (?:gender|sex)|deadnam\\p{L}+|gender (?:roles?|expression|norms)|sexting|nude (?:photos?|pictures?)|condoms?|contracepti\\p{L}+|(?:come|came|coming) out (?:at (?:work|home|school)|publicly)',
    'his (?:boyfriend|husband)|her (?:girlfriend|wife)',
    'polyamor\\p{L}+|open (?:marriage|relationship)|same-sex|(?:came|come|comes|coming) out (?:to (?:an? |the |his |her |their )?\\p{L}+|as)|closeted',
    '(?:attracted to|dat(?:es|ing|ed)|into|loves?|sleeps? with|slept with) (?:an? |other |only |both )?(?:m[ae]n|wom[ae]n|guys?|girls?|boys?)',
    '(?:has|had|have|having|hides?|hid|confessed|ended) (?:an?|the|his|her|their) (?:secret )?affairs?|cheat(?:s|ed|ing)? on (?:an? |the |his |her |their )(?:wife|husband|partner|girlfriend|boyfriend|spouse)',
  ],
  names: ['Pride (?:every|month|march|parade|flag|in|at|week|event)|at Pride|Grindr|Tinder'],
};
