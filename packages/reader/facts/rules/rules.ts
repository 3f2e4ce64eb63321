import type { RelationType } from '../kinds.ts'
import type { Language } from '../parts.ts'
import { ENGLISH_CHANGES, ENGLISH_EXITS } from './english-changes.ts'
import { ENGLISH_CLAUSES } from './english-clauses.ts'
import { ENGLISH_HOMES, ENGLISH_PLACES } from './english-homes.ts'
import { ENGLISH_JOBS } from './english-jobs.ts'
import { ENGLISH_LIFE } from './english-life.ts'
import { ENGLISH_TASTES } from './english-tastes.ts'
import { ENGLISH_CHIEFS, ENGLISH_COMPANIONS, ENGLISH_WORK } from './english-work.ts'
import {
  FRENCH,
  FRENCH_CHANGES,
  FRENCH_CLAUSES,
  GERMAN,
  GERMAN_CHANGES,
  GERMAN_CLAUSES,
  SPANISH,
  SPANISH_CHANGES,
  SPANISH_CLAUSES,
} from './other-languages.ts'
import type { Rule } from './rule.ts'

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

/** Words that end whatever there is of a kind, without naming it. */
export interface Ending {
  readonly type: RelationType
  /** A pattern from the verb on, or of all where it tells whose it is: by `user`, or by names caught as `<S>`. */
  readonly says: string
  readonly user?: boolean
}

const GONE =
  '(?:laid off|fired|sacked|made redundant|let go|dismissed|terminated|furloughed|canned|axed|given the (?:sack|boot|axe))'
const JOB = '(?:job|jobs|position|post|work|role|employment)'
const PARTED = '(?:divorced|separated|single|widowed|unmarried)'

const UNION_OVER =
  '(?:(?:is|has|was|came|went|got|fell|broke) <2> (?:over|ended|through|final|finali[sz]ed|failed|apart|down|done|dead)|ended|collapsed|failed|crumbled)'

const ENGLISH_ENDINGS: readonly Ending[] = [
  { type: 'WORKS_AT', says: `(?:got|was|were|been|am|'m|is|are|'s|being|have been|has been) <2> ${GONE}` },
  {
    type: 'WORKS_AT',
    says: `(?:lost|quit|left|resigned from|gave up|given up|walked out of|packed in|chucked in) (?:my|his|her|their|the) <1> ${JOB}`,
  },
  {
    type: 'WORKS_AT',
    says: "(?:am|'m|is|'s|are|became|been) <2> (?:unemployed|jobless|out of work|out of a job|between jobs|retired|on the dole|on unemployment|on unemployment benefits?)",
  },

  {
    type: 'WORKS_AT',
    says: '(?:resigned|retired)(?= (?:$|(?:[.,;!]|at|last|this|in|early|from|after|and|but|because|due|today|yesterday|recently|now|for|on|as|two|three|a) ))',
  },

  {
    type: 'WORKS_AT',
    says: 'quit(?= (?:$|(?:[.,;!]|today|yesterday|recently|last|this|because|and|after|without|for good|on the spot|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:a|two|three|a few|\\d+) (?:days?|weeks?|months?) ago) ))',
  },

  { type: 'WORKS_AT', says: `(?:changed|switched) (?:jobs?|employers?|companies|workplaces|careers)` },

  {
    type: 'WORKS_AT',
    says: "(?:don't|doesn't|do not|does not) (?:have a job|have any job|work|work anywhere) (?:anymore|any more|any longer|right now|at the moment|at present)",
  },

  { type: 'MARRIED_TO', says: `(?:am|'m|is|'s|got|are|'re|been|was|were|became) <2> ${PARTED}(?! from)` },

  { type: 'MARRIED_TO', says: `<S> 's (?:marriage|divorce) <1> ${UNION_OVER}` },
]
const GERMAN_ENDINGS: readonly Ending[] = [
  {
    type: 'WORKS_AT',
    says: '(?:habe|hat) (?:(?:(?:gestern|heute|kürzlich|neulich|gerade|eben|endlich|selbst|letzte woche|letzten monat) )?gekündigt|<1> ?(?:meinen|meine|seinen|seine|ihren|ihre|den|die) <1> (?:job|stelle|arbeit) <1> (?:verloren|gekündigt|aufgegeben))',
  },

  { type: 'MARRIED_TO', says: '(?:bin|ist|sind) <2> (?:geschieden|getrennt|single)' },
]
const FRENCH_ENDINGS: readonly Ending[] = [
  {
    type: 'WORKS_AT',
    says: "(?:on vient de me (?:licencier|virer)|on (?:m'|m' )a (?:licenciée?|virée?)|je viens (?:d'|d' )être (?:licenciée?|virée?)|je viens de (?:démissionner|perdre mon (?:travail|emploi|boulot)))",
    user: true,
  },
]
export const ENDINGS: Readonly<Record<Language, readonly Ending[]>> = {
  en: ENGLISH_ENDINGS,
  de: GERMAN_ENDINGS,
  es: [],
  fr: FRENCH_ENDINGS,
}

/** "is not single": but "is not married" ends. */
export const DENIED = / (?:not|never|nearly|almost|hardly) (?!married|together|working|employed|renewed|extended)/
/** Told of long ago, it is not what ends what holds today. */
export const LONG_AGO =
  / (?:(?:years?|decades?|ages|long|while|time|(?:few|several|many) months) ago|once|back then|at the time|years? before|when i was|as a (?:child|kid|student)|früher|hace|jadis) /
