/**
 * Words by which whoever speaks means himself, alone or with others; Spanish and Portuguese say it by the verb too. A hyphen at the
 * end stands for any ending.
 */
export const FIRST_PERSON: Readonly<Record<string, readonly string[]>> = {
  en: `i i'm i've i'd i'll im ive my mine myself me we we're we've we'd we'll us our ours`.split(' '),
  de: 'ich mich mir mein- wir uns unser-'.split(' '),
  es: `yo mi mis mí me conmigo nosotros nosotras nos nuestro nuestra nuestros nuestras soy estoy tengo vivo trabajo quiero prefiero
    estudio nací odio voy fui uso hablo llevo`.split(/\s+/),
  fr: "je j' moi mon ma mes m' me nous notre nos".split(' '),
  pt: ['eu', 'meu', 'minha'],
  it: ['io', 'mio', 'mia'],
  nl: ['ik', 'mijn'],
  sv: ['jag', 'min'],
  nb: ['jeg', 'min'],
  pl: ['ja', 'mój', 'moja'],
  ru: ['я', 'мой', 'моя', 'мы', 'у меня'],
}

/** Further words of the kind, which mean something else in other languages. Norwegian has three tags. */
export const FIRST_PERSON_OF_ONE: Readonly<Record<string, readonly string[]>> = {
  nl: 'mij me wij we ons onze'.split(' '),
  sv: 'mitt mina mig vi vår vårt våra oss'.split(' '),
  nb: 'mitt mine mi meg vi vår vårt våre oss'.split(' '),
  da: 'jeg min mit mine mig vi vor vort vores os'.split(' '),
}

/** Languages whose verbs do not tell who speaks, so that whoever speaks of himself hardly ever leaves himself out. */
export const FIRST_PERSON_KEEPING = 'en de fr nl sv nb da'.split(' ')

/** Matches words by which whoever speaks means himself, in writing without spaces. */
export const UNSPACED_FIRST_PERSON = /私|僕|俺|わたし|ぼく|うち(?:の|は)|我|ผม|ฉัน/u
