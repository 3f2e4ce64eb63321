import { ORG, PLACE, type Rule, THING } from './rule.ts'

const SACKED = '(?:entlassen|gefeuert|rausgeworfen|rausgeschmissen|gekündigt)'

/** German phrases for a change or an end. */
export const GERMAN_CHANGES: readonly Rule[] = [
  { type: 'WORKS_AT', says: `<O> hat (?:mich|uns|mir) <2> ${SACKED}`, target: ORG, user: true, closes: true },
]

/** The same in Spanish. */
export const SPANISH_CHANGES: readonly Rule[] = [
  {
    type: 'LIVES_IN',
    says: '(?:(?:me|nos) )?(?:he|hemos|me|nos) (?:mudado|mudamos|trasladado|trasladé|instalado|instalé) (?:de <M> )?(?:a|en) <O>',
    target: PLACE,
    user: true,
  },

  {
    type: 'WORKS_AT',
    says: '(?:perdí|dejé|he perdido|he dejado|renuncié a) (?:mi|el) <1> (?:trabajo|puesto|empleo) <1> en',
    target: ORG,
    user: true,
    closes: true,
  },

  {
    type: 'USES_TECHNOLOGY',
    says: '(?:reemplacé|sustituí|he reemplazado|he sustituido|he cambiado|cambié) <O> (?:con|por) <M>',
    target: THING,
    user: true,
    strict: true,
    change: 'tools',
    closes: true,
  },
]

/** The same in French. */
export const FRENCH_CHANGES: readonly Rule[] = [
  {
    type: 'WORKS_AT',
    says: "<O> (?:m'|m' )a (?:licenciée?|virée?|renvoyée?|remerciée?)",
    target: ORG,
    user: true,
    closes: true,
  },
]
