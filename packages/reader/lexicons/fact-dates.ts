import type { Wordings } from './wordings.ts'

/** Words before the dates of a fact, and between them. */
export const FACT_DATES: Readonly<
  Record<'since' | 'until' | 'in' | 'from' | 'to', Readonly<Record<string, readonly string[]>>>
> = {
  since: { en: ['since', 'starting in', 'as of'], de: ['seit'], es: ['desde'], fr: ['depuis'] },
  until: { en: ['until', 'till', 'through', 'up to'], de: ['bis'], es: ['hasta'], fr: ["jusqu' en", "jusqu'en"] },
  in: { en: ['in', 'back in', 'from'], de: ['im', 'von'], es: ['en', 'de'] },
  from: { en: ['from', 'between'], de: ['von'], es: ['de', 'entre'] },
  to: { en: ['to', 'and', 'until', 'till'], de: ['bis'], es: ['a', 'y'], fr: ['à', 'et'] },
}

/** Words within a date: "early 2021", "mid-May 2020", "abril de 2019". */
export const DATE_PARTS = { modifiers: ['early ', 'late ', 'mid ', 'mid-'], links: ['de', 'del', 'of', ','] } as const

/** English verbs by whose date something ends. */
export const LEAVING_VERBS = ['left', 'quit', 'ended', 'resigned', 'moved out']

/** Days, weeks, months and years that are told from the day of the text. */
export const RELATIVE_DATES: Wordings = {
  en: [
    /ago|yesterday|(?:last|this|earlier this) (?:week|month|year|spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august|september|october|november|december)/u,
  ],
  de: [/vor \S+ (?:jahren|monaten|wochen)|letztes jahr|gestern/u],
  es: [/hace \S+ (?:años|meses)|ayer/u],
  fr: [/il y a|hier/u],
}

/** Matches a year in such a date, which then is as exact as a year. */
export const YEAR_WORDS = /year|jahr|año|\ban/u
