import { PERSON, type Rule, THING, WORKERS } from './rule.ts'

/** English phrases for acquaintances and tools. */
export const ENGLISH_COMPANIONS: readonly Rule[] = [
  // Friends and acquaintances.
  {
    type: 'KNOWS',
    says: '(?:engaged to|dating|in a relationship with|going out with|shar(?:e|es|ing) (?:a|the) desk with)',
    target: PERSON,
  },

  { type: 'KNOWS', says: '<O> introduced (?:me|us|i)', target: PERSON, user: true },
  {
    type: 'KNOWS',
    says: '(?:ran into|bumped into|catching up with|caught up with|hung out with|hangs out with|hanging out with|stayed with|stays with|staying with|had (?:drinks|breakfast|tea) with)',
    target: PERSON,
  },
  { type: 'KNOWS', says: '(?:me|i) and <O>(?: ,)?<3> met', target: PERSON, user: true },

  {
    type: 'KNOWS',
    says: '(?:do|does|did|play|plays|played|went|go|goes|train|trains|study|studies|travel|travels|travelled|hike|hikes|hiked|run|runs|ran|cook|cooks) <5> with',
    target: PERSON,
  },

  {
    type: 'USES_TECHNOLOGY',
    says: '(?:settled on|settling on|went with|opted for|chose|picked|picked up|standardi[sz]ed on|sits? on|swears? by|backed by|built on top of)',
    target: THING,
    source: WORKERS,
    known: true,
  },

  { type: 'USES_TECHNOLOGY', says: '<O> user (?:since|for)', target: THING, user: true },
  { type: 'USES_TECHNOLOGY', says: 'migrated <4> off(?: of)?', target: THING, closes: true, source: WORKERS },

  {
    type: 'USES_TECHNOLOGY',
    says: '<O> is what (?:i|we) <3> (?:write|build|code|use|work)',
    target: THING,
    user: true,
  },
]
