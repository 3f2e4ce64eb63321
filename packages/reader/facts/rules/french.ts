import { ANY, ORG, PERSON, PLACE, type Rule, THING, WORKERS } from './rule.ts'

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
