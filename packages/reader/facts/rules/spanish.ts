import { ANY, ORG, PERSON, PLACE, type Rule, THING, WORKERS } from './rule.ts'

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
