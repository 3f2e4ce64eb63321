/** Words that deny the verb beside them. */
export const VERB_DENIALS: Readonly<Record<string, readonly string[]>> = {
  en: `not never neither cannot dont doesnt didnt cant couldnt wont wouldnt shouldnt isnt arent wasnt werent havent hasnt hadnt
    aint`.split(/\s+/),
  de: 'nicht nie niemals kein keine keinen keinem keiner keines'.split(' '),
  es: 'no nunca jamás'.split(' '),
  fr: ['pas', 'jamais'],
  it: ['non', 'mai'],
  pt: ['não', 'nunca'],
  nl: 'niet nooit geen'.split(' '),
  sv: ['inte', 'aldrig'],
  nb: ['ikke', 'aldri'],
  fi: 'ei eivät emme'.split(' '),
  pl: ['nigdy'],
  cs: ['není', 'nikdy'],
  hu: ['nem', 'soha', 'nincs'],
  ro: ['niciodată'],
  tr: 'değil yok asla'.split(' '),
  id: ['tidak', 'bukan'],
  vi: 'không chưa chẳng'.split(' '),
  ru: 'не нет никогда'.split(' '),
  uk: 'ні ніколи немає'.split(' '),
  el: 'δεν μη μην όχι ποτέ'.split(' '),
  ar: 'لا لم لن ليس ليست لست'.split(' '),
  fa: 'نه هرگز نیست نیستم'.split(' '),
  he: 'לא אין אף אינו אינה אינני'.split(' '),
  hi: ['नहीं', 'मत'],
}

/** Words that deny what follows them and not the verb: "tea without milk". */
export const DENYING_PREPOSITIONS: Readonly<Record<string, readonly string[]>> = {
  en: 'no nor without'.split(' '),
  de: ['ohne'],
  es: ['sin', 'tampoco'],
  fr: ['sans', 'ni'],
  it: ['senza'],
  pt: ['sem', 'nem'],
  nl: ['zonder'],
  sv: ['utan'],
  nb: ['uten'],
  da: ['uden'],
  pl: ['bez'],
  ro: ['fără'],
  id: ['tanpa'],
  ru: ['ни', 'без'],
  el: ['χωρίς'],
  ar: ['غير', 'بدون'],
  he: ['בלי'],
  hi: ['बिना'],
}

/** Further words that deny. Spelled alike in two languages they are left out where the other meaning is common ("nu", "ne", "en"). */
export const DENYING_PRONOUNS: Readonly<Record<string, readonly string[]>> = {
  en: 'none nobody nothing nowhere hardly barely scarcely seldom rarely'.split(' '),
  de: 'niemand nichts kaum'.split(' '),
  es: 'nadie nada ninguno ninguna ningún'.split(' '),
  fr: 'personne rien aucun aucune'.split(' '),
  it: 'nessuno nessuna niente nulla'.split(' '),
  pt: 'ninguém nenhum nenhuma'.split(' '),
  nl: ['niemand', 'niets'],
  sv: 'ingen inget inga'.split(' '),
  nb: ['intet', 'ingenting'],
  pl: ['nikt', 'nic'],
  hu: ['senki', 'semmi'],
  ru: ['никто', 'ничего'],
  fa: ['هیچ'],
}

/** Matches denials that are no word by themselves: "don't", "n'aime", "ne fume plus". */
export const DENYING_PARTS =
  /(?<=\p{L})n['’]t(?!\p{L})|(?<!\p{L})n['’](?=\p{L})|(?<!\p{L})ne(?=(?: \p{L}+){1,2} plus(?!\p{L}))/iu

/** French denies by "ne" too, which means other things in other languages. */
export const DENYING_BEFORE_VERB: Readonly<Record<string, readonly string[]>> = { fr: ['ne', "n'"] }

/** Matches denials in writing without spaces, and in verbs that deny by a syllable. */
export const DENYING_SYLLABLES =
  /ない|ません|なかった|なくて|なければ|ずに|不|没|沒|無|无|未|别|ไม่|않|없|아니|(?<!\p{L})(?:안|못)(?!\p{L})|(?<!\p{L})نمی/u

/** Wordings by which something is over. */
export const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'stop/stops/stopped/quit/ended',
    'gave/given/gives/giving up',
    'former/formerly/previous/previously',
    'used to',
    'anymore',
    'any more',
  ],
  de: ['aufgehört', 'aufgegeben', 'ehemalig~', 'früher~'],
  es: ['dej~', 'antigu~', 'ya no'],
  fr: ['arrêté~', 'ancien~', 'autrefois'],
}

/** Wordings by which a statement says what is not, without denying it: an end that also means other things, and an exception. */
export const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  en: 'left allergic avoid except but only instead'.split(' '),
  fr: ['plus'],
}

/** Words that except somebody or something from what is said. */
export const EXCLUDING: Readonly<Record<string, readonly string[]>> = { en: ['except'] }

/** Wordings by which what a verb says held once. */
export const NO_LONGER: Readonly<Record<string, readonly string[]>> = {
  en: ['no longer', 'no more', 'anymore', 'any more', 'any longer'],
  de: ['nicht mehr', 'kein~ mehr'],
  es: ['ya no'],
  fr: ['ne plus', 'ne ~ plus', 'ne ~ ~ plus', "n'~ plus", "n'~ ~ plus", "n' ~ plus", "n' ~ ~ plus"],
}

/** Wordings before a verb by which what it says held once. */
export const FORMERLY: Readonly<Record<string, readonly string[]>> = {
  en: ['used to', 'stopped', 'ceased', 'formerly', 'previously'],
  de: ['früher'],
}
