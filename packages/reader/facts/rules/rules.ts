import type { Language } from '../parts.ts'
import { ENGLISH_CHANGES } from './english-changes.ts'
import { ENGLISH_CHIEFS } from './english-chiefs.ts'
import { ENGLISH_CLAUSES } from './english-clauses.ts'
import { ENGLISH_COMPANIONS } from './english-companions.ts'
import { ENGLISH_EXITS } from './english-exits.ts'
import { ENGLISH_HOMES } from './english-homes.ts'
import { ENGLISH_JOBS } from './english-jobs.ts'
import { ENGLISH_LIFE } from './english-life.ts'
import { ENGLISH_PLACES } from './english-places.ts'
import { ENGLISH_TASTES } from './english-tastes.ts'
import { ENGLISH_WORK } from './english-work.ts'
import { FRENCH } from './french.ts'
import { GERMAN } from './german.ts'
import { FRENCH_CHANGES, GERMAN_CHANGES, SPANISH_CHANGES } from './other-changes.ts'
import { FRENCH_CLAUSES, GERMAN_CLAUSES, SPANISH_CLAUSES } from './other-clauses.ts'
import type { Rule } from './rule.ts'
import { SPANISH } from './spanish.ts'

export const RULES: Readonly<Record<Language, readonly Rule[]>> = {
  en: [
    ...ENGLISH_WORK,
    ...ENGLISH_LIFE,
    ...ENGLISH_CLAUSES,
    ...ENGLISH_COMPANIONS,
    ...ENGLISH_PLACES,
    ...ENGLISH_HOMES,
    ...ENGLISH_JOBS,
    ...ENGLISH_CHIEFS,
    ...ENGLISH_TASTES,
    ...ENGLISH_CHANGES,
    ...ENGLISH_EXITS,
  ],
  de: [...GERMAN, ...GERMAN_CLAUSES, ...GERMAN_CHANGES],
  es: [...SPANISH, ...SPANISH_CLAUSES, ...SPANISH_CHANGES],
  fr: [...FRENCH, ...FRENCH_CLAUSES, ...FRENCH_CHANGES],
}
