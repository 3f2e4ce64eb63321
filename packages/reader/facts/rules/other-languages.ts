import { ANY, ORG, ORG_OR_THING, PERSON, PLACE, type Rule, THING, WORKERS } from './rule.ts'

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

/** The commonest facts in Spanish, whose verbs name the first person by their form. */
export const SPANISH: readonly Rule[] = [
  { type: 'MARRIED_TO', says: '(?:casó) con', target: PERSON },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:cambié|cambiamos|dejé|reemplacé) <M> por <O>',
    target: THING,
    user: true,
    change: 'tools',
  },

  { type: 'WORKS_AT', says: '(?:dejó <M> y <1> (?:fue|pasó|cambió) a <O>)', target: ORG, strict: true },

  {
    type: 'WORKS_AT',
    says: '(?<! (?:mi|mis|el|un|su|del|al|de|este) )(?:trabajo|estoy trabajando) <4> (?:en|para)',
    target: ORG,
    user: true,
  },

  { type: 'WORKS_AT', says: '(?:trabaja|trabajan) <4> (?:en|para)', target: ORG },

  { type: 'WORKS_AT', says: '(?:dejó|abandonó|renunció a)', target: ORG, closes: true },
  { type: 'WORKS_AT', says: '(?:dejé|renuncié a|tuve que dejar)', target: ORG, closes: true, user: true },
  { type: 'LIVES_IN', says: '(?:vivo|estoy viviendo|vivimos) <4> en', target: PLACE, user: true },
  { type: 'LIVES_IN', says: '(?:vive|viven) <4> en', target: PLACE },
  { type: 'LIVES_IN', says: '(?:viví|vivía) <4> en', target: PLACE, user: true, closes: true },

  { type: 'LIVES_IN', says: 'mudó <2>(?: de(?:sde)? <M>)? a <O>', target: PLACE },
  { type: 'LIVES_IN', says: 'mudé <2>(?: de(?:sde)? <M>)? a <O>', target: PLACE, user: true },
  { type: 'LIVES_IN', says: 'mudó <1> de(?:sde)? <O>', target: PLACE, closes: true },

  { type: 'BORN_IN', says: 'nació <4> en', target: PLACE },
  { type: 'BORN_IN', says: '(?:nací <4> en|soy de)', target: PLACE, user: true },
  { type: 'BORN_IN', says: 'es de', target: PLACE, known: true },
  {
    type: 'VISITED',
    says: '(?:visité|visitamos|viajé a|viajamos a|fui a|fuimos a|estuve en|estuvimos en)',
    target: PLACE,
    user: true,
  },

  { type: 'STUDIED_AT', says: '(?:estudió|estudia|se graduó) <4> (?:en|de)', target: ORG },

  {
    type: 'USES_TECHNOLOGY',
    says: '(?:uso|usamos|utilizo|utilizamos|programo en|programamos en)',
    target: THING,
    user: true,
  },
  { type: 'USES_TECHNOLOGY', says: '(?:usa|usan|utiliza|utilizan|programa en)', target: THING, source: WORKERS },
  { type: 'MARRIED_TO', says: '(?:está|es) casad[oa] con', target: PERSON },
  { type: 'MARRIED_TO', says: 'estoy casad[oa] con', target: PERSON, user: true },

  { type: 'LIKES', says: '(?:me <1> gustan?|me encantan?|prefiero|amo|adoro)', target: ANY, user: true },
  { type: 'DISLIKES', says: '(?:odio|detesto)', target: ANY, user: true },
]

/** The commonest facts in French. */
export const FRENCH: readonly Rule[] = [
  {
    type: 'WORKS_AT',
    says: '(?:ai|a|ont|avons) <1> quitté <M> pour <1> <O>',
    target: ORG,
    strict: true,
    change: 'employers',
  },
  { type: 'LIVES_IN', says: '(?:ai|a|ont|avons) <1> quitté <M> pour <1> <O>', target: PLACE, known: true },

  {
    type: 'WORKS_AT',
    says: '(?:travaill|boss)(?:e|es|ent|ons|ais|ait) <4> (?:chez|pour|à)',
    target: ORG,
    past: /travaillai[st]/,
  },

  { type: 'WORKS_AT', says: '(?:ai|a|ont|avons) <1> quitté', target: ORG, closes: true },

  {
    type: 'LIVES_IN',
    says: '(?:habit(?:e|es|ons|ent|ais|ait)|vis|vit|vivons|vivent) <4> (?:à|en|au|aux|dans)',
    target: PLACE,
    past: /habitai[st]/,
  },
  { type: 'LIVES_IN', says: 'on (?:habite|vit) <4> (?:à|en|au|aux|dans)', target: PLACE, user: true },
  { type: 'LIVES_IN', says: '(?:déménagé|emménagé) <1>(?: de <M>)? (?:à|en|au|vers) <O>', target: PLACE },
  { type: 'LIVES_IN', says: 'déménagé de <O>', target: PLACE, closes: true },
  { type: 'BORN_IN', says: 'née?s? <3> (?:à|en|au|aux)', target: PLACE },

  {
    type: 'VISITED',
    says: '(?:(?:ai|a|avons|ont) <1> visité|(?:suis|est|sommes|sont) <1> allée?s? <1> (?:à|en|au|aux))',
    target: PLACE,
  },
  { type: 'STUDIED_AT', says: '(?:étudié|étudie|diplômée?) <4> (?:à|de)', target: ORG },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:utilise|utilisons|utilisent|programme en|code en)',
    target: THING,
    source: WORKERS,
  },
  { type: 'MARRIED_TO', says: 'mariée? (?:avec|à)', target: PERSON },

  { type: 'LIKES', says: '(?:aime|aimons|aiment|adore|adorons|préfère)', target: ANY },
]

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
