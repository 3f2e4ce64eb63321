import { BE, FORMER, GAVE_UP, NOTE, NOW, PLACE, type Rule } from './rule.ts'

const HOUSING = '(?:flat|apartment|house|home|place|room|studio|condo|address|base|family)'

/** Phrases for a move. */
export const ENGLISH_HOMES: readonly Rule[] = [
  {
    type: 'LIVES_IN',
    says: '(?:been|lived) <2> in <O> <2> (?:since(?! (?:yesterday|last night|this|monday|tuesday|wednesday|thursday|friday|saturday|sunday|d{1,2}) )|for <3> (?:years?|months|decades?|ages)|all my life|my whole life)',
    target: PLACE,
    strict: true,
  },
  {
    type: 'LIVES_IN',
    says: `${BE} <1> (?:a|an) <1> <O> (?:resident|local|citizen|dweller)`,
    target: PLACE,
    strict: true,
  },

  {
    type: 'LIVES_IN',
    says: `${NOTE}(?:city|town|location|residence|address|home|hometown|based in|lives in|living in|place of residence)(?: is)? :<1>`,
    target: PLACE,
    user: true,
  },
  {
    type: 'LIVES_IN',
    says: `(?<! (?:traded|swapped|exchanged|sold|selling|left|leaving|out of|given up|gave up|giving up|to) )(?:my|our)${FORMER}<3> ${HOUSING} <1> (?:is <1> )?in <O>`,
    target: PLACE,
    user: true,
  },
  { type: 'LIVES_IN', says: `<S> 's${FORMER}<3> ${HOUSING} <1> (?:is <1> )?in <O>`, target: PLACE, bound: true },
  {
    type: 'LIVES_IN',
    says: `<S> 's${FORMER}<2> (?:home|hometown|home town|city|residence|address) <1> (?:is|:) <2> (?:in )?<O>`,
    target: PLACE,
    bound: true,
  },

  { type: 'LIVES_IN', says: '(?:call|calls|calling|made|makes) <F><O> <2> home', target: PLACE, strict: true },

  {
    type: 'LIVES_IN',
    says: `(?:change of address|address change|new address|new home|new city|moved house|moved home) <1> (?::|–|,)(?! (?:\\d|from ))<6>`,
    target: PLACE,
    user: true,
  },

  {
    type: 'LIVES_IN',
    says: `${GAVE_UP} <F><M> <1> (?:for|in favou?r of|in exchange for) <O>`,
    target: PLACE,
    known: true,
  },
  { type: 'LIVES_IN', says: '(?:got|getting|picked up|have|received) the keys (?:to|for|of) <4> in', target: PLACE },

  {
    type: 'LIVES_IN',
    says: '(?:ended up|wound up|landed|went|gone|ended) <2> (?:living|staying|to live|settling) in',
    target: PLACE,
    strict: true,
  },

  { type: 'LIVES_IN', says: `${BE} ${NOW} in <O>(?! for)`, target: PLACE, known: true },

  {
    type: 'LIVES_IN',
    says: `<O> (?:is|has been|became|is <1>) <1> (?:where (?:i|we) live|(?:my|our) (?:new |permanent )*(?:home|base|city|place))`,
    target: PLACE,
    user: true,
    strict: true,
  },
  {
    type: 'LIVES_IN',
    says: `${BE} (?:no longer|not) (?:based |living )?in <O>`,
    target: PLACE,
    onlyEnds: true,
    known: true,
  },
  {
    type: 'LIVES_IN',
    says: '(?:gave up|sold|moved out of|gave back|gave notice on) <4> in',
    target: PLACE,
    onlyEnds: true,
    strict: true,
  },
  {
    type: 'LIVES_IN',
    says: '(?:sold|gave up|left) <4> in <M> and <2> (?:bought|rented|rent|rents|found|got) <3> in <O>',
    target: PLACE,
    strict: true,
  },
]
