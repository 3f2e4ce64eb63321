import { PERSON, type Rule, THING, WORKERS } from './rule.ts'

/** English phrases for acquaintances and tools. */
export const ENGLISH_COMPANIONS: readonly Rule[] = [
  // Friends and acquaintances.
  {
    type: 'KNOWS',
    says: '(?:engaged to|dating|in a relationship with|going out with|shar(?:e|es|ing) (?:a|the) desk with)',
    target: PERSON,
  },
  { type: 'KNOWS', says: 'introduced (?:me|us|i) to <F><O>', target: PERSON, user: true },
  { type: 'KNOWS', says: '<O> introduced (?:me|us|i)', target: PERSON, user: true },
  {
    type: 'KNOWS',
    says: '(?:ran into|bumped into|catching up with|caught up with|hung out with|hangs out with|hanging out with|stayed with|stays with|staying with|had (?:drinks|breakfast|tea) with)',
    target: PERSON,
  },
  { type: 'KNOWS', says: '(?:me|i) and <O>(?: ,)?<3> met', target: PERSON, user: true },
  { type: 'KNOWS', says: '<O> and (?:me|i)(?: ,)?<3> met', target: PERSON, user: true },
  { type: 'KNOWS', says: '<O> , whom (?:i|we) <6> (?:met|know|knew|known|seen)', target: PERSON, user: true },
  {
    type: 'KNOWS',
    says: '(?:do|does|did|play|plays|played|went|go|goes|train|trains|study|studies|travel|travels|travelled|hike|hikes|hiked|run|runs|ran|cook|cooks) <5> with',
    target: PERSON,
  },
  // Phrases for using something.
  { type: 'USES_TECHNOLOGY', says: '(?:use|uses|using) <M> for <3> (?:, )?(?:and|,) <O> for', target: THING },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:deploys? to|deploying to|deployed (?:to|on)|hosted on|hosting on|monitors? <2> with)',
    target: THING,
    source: WORKERS,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:my|our) <2> (?:laptop|pc|server|homelab|machine|phone|computer|desktop|nas)(?: is <F><M>)?<2> (?:runs?|running) (?:on )?<O>',
    target: THING,
    user: true,
    known: true,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:settled on|settling on|went with|opted for|chose|picked|picked up|standardi[sz]ed on|sits? on|swears? by|backed by|built on top of)',
    target: THING,
    source: WORKERS,
    known: true,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:everything|it all|all of it) <3> runs? on',
    target: THING,
    user: true,
    known: true,
  },
  { type: 'USES_TECHNOLOGY', says: '<O> user (?:since|for)', target: THING, user: true },
  { type: 'USES_TECHNOLOGY', says: 'migrated <4> off(?: of)?', target: THING, closes: true, source: WORKERS },
  {
    type: 'USES_TECHNOLOGY',
    says: "<S> 's <2> (?:stack|setup|toolchain) is <3> (?:: )?<O>",
    target: THING,
    bound: true,
    known: true,
  },
  { type: 'USES_TECHNOLOGY', says: '<O> (?:is|are) used by <F><S>', target: THING, source: WORKERS, bound: true },
  {
    type: 'USES_TECHNOLOGY',
    says: '<O> is what (?:i|we) <3> (?:write|build|code|use|work)',
    target: THING,
    user: true,
  },
]
