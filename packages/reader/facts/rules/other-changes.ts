import { ORG, PERSON, PLACE, type Rule, THING } from './rule.ts'

const SACKED = '(?:entlassen|gefeuert|rausgeworfen|rausgeschmissen|gekündigt)'

/** German phrases for a change or an end. */
export const GERMAN_CHANGES: readonly Rule[] = [
  { type: 'LIVES_IN', says: '(?:bin|ist|sind) <2> in <O> (?:zu hause|zuhause|daheim)', target: PLACE, known: true },
  {
    type: 'WORKS_AT',
    says: '(?:habe|hat|haben) <3> bei(?: der| dem)? <O> <1> (?:angefangen|begonnen|gestartet)',
    target: ORG,
  },
  {
    type: 'WORKS_AT',
    says: '(?:mein|unser) <1> (?:arbeitgeber|arbeitsplatz) (?:ist|heißt) <1>(?:die |der |das )?<O>(?! nicht)',
    target: ORG,
    user: true,
  },
  { type: 'WORKS_AT', says: `<O> hat (?:mich|uns|mir) <2> ${SACKED}`, target: ORG, user: true, closes: true },
  {
    type: 'WORKS_AT',
    says: '(?:habe|hat|haben) (?:meinen|meine|seinen|seine|ihren|ihre|den|die) <1> (?:job|stelle|arbeit|arbeitsplatz|posten) bei(?: der| dem)? <O> <1> (?:verloren|gekündigt|aufgegeben)',
    target: ORG,
    closes: true,
  },
  {
    type: 'REPORTS_TO',
    says: '<O> ist <1> (?:meine|mein|unsere|unser) <1> (?:chefin|chef|vorgesetzte|vorgesetzter) , nicht (?:mehr )?<M>',
    target: PERSON,
    user: true,
    holds: true,
  },
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
    type: 'LIVES_IN',
    says: '(?:se ha|se han|se) (?:mudado|trasladado|trasladó|instalado|instaló) (?:de <M> )?(?:a|en) <O>',
    target: PLACE,
  },
  { type: 'LIVES_IN', says: '(?:resido|residimos) <2> en', target: PLACE, user: true },
  {
    type: 'WORKS_AT',
    says: '(?:empecé|comencé|he empezado|he comenzado) <1> (?:a trabajar )?(?:en|con|para)',
    target: ORG,
    user: true,
    strict: true,
  },
  {
    type: 'WORKS_AT',
    says: '(?:empezó|comenzó|ha empezado|ha comenzado) <1> (?:a trabajar )(?:en|con|para)',
    target: ORG,
  },
  { type: 'WORKS_AT', says: '<O> me (?:despidió|ha despedido|echó|ha echado)', target: ORG, user: true, closes: true },
  {
    type: 'WORKS_AT',
    says: '(?:perdí|dejé|he perdido|he dejado|renuncié a) (?:mi|el) <1> (?:trabajo|puesto|empleo) <1> en',
    target: ORG,
    user: true,
    closes: true,
  },
  {
    type: 'WORKS_AT',
    says: '(?:he dejado|hemos dejado|he renunciado a)',
    target: ORG,
    user: true,
    closes: true,
    strict: true,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:dejé|he dejado|dejamos) de (?:usar|utilizar)',
    target: THING,
    user: true,
    closes: true,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:uso|utilizo|usamos|utilizamos) <1> <M> (?:en lugar de|en vez de) <O>',
    target: THING,
    user: true,
    onlyEnds: true,
    strict: true,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:reemplacé|sustituí|he reemplazado|he sustituido|he cambiado|cambié) <M> (?:con|por) <O>',
    target: THING,
    user: true,
    strict: true,
    change: 'tools',
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
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:cambió|reemplazó|sustituyó) <M> (?:con|por) <O>',
    target: THING,
    strict: true,
    change: 'tools',
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:cambió|reemplazó|sustituyó) <O> (?:con|por) <M>',
    target: THING,
    strict: true,
    change: 'tools',
    closes: true,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:he cambiado|he pasado|cambié|me he pasado) de <M> a <O>',
    target: THING,
    user: true,
    strict: true,
    change: 'tools',
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:he cambiado|he pasado|cambié|me he pasado) de <O> a <M>',
    target: THING,
    user: true,
    strict: true,
    change: 'tools',
    closes: true,
  },
  {
    type: 'WORKS_AT',
    says: '(?:he cambiado|he pasado|cambié|me he pasado) de <M> a <O>',
    target: ORG,
    user: true,
    strict: true,
    change: 'employers',
  },
]

/** The same in French. */
export const FRENCH_CHANGES: readonly Rule[] = [
  {
    type: 'LIVES_IN',
    says: "(?:m'|m' |me |nous |s'|s' |se )(?:installer|installée?|suis installée?|sommes installés) à",
    target: PLACE,
    user: true,
  },
  { type: 'WORKS_AT', says: '(?:ai|avons|a) commencé <2> (?:chez|à travailler (?:chez|pour))', target: ORG },
  {
    type: 'WORKS_AT',
    says: "<O> (?:m'|m' )a (?:licenciée?|virée?|renvoyée?|remerciée?)",
    target: ORG,
    user: true,
    closes: true,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:utilise|utilisons|utilisent) <1> <M> (?:au lieu de|à la place de|plutôt que) <O>',
    target: THING,
    onlyEnds: true,
    strict: true,
  },
]
