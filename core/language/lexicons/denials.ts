/**
 * Words that deny. Spelled alike in two languages they are left out where the other meaning is common ("nu", "ne",
 * "en").
 */
export const DENYING_WORDS = (
  'not no never none nobody nothing nowhere neither nor without cannot hardly barely scarcely seldom rarely ' +
  'dont doesnt didnt cant couldnt wont wouldnt shouldnt isnt arent wasnt werent havent hasnt hadnt aint ' +
  'nicht kein keine keinen keinem keiner keines nie niemals niemand nichts ohne kaum ' +
  'nunca nadie nada ninguno ninguna ningún sin jamás tampoco ' +
  'pas jamais personne rien aucun aucune sans ni ' +
  'non mai nessuno nessuna niente nulla senza ' +
  'não ninguém nenhum nenhuma sem nem ' +
  'niet geen nooit niemand niets zonder ' +
  'inte ingen inget inga aldrig utan ikke intet ingenting aldri uten uden ' +
  'ei eivät emme nigdy nikt nic bez není nikdy nem soha senki semmi nincs niciodată fără ' +
  'değil yok asla tidak bukan tanpa không chưa chẳng ' +
  'не нет ни никогда никто ничего без ні ніколи немає ' +
  'δεν μη μην όχι ποτέ χωρίς ' +
  'لا لم لن ليس ليست لست غير بدون نه هرگز هیچ نیست نیستم ' +
  'לא אין בלי אף אינו אינה אינני ' +
  'नहीं मत बिना'
).split(' ')

/** Matches denials that are no word by themselves: "don't", "n'aime", "ne fume plus". */
export const DENYING_PARTS = /\p{L}n['’]t(?!\p{L})|(?<!\p{L})n['’]\p{L}|(?<!\p{L})ne(?: \p{L}+){1,2} plus(?!\p{L})/iu

/** Matches denials in writing without spaces, and in verbs that deny by a syllable. */
export const DENYING_SYLLABLES =
  /ない|ません|なかった|なくて|なければ|ずに|不|没|沒|無|无|未|别|ไม่|않|없|아니|(?<!\p{L})(?:안|못)(?!\p{L})|(?<!\p{L})نمی/u

/** Wordings by which something is over; a hyphen stands for a space, a tilde for any ending. */
export const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  en: `stop stops stopped quit gave-up given-up gives-up giving-up former formerly previous previously used-to ended anymore
    any-more`.split(/\s+/),
  de: ['aufgehört', 'aufgegeben', 'ehemalig~', 'früher~'],
  es: ['dej~', 'antigu~', 'ya-no'],
  fr: ['arrêté~', 'ancien~', 'autrefois'],
}

/** Wordings by which a statement says what is not, without denying it: an end that also means other things, and an exception. */
export const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  en: 'left allergic avoid except but only instead'.split(' '),
  fr: ['plus'],
}
