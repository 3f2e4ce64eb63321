import { ANY, BE, FORMER, GAVE_UP, NOTE, NOW, ORG, PLACE, type Rule, THING } from './rule.ts'

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

const HOME = '(?:house|flat|apartment|place|home|condo|studio)'

/** More of where people live and go, what they own and like. */
export const ENGLISH_PLACES: readonly Rule[] = [
  { type: 'LIVES_IN', says: "(?:is|'s|am|'m|are|'re) <1> back <1> in", target: PLACE, known: true },

  {
    type: 'LIKES',
    says: '(?:my|our) <1> (?:hobbies|interests|passions|pastimes) (?:include|are|:)',
    target: ANY,
    user: true,
  },

  {
    type: 'LIVES_IN',
    says: '(?:lives?|living|lived) with [^.;:]{1,60}? in <O>',
    target: PLACE,
    past: /\blived\b/,
  },

  {
    type: 'LIVES_IN',
    says: '(?:(?:renting|resident) <3> in|residents? of|(?:working|works|freelancing|operates) out of)',
    target: PLACE,
  },
  {
    type: 'LIVES_IN',
    says: `(?:sold|gave up|moved out of) (?:the|my|our|his|her|their) <2> ${HOME} in`,
    target: PLACE,
    closes: true,
  },
  {
    type: 'LIVES_IN',
    says: `(?:bought|buying|has|have|got|found) (?:a|an|my|our|his|her|their) <2> ${HOME} in <O>(?! for)`,
    target: PLACE,
    known: true,
  },
  { type: 'LIVES_IN', says: "(?:is|'s|am|'m|are|was) (?:a|an|the) <5> based in", target: PLACE, past: /^was/ },
  { type: 'LIVES_IN', says: '(?:since|after|before) leaving', target: PLACE, closes: true, known: true },
  {
    type: 'LIVES_IN',
    says: '(?:grew up|growing up|raised) (?:together|bilingual|partly|mostly) (?:in|near)',
    target: PLACE,
    closes: true,
  },

  {
    type: 'OWNS',
    says: "(?:my|our) <2> (?:dog|cat|puppy|kitten|parrot|horse|hamster|rabbit|pet|bird|pony|tortoise)(?: is|'s| 's name is) (?:a|an) <4> (?:named|called) <O>",
    target: THING,
    user: true,
  },
  {
    type: 'OWNS',
    says: "<S> 's <2> (?:dog|cat|puppy|kitten|parrot|horse|hamster|rabbit|pet|bird|pony|tortoise|beagle|terrier|labrador|poodle|retriever|spaniel|greyhound) (?:is |, )?(?:named |called )?<O>",
    target: THING,
    bound: true,
  },
  {
    type: 'OWNS',
    says: '(?:feeds?|feeding|walks?|walking|looks? after|watches|minds) (?:the|my|our) <2> (?:dog|cat|puppy|kitten|parrot|horse|rabbit|bird) (?:, |\\( )?<O>',
    target: THING,
    user: true,
  },

  { type: 'OWNS', says: '(?:wears?|wearing|rides?|riding) (?:a|an|my|his|her|their) <1>', target: THING },
  { type: 'OWNS', says: 'and mine is <O>', target: THING, user: true },

  {
    type: 'STUDIED_AT',
    says: '(?:finishing|doing|writing|completing) (?:a|my|his|her|their) <1> (?:thesis|phd|doctorate|masters?|degree) <4> at',
    target: ORG,
  },
  { type: 'STUDIED_AT', says: 'switching <4> to <3> at', target: ORG },
  { type: 'LIKES', says: "(?:favou?rs?|partial to|happiest with|(?:can't|cannot) get enough of)", target: ANY },

  { type: 'LIKES', says: '(?:not|never|hardly) (?:a|an|much of a|really a|the) <2> fan of', target: ANY },

  {
    type: 'INTERESTED_IN',
    says: '(?:took up|taking up|takes up|dabbles? in|dabbling in|got into|getting into|collects?|collecting)',
    target: ANY,
  },
]
