import * as stopwords from 'stopword'

/**
 * Words that carry grammar but no content, by language. English has a list of its own, since that of the package also holds words such as
 * "home" and "year"; an elided word keeps its apostrophe.
 */
export const FUNCTION_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: `
    a an the this that these those there here
    i me my mine we us our ours you your yours he him his he she her hers it its they them their theirs
    who whom whose which what when where why how
    am is are was were be been being do does did doing done have has had having
    can could will would shall should may might must
    of to in on at by for with from as into about than then and or but if so because while
    not no nor only also just too very
    don't doesn't didn't isn't aren't wasn't weren't won't can't couldn't wouldn't shouldn't haven't hasn't hadn't`
    .trim()
    .split(/\s+/),
  ar: stopwords.ara,
  bg: stopwords.bul,
  ca: stopwords.cat,
  cs: stopwords.ces,
  da: stopwords.dan,
  de: stopwords.deu,
  el: stopwords.ell,
  // The package's list lacks the forms of ser, estar and haber, and question words.
  es: [
    ...stopwords.spa,
    ...'es son era eran fue fueron ser está están estaba estar ha han hay cuál cuándo dónde quién cómo'.split(' '),
  ],
  fa: stopwords.fas,
  fi: stopwords.fin,
  fr: [...stopwords.fra, ..."j' l' m' n' s' t' d' c' qu'".split(' ')],
  he: stopwords.heb,
  hi: stopwords.hin,
  hu: stopwords.hun,
  id: stopwords.ind,
  it: stopwords.ita,
  nl: stopwords.nld,
  nb: stopwords.nob,
  pl: stopwords.pol,
  pt: stopwords.por,
  ro: stopwords.ron,
  ru: stopwords.rus,
  sv: stopwords.swe,
  tr: stopwords.tur,
  uk: stopwords.ukr,
}
