import { ANY, ORG, PLACE, type Rule, THING } from './rule.ts'

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
