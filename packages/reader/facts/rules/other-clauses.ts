import { ANY, ORG, ORG_OR_THING, PERSON, PLACE, type Rule, THING, WORKERS } from './rule.ts'

/** Relative clauses, passives and changes in German. */
export const GERMAN_CLAUSES: readonly Rule[] = [
  {
    type: 'WORKS_AT',
    says: '(?:der|die) <3> bei(?: der| dem)? <O> <1> (?:war|arbeitete|gearbeitet hat|angestellt war)',
    target: ORG,
    closes: true,
  },
  { type: 'WORKS_AT', says: '(?:der|die) <3> bei(?: der| dem)? <O> (?:arbeitet|ist|angestellt ist)', target: ORG },
  { type: 'WORKS_AT', says: '<S> (?:von der|von|vom) <O>', target: ORG, bound: true, known: true },
  { type: 'WORKS_AT', says: '(?:früher|vorher|zuletzt) <2> bei(?: der| dem)? <O>', target: ORG, closes: true },
  { type: 'LIVES_IN', says: '(?:wohn|leb)(?:e|t|en) <2> mit <4> <M> in <O>', target: PLACE },
  {
    type: 'LIVES_IN',
    says: '(?:mein|unser)e? <2> (?:wohnung|haus|zuhause) <1> (?:ist|liegt) in <O>',
    target: PLACE,
    user: true,
  },
  { type: 'MANAGES', says: '(?:geleitet|geführt) (?:von|durch)', target: PERSON, source: ORG_OR_THING, inverse: true },
  { type: 'USES_TECHNOLOGY', says: 'bei (?:uns|mir) <3> (?:läuft|laufen) <4> auf', target: THING, user: true },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:die|unsere|meine) (?:datenbank|sprache|umgebung) ist',
    target: THING,
    user: true,
    known: true,
  },
  {
    type: 'OWNS',
    says: '(?:habe|hat|haben) (?:einen|eine|zwei) <2> (?:hund|katze|kater|pferd|hunde|katzen) (?:namens |, )?<O>',
    target: THING,
  },
  {
    type: 'INTERESTED_IN',
    says: '(?:interessier(?:e|t|en) (?:mich|sich|uns) <2> für|lern(?:e|t|en) <2>(?= ))',
    target: ANY,
  },
]

/** The same in Spanish. */
export const SPANISH_CLAUSES: readonly Rule[] = [
  { type: 'LIKES', says: 'no (?:soporto|aguanto)', target: ANY, user: true },
  { type: 'LIKES', says: '(?:le|les) <1> (?:gustan?|encantan?)', target: ANY },
  { type: 'WORKS_AT', says: '(?:dejé|abandoné) <O> <3> para', target: ORG, closes: true, user: true },
  { type: 'WORKS_AT', says: '(?:fue )?(?:contratad[oa]|fichad[oa]) (?:por|en)', target: ORG },
  { type: 'CREATED', says: '(?:fundad[oa]|cread[oa]) por', target: PERSON, source: ORG_OR_THING, inverse: true },
  { type: 'USES_TECHNOLOGY', says: '(?:pasamos|pasé|migramos|cambiamos) de <M> a <O>', target: THING, user: true },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:pasamos|pasé|migramos|cambiamos) de <O>',
    target: THING,
    user: true,
    closes: true,
  },
  {
    type: 'OWNS',
    says: '(?:tengo|tenemos) (?:un|una|dos) (?:perr[oa]s?|gat[oa]s?) (?:llamad[oa]s?|que se llaman?|,) <O>',
    target: THING,
    user: true,
  },
  {
    type: 'OWNS',
    says: 'tiene (?:un|una|dos) (?:perr[oa]s?|gat[oa]s?) (?:llamad[oa]s?|que se llaman?|,) <O>',
    target: THING,
  },
  { type: 'STUDIED_AT', says: 'estudia(?:n)? <4> (?:en|a)', target: ORG },
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
    says: 'abandonné <O> (?:pour|au profit de) <M>',
    target: THING,
    source: WORKERS,
    closes: true,
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
  { type: 'INTERESTED_IN', says: '(?:intéresse|intéressons|passionne) <1> (?:à|au|aux|pour)', target: ANY },
]
