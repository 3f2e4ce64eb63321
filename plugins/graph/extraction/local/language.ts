/** The languages that facts are read in, the most usual first. */
export const LANGUAGES = ['en', 'de', 'es', 'fr'] as const
export type Language = (typeof LANGUAGES)[number]
