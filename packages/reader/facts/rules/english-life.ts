import { ANY, BE, ORG, PERSON, PLACE, type Rule, THING, WORKERS, YEARS } from './rule.ts'

/** Phrases for homes, travel, belongings, tools and likings. */
export const ENGLISH_LIFE: readonly Rule[] = [
  {
    type: 'LIVES_IN',
    says: '(?:lives?|living|lived|resides?|resided|residing|settled) <5> (?:in|near)',
    target: PLACE,
    past: YEARS,
  },
  { type: 'LIVES_IN', says: `${BE} <1> based (?:in|out of|near)`, target: PLACE, past: YEARS },
  {
    type: 'LIVES_IN',
    says: '(?:moved|relocated|emigrated|immigrated|moving back|moves|returned home|came back)(?! (?:the|a|an|this|that|my|our|his|her|their|its|some|all|it) ) <3> to',
    target: PLACE,
  },
  {
    type: 'LIVES_IN',
    says: '(?:moved|relocated|emigrated) (?:here |away |over )?from <O>',
    target: PLACE,
    closes: true,
  },
  { type: 'LIVES_IN', says: '(?:moved|relocated|emigrated) (?:away )?from <M> <3> to <O>', target: PLACE },
  {
    type: 'LIVES_IN',
    says: '(?:grew up|raised|brought up|spent <3> childhood) (?:in|near|between)',
    target: PLACE,
    closes: true,
  },
  { type: 'LIVES_IN', says: '(?:moved out of|moved away from|left)', target: PLACE, closes: true, known: true },

  {
    type: 'LIVES_IN',
    says: '(?:lives?|living|lived) <3> in the <1> (?:centre|center|heart|middle|outskirts|suburbs|north|south|east|west) of',
    target: PLACE,
    past: YEARS,
  },
  {
    type: 'LIVES_IN',
    says: '(?:rents?|renting|shares?|sharing|found) (?:a|an|our|my|her|his|their) <2> (?:apartment|flat|house|place|studio|room) in',
    target: PLACE,
  },
  { type: 'LIVES_IN', says: '<O> (?:is|became) <1> home(?! to)', target: PLACE, user: true, known: true },
  { type: 'LIVES_IN', says: '(?:her|his) <2> (?:home|hometown|city|residence) <1> is', target: PLACE },
  {
    type: 'LIVES_IN',
    says: 'new address : .{0,40}? , <O>',
    target: PLACE,
    user: true,
  },
  { type: 'BORN_IN', says: 'born <5> in', target: PLACE },
  {
    type: 'BORN_IN',
    says: `(?:${BE} from|comes? from|came from|hails? from|originally from|native of)`,
    target: PLACE,
  },
  {
    type: 'VISITED',
    says: "(?:visited|went <2> to|been to|travell?ed <1> to|flew <1> to|flown to|drove to|trip to|returned from|(?:got|just|came|am|'m|is|are|was) <2> back from|vacationed in|holidayed in|honeymooned in|toured|spent <6> in|stayed in|backpacked (?:through|across|around|in)|explored|weekend in|holiday in|vacation in|rented <4> in)",
    target: PLACE,
  },
  {
    type: 'VISITED',
    says: '(?:my|our) <2> (?:honeymoon|trip|holiday|vacation|wedding) was (?:in|to)',
    target: PLACE,
    user: true,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:use|uses|using|prefer using|rely on|relies on|adopted|switched to|migrated to)',
    target: THING,
    source: WORKERS,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:runs? <3>(?: on| with)|deploys? (?:to|on|with)|deployed (?:to|on)|codes? in|coding in|coded in|programs? in|programming in|develops? in|developing in|works? (?:with|in)|working (?:with|in|on)|write|writes|writing <7> in|writes? <7> in|built? <5> (?:with|on|in|using)|build(?:s|ing)? <5> (?:with|on|in|using)|written (?:in|with)|powered by|powers?|running on|hosted on|styled with)',
    target: THING,
    source: WORKERS,
    known: true,
  },
  { type: 'USES_TECHNOLOGY', says: 'deploys? <2> (?:to|on) <M> (?:with|using|via)', target: THING, known: true },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:my|our) <2> (?:editor|ide|stack|tech stack|database|languages?|os|operating system|shell|framework|browser|terminal|backend|frontend|tools?|setup|cloud) <2>(?: is| are| includes?)?(?: :)?',
    target: THING,
    user: true,
  },

  {
    type: 'USES_TECHNOLOGY',
    says: '(?:stopped using|gave up(?: on)?|ditched|dropped|abandoned|replaced|quit using|moved away from|moved off|migrated (?:away )?from)',
    target: THING,
    closes: true,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:left|quit|deleted|uninstalled|cancell?ed)',
    target: THING,
    closes: true,
    known: true,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:migrated|moved|ported|upgraded) <4> from <M> to <O>',
    target: THING,
    source: WORKERS,
    change: 'tools',
  },
  {
    type: 'USES_TECHNOLOGY',
    says: 'switched <4> from <M> to <O>',
    target: THING,
    source: WORKERS,
    change: 'tools',
  },
  {
    type: 'USES_TECHNOLOGY',
    says: 'switched (?:away )?from <O>(?: to <M>)?',
    target: THING,
    closes: true,
    change: 'tools',
  },

  { type: 'LIVES_IN', says: '(?:now |currently )?<O> based', target: PLACE, known: true },

  {
    type: 'LIVES_IN',
    says: '(?<! (?:her|his|their|new|old|second) )home is <1>',
    target: PLACE,
    user: true,
    known: true,
  },

  { type: 'LIVES_IN', says: '(?:lives|location|based|hometown) :', target: PLACE, user: true },

  { type: 'OWNS', says: '(?:proud )?owners? of', target: THING },
  {
    type: 'OWNS',
    says: "(?:have|has|had|'ve got|got|adopted) (?:a|an|one|two|three|four) <3> (?:dogs?|cats?|pupp(?:y|ies)|kittens?|parrots?|horses?|hamsters?|rabbits?|tortoises?|birds?|chickens?)(?: ,| :| –| \\()?(?: called| named)? <O>",
    target: THING,
  },
  {
    type: 'KNOWS',
    says: 'shar(?:e|es|ed|ing) (?:a|an|the|my|our) <1> (?:flat|house|apartment|room|office) with',
    target: PERSON,
  },
  { type: 'OWNS', says: '(?:got|getting) (?:a|an|my) <3>', target: THING, known: true },
  { type: 'OWNS', says: '(?:own|owns|bought|purchased|drives?|just got)', target: THING },
  {
    type: 'OWNS',
    says: '(?:have|has|own|owns|adopted|got|bought|keeps?) (?:a|an|one|two|three|the) <4> (?:named|called) <O>',
    target: THING,
  },
  {
    type: 'OWNS',
    says: "(?:my|our) <2> (?:dog|cat|puppy|kitten|parrot|horse|hamster|rabbit|pet|bird|pony|goldfish|tortoise|boat)(?: is)?(?: named| called|'s name is| 's name is| ,)? <O>",
    target: THING,
    user: true,
  },
  {
    type: 'OWNS',
    says: '(?:my|our) <2> (?:phone|car|laptop|bike|bicycle|motorbike|camera|guitar|computer|tablet|watch|van|truck) is (?:a |an |the )?<O>',
    target: THING,
    user: true,
  },
  { type: 'OWNS', says: '(?:sold|sells|selling|gave away|traded in)', target: THING, closes: true },
  {
    type: 'LOCATED_IN',
    says: '(?:located|based|headquartered|situated|lies|is|are) (?:in|near)',
    target: PLACE,
    source: ['ORGANIZATION', 'PLACE', 'THING'],
  },
  {
    type: 'LOCATED_IN',
    says: '(?:district|neighbou?rhood|suburb|quarter|borough|city|town|village|region|province|island|capital|part|area) (?:of|in)',
    target: PLACE,
    source: PLACE,
  },
  {
    type: 'LOCATED_IN',
    says: '(?:headquarters|head office|offices?|campus) of <S> (?:is|are) in <O>',
    target: PLACE,
    source: ORG,
    bound: true,
  },
  {
    type: 'KNOWS',
    says: '(?:met(?: with| up with)?|knows?|knew|known|spoke (?:to|with)|talked (?:to|with)|befriended|friends with|gets? along <3> with|getting along <3> with|introduced to|had (?:lunch|dinner|coffee|a call) with)',
    target: PERSON,
  },
  {
    type: 'LIKES',
    says: "(?<! (?:is|are|was|were|'s|'m|'re|be|been|am|more|feels?|felt|looks?|sounds?|just|something|things|stuff|anything|people) )(?:likes?|loves?|loved|enjoys?|adores?|prefers?)",
    target: ANY,
  },
  {
    type: 'LIKES',
    says: `(?:(?<= ${BE} (?:\\S+ ){0,2})into|fond of|keen on|crazy about)`,
    target: ANY,
  },
  {
    type: 'DISLIKES',
    says: "(?:hates?|dislikes?|detests?|loathes?|can't stand|cannot stand|can not stand)",
    target: ANY,
  },
  {
    type: 'INTERESTED_IN',
    says: '(?:interested in|fascinated by|passionate about|curious about|obsessed with|learning|enthusiastic about)',
    target: ANY,
  },
  { type: 'LIKES', says: '(?:my|our) (?:favou?rite|preferred) <3> (?:is|are|:)', target: ANY, user: true },
  { type: 'LIKES', says: '(?:favou?rite|fav) <2> :', target: ANY, user: true },
  { type: 'LIKES', says: '(?:likes|loves|enjoys|favou?rites|hobbies|interests) :', target: ANY, user: true },
  { type: 'DISLIKES', says: '(?:dislikes|hates) :', target: ANY, user: true },
  { type: 'LIKES', says: '(?:stopped|quit) (?:liking|loving|enjoying)', target: ANY, closes: true },
  { type: 'LIKES', says: `${BE} <4> fan of`, target: ANY },

  {
    type: 'USES_TECHNOLOGY',
    says: '(?:moved|migrated) <2> from <O>',
    target: THING,
    closes: true,
    known: true,
  },
]
