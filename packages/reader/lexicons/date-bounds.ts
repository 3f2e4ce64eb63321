/** Where a date stands to the time that is meant: "before 2022". */
export type DateBound = 'before' | 'until' | 'since' | 'after'

/** Wordings before a date that open its span to one side. */
export const DATE_BOUNDS: Readonly<Record<string, Readonly<Record<DateBound, readonly string[]>>>> = {
  en: {
    before: ['before', 'prior to', 'earlier than'],
    until: ['until', 'till', 'up to', 'by'],
    since: ['since', 'starting'],
    after: ['after', 'later than', 'following'],
  },
  de: { before: ['vor'], until: ['bis', 'bis zum'], since: ['seit', 'ab'], after: ['nach'] },
  fr: {
    before: ['avant'],
    until: ["jusqu'au/jusqu'en/jusqu'à"],
    since: ['depuis', 'à partir de/du', 'à partir d'],
    after: ['après'],
  },
  es: { before: ['antes de/del'], until: ['hasta'], since: ['desde', 'a partir de/del'], after: ['después de/del'] },
  pt: {
    before: ['antes da/de/do'],
    until: ['até'],
    since: ['desde', 'a partir da/de/do/dal/del/dol'],
    after: ['depois da/de/do'],
  },
  it: { before: ['prima de/del'], until: ['fino a/al'], since: [], after: ['dopo'] },
  nl: { before: ['voor'], until: ['tot'], since: ['sinds', 'vanaf'], after: [] },
  sv: { before: ['före'], until: [], since: ['sedan'], after: ['efter'] },
  ru: { before: ['до'], until: [], since: ['с'], after: ['после'] },
}

/** Articles between such a wording and the date. */
export const DATE_ARTICLES: Readonly<Record<string, readonly string[]>> = {
  en: ['the'],
  de: ['dem', 'der', 'den'],
  fr: ['le', 'la'],
  es: ['el', 'la'],
  it: ['il'],
  pt: ['o'],
  nl: ['de', 'het'],
}
