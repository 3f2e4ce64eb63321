import { ANY, NOW, ORG, PLACE, type Rule, THING, WORKERS } from './rule.ts'

/** Phrases for a change: a replacement, an end, a return, and the current state. */
const GAVE_UP =
  '(?:left|quit|ditched|dropped|swapped(?: out)?|traded(?: in)?|exchanged|abandoned|gave up|given up|replaced|dumped|switched|changed|sacrificed|deserted)'

const TASTES: readonly Rule[] = [
  {
    type: 'LIKES',
    says: "(?:(?:fallen|fell|falling|am|'m|is) in love with|hooked on|addicted to|big on|mad about|nuts about|wild about|a sucker for|partial to|taken up|took up|taking up|gotten into|got into|getting into|taken to|can't get enough of|can't live without|(?:fallen|fell)(?! for (?:the|a|it|that|this) ) for|live for|lives for)",
    target: ANY,
  },

  {
    type: 'LIKES',
    says: '(?:moved on from|(?:turned|turning) (?:my|his|her) back on|burn(?:ed|t) out on|given up on|gave up on|(?:kicked|ditched|cut out|dropped)(?! (?:the|my|our|his|her|their|a|an|this|that|it|out|off|by|in|from) ))',
    target: ANY,
    onlyEnds: true,
  },

  {
    type: 'LIKES',
    says: 'nothing (?:makes (?:me|us) happier|is better|is nicer|relaxes me more|beats|compares to|comes close to)(?: than)?',
    target: ANY,
    user: true,
  },
  {
    type: 'LIKES',
    says: "(?:gone off|went off|lost <2> (?:interest in|taste for|love for|love of|passion for|appetite for)|(?:grown|got|gotten|am|'m|is|are|became) <2> (?:tired of|sick of|fed up with|bored of|bored with|weary of)|had enough of|had it with|fallen out of love with|fell out of love with|outgrown|outgrew|cooled on|soured on)",
    target: ANY,
    closes: true,
  },
  {
    type: 'LIKES',
    says: "(?:gave up|given up|giving up|quit|stopped(?! (?:using|working|going|being|by|at|in|to|for|talking|seeing) )|stopped doing|stopped eating|stopped drinking|stopped playing|sworn off|swore off|(?:am|'m|is|are) <1> over|(?:am|'m|is|are) <1> (?:done|finished|through) with)",
    target: ANY,
    onlyEnds: true,
  },
]

const TOOLS: readonly Rule[] = [
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:run|runs|running) <O> <2> (?:in production|in prod|everywhere|at home|at work|on)',
    target: THING,
    source: WORKERS,
    known: true,
  },
  { type: 'USES_TECHNOLOGY', says: 'prefers? <O> (?:for|as|when)', target: THING, known: true },

  {
    type: 'USES_TECHNOLOGY',
    says: "(?:(?:went|gone|going|am|'m|is) (?:all in on|all-in on|fully on)|(?:went|gone|come|jumped|crossed) (?:over|across|on) to|(?:moved|changed|converted|transitioned|turned|switched) (?:over |across |on )?to)",
    target: THING,
    source: WORKERS,
    known: true,
  },

  {
    type: 'USES_TECHNOLOGY',
    says: `${GAVE_UP} <F><M> <1> (?:for|in favou?r of|in exchange for|with|by) <O>`,
    target: THING,
    source: WORKERS,
    strict: true,
    change: 'tools',
  },
  {
    type: 'USES_TECHNOLOGY',
    says: `${GAVE_UP} <F><O> <1> (?:for|in favou?r of|in exchange for|with) <M>`,
    target: THING,
    closes: true,
    strict: true,
    change: 'tools',
  },

  {
    type: 'USES_TECHNOLOGY',
    says: `used to use <M> <1> (?:,|;|but|and|–) <1> ${NOW} <1> (?:it is|it 's|it's|i am on|i 'm on|i'm on|i|she|he|we) <2> <O>`,
    target: THING,
    source: WORKERS,
    strict: true,
    holds: true,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:bye|goodbye|farewell|so long) <2> <M> <1> (?:,|and|–|;|!|\\.) <1> (?:hello|hi|welcome) <2> <O>',
    target: THING,
    user: true,
    known: true,
  },
  {
    type: 'LIVES_IN',
    says: '(?:bye|goodbye|farewell|so long) <2> <M> <1> (?:,|and|–|;|!|\\.) <1> (?:hello|hi|welcome) <2> <O>',
    target: PLACE,
    user: true,
    known: true,
  },
  {
    type: 'WORKS_AT',
    says: '(?:bye|goodbye|farewell|so long) <2> <M> <1> (?:,|and|–|;|!|\\.) <1> (?:hello|hi|welcome) <2> <O>',
    target: ORG,
    user: true,
    strict: true,
    change: 'employers',
  },

  {
    type: 'USES_TECHNOLOGY',
    says: '<O> (?:has )?replaced <M> <1> (?:in|as|for) (?:my|our)',
    target: THING,
    user: true,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '<M> (?:has )?replaced <O> <1> (?:in|as|for) (?:my|our)',
    target: THING,
    user: true,
    closes: true,
  },
]

/** Said of anything: it is over, if it ever was. */
const OVER =
  "(?:(?:said |say |saying )?(?:bye|goodbye|farewell|so long)(?: to)?|(?:am|'m|is|'s|are) <2> (?:done|finished|through) with|put <O> behind)"
const OVER_AFTER =
  '(?<! (?:to|in|from|at|of|for|with|and|near) )<O> (?:is|are|was) (?:(?:history|gone|over|out)(?= (?:[.,;!]|for|now|and|but) )|behind me|behind us|in the past|a thing of the past|not for me)'
const ENDED: readonly (readonly [Rule['type'], Rule['target']])[] = [
  ['WORKS_AT', ORG],
  ['LIVES_IN', PLACE],
  ['USES_TECHNOLOGY', THING],
]
const OVERS: readonly Rule[] = ENDED.flatMap(([type, target]): Rule[] => {
  const how = { type, target, onlyEnds: true, ...(type === 'WORKS_AT' ? { strict: true } : { known: true }) }
  return [
    { ...how, says: OVER.replace('|put <O> behind', '') },
    { ...how, says: OVER_AFTER, user: true },
  ]
})

/** Phrases for a new liking and for its end. */
export const ENGLISH_TASTES: readonly Rule[] = [...TASTES, ...TOOLS, ...OVERS]
