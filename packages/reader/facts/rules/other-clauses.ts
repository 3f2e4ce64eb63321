import { ANY, ORG, ORG_OR_THING, PERSON, PLACE, type Rule, THING, WORKERS } from './rule.ts'

/** Relative clauses, passives and changes in German. */
export const GERMAN_CLAUSES: readonly Rule[] = [
  {
    type: 'WORKS_AT',
    says: '(?:der|die) <3> bei(?: der| dem)? <O> <1> (?:war|arbeitete|gearbeitet hat|angestellt war)',
    target: ORG,
    closes: true,
  },

  { type: 'WORKS_AT', says: '<S> (?:von der|von|vom) <O>', target: ORG, bound: true, known: true },

  { type: 'USES_TECHNOLOGY', says: 'bei (?:uns|mir) <3> (?:läuft|laufen) <4> auf', target: THING, user: true },
]

/** The same in Spanish. */
export const SPANISH_CLAUSES: readonly Rule[] = [
  { type: 'LIKES', says: 'no (?:soporto|aguanto)', target: ANY, user: true },
  { type: 'LIKES', says: '(?:le|les) <1> (?:gustan?|encantan?)', target: ANY },

  {
    type: 'OWNS',
    says: 'tiene (?:un|una|dos) (?:perr[oa]s?|gat[oa]s?) (?:llamad[oa]s?|que se llaman?|,) <O>',
    target: THING,
  },
]

/** The same in French. */
export const FRENCH_CLAUSES: readonly Rule[] = [
  {
    type: 'WORKS_AT',
    says: '(?:a|ai|ont|est|suis) (?:été )?(?:embauchée?s?|recrutée?s?|engagée?s?) (?:par|chez)',
    target: ORG,
  },
  { type: 'WORKS_AT', says: '(?:vient|viens|venait|arrive) de chez', target: ORG, closes: true },
  {
    type: 'LIVES_IN',
    says: "avant <2> j' (?:étais|habitais|vivais) <1> (?:à|en|au)",
    target: PLACE,
    user: true,
    closes: true,
  },
  {
    type: 'CREATED',
    says: '(?:fondée?|créée?|écrite?|développée?) par',
    target: PERSON,
    source: ORG_OR_THING,
    inverse: true,
  },

  {
    type: 'USES_TECHNOLOGY',
    says: '(?:abandonné|remplacé|quitté) <M> (?:pour|par|au profit de) <O>',
    target: THING,
    source: WORKERS,
  },
  {
    type: 'OWNS',
    says: '(?:ai|a|avons|ont) (?:adopté )?(?:un|une|deux) <1> ?(?:chien|chienne|chat|chatte|chaton|chiot)s? (?:nommée?s?|appelée?s?|,) <O>',
    target: THING,
  },
]
