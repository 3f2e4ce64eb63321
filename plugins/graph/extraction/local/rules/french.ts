import { ANY, ORG, ORG_OR_THING, PERSON, PLACE, type Rule, THING, WORKERS } from './rule.ts'

/** The commonest facts in French. */
export const FRENCH: readonly Rule[] = [
  {
    type: 'WORKS_AT',
    says: '(?:travaill|boss)(?:e|es|ent|ons|ais|ait) <4> (?:chez|pour|à)',
    target: ORG,
    past: /travaillai[st]/,
  },
  { type: 'WORKS_AT', says: '(?:ai|a|ont|avons) <2> travaillé <3> (?:chez|pour|à)', target: ORG, closes: true },
  { type: 'WORKS_AT', says: '(?:ai|a|ont|avons) <1> quitté', target: ORG, closes: true },
  { type: 'WORKS_AT', says: '(?:ai|a|ont) rejoint', target: ORG },
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
  { type: 'BORN_IN', says: "(?:viens|vient) (?:de|du|d')", target: PLACE },
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
  { type: 'MANAGES', says: '(?:dirige|gère|encadre)', target: ['ORGANIZATION', 'PERSON'] },
  { type: 'CREATED', says: '(?:a|ai|ont) (?:fondé|créé|écrit|développé)', target: ORG_OR_THING },
  { type: 'KNOWS', says: '(?:connais|connaît|rencontré)', target: PERSON },
  { type: 'LIKES', says: '(?:aime|aimons|aiment|adore|adorons|préfère)', target: ANY },
  { type: 'DISLIKES', says: '(?:déteste|détestons|hais)', target: ANY },
  {
    type: 'LOCATED_IN',
    says: '(?:se trouve|est situé|est située) (?:à|en|au)',
    target: PLACE,
    source: ['ORGANIZATION', 'PLACE'],
  },
  {
    type: 'OWNS',
    says: "(?:mon|ma) (?:chien|chienne|chat|chatte|cheval)(?: s' appelle)? <O>",
    target: THING,
    user: true,
  },
  { type: 'COLLABORATES_WITH', says: 'travaill(?:e|es|ent|ons) <3> avec', target: PERSON, known: true },
]
