import { ANY, ORG, PERSON, PLACE, type Rule, THING, WORKERS } from './rule.ts'

/** The commonest facts in German. */
export const GERMAN: readonly Rule[] = [
  {
    type: 'WORKS_AT',
    says: '(?:bin|habe|hat|ist|sind) <3>(?: von <M>)? (?:zu|zur|zum) <F><O> (?:gewechselt|gegangen|gekommen)',
    target: ORG,
  },

  {
    type: 'USES_TECHNOLOGY',
    says: '(?:bin|ist|sind|habe|hat|haben) <3> von <M> (?:auf|zu) <O> (?:umgestiegen|gewechselt|migriert|umgestellt)',
    target: THING,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:bin|ist|sind|habe|hat|haben) <3> von <O> (?:auf|zu) <M> (?:umgestiegen|gewechselt|migriert|umgestellt)',
    target: THING,
    closes: true,
    known: true,
  },

  {
    type: 'MARRIED_TO',
    says: '(?:habe|hat|haben|bin|ist|sind) <3> von <O> (?:scheiden lassen|getrennt|geschieden)',
    target: PERSON,
    closes: true,
  },

  {
    type: 'WORKS_AT',
    says: 'arbeite(?:t|n|te|ten)? <5> (?:bei|beim|für) <F><O>(?: gearbeitet)?',
    target: ORG,
    past: /arbeitete/,
  },

  {
    type: 'WORKS_AT',
    says: '(?:habe?|hat|haben) <3> (?:bei|für) <F><O> (?:gearbeitet|gekündigt|aufgehört)',
    target: ORG,
    closes: true,
  },
  { type: 'WORKS_AT', says: '(?:ist|bin|sind) <4> bei', target: ORG },
  { type: 'WORKS_AT', says: '(?:hat|habe|haben) <O> <2> verlassen', target: ORG, closes: true },

  { type: 'LIVES_IN', says: '(?:wohn|leb)(?:e|t|en|te|ten) <4> in', target: PLACE, past: /(?:wohn|leb)ten?\b/ },
  {
    type: 'LIVES_IN',
    says: '(?:ist|bin|sind|zieht|ziehe|zog) <2>(?: von <M>)? nach <O> <2>(?: ?gezogen|umgezogen|um)?',
    target: PLACE,
  },
  {
    type: 'LIVES_IN',
    says: '(?:ist|bin|sind|zieht|zog) <2> (?:von|aus) <O> (?:nach <M> )?(?:gezogen|umgezogen|weggezogen|um)',
    target: PLACE,
    closes: true,
  },

  { type: 'BORN_IN', says: '(?:wurde|ist|bin|sind|wurden) <4> in <O> <2> geboren', target: PLACE },
  { type: 'BORN_IN', says: '(?:komme|kommt|stammt|stamme) <2> aus', target: PLACE },
  { type: 'VISITED', says: '(?:war|waren) <4> in', target: PLACE },

  { type: 'STUDIED_AT', says: '(?:hat|habe|haben) <4> an (?:der|dem) <O> <3> studiert', target: ORG },

  {
    type: 'USES_TECHNOLOGY',
    says: '(?:benutz|nutz|verwend)(?:e|et|t|en)(?: ich| wir)?',
    target: THING,
    source: WORKERS,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:programmier|entwickl|arbeit)(?:e|et|t|n|en) <2> (?:in|mit)',
    target: THING,
    known: true,
  },
  { type: 'MANAGES', says: '(?:leit|führ)(?:e|et|t|en)', target: ['ORGANIZATION', 'PERSON'] },

  { type: 'LIKES', says: '(?:mag|mögen|liebe|liebt|lieben|bevorzuge|bevorzugt)', target: ANY },
  { type: 'DISLIKES', says: '(?:hasse|hasst|hassen)', target: ANY },

  { type: 'LIVES_IN', says: '(?:habe|hat|haben) <3> in <O> (?:gewohnt|gelebt)', target: PLACE, closes: true },
]
