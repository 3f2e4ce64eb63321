import { BE, MADE, ORG, ORG_OR_THING, PERSON, ROLE, type Rule, THING, WORKERS, YEARS } from './rule.ts'

/** "Learning with WaniKani" and "interviewing with Google" name an activity, and no employer. */
const NO_ACTIVITY = '(?!(?: (?!with )\\S+)? \\S+ing )'

/** Work, studies, clubs and what people make. */
export const ENGLISH_WORK: readonly Rule[] = [
  {
    type: 'WORKS_AT',
    says: '(?:works?|working|worked|freelanc(?:e|es|ed|ing)|consult(?:s|ed|ing)?|interns|interned|interning|teach(?:es|ing)?|taught|employed) <5> (?:at|for|by)',
    target: ORG,
    past: YEARS,
  },
  { type: 'WORKS_AT', says: `${BE} <6> at`, target: ORG, past: YEARS },
  {
    type: 'WORKS_AT',
    says: `${BE}${NO_ACTIVITY}(?!(?: \\S+){0,2} (?:done|finished|through|happy|unhappy|angry|annoyed|impressed|pleased|satisfied|fed|contact|touch|contract|deal|account|interview|problem|issue|agreement|partnership|subscription|trouble|okay|fine|good|friends) ) <2> with`,
    target: ORG,
    past: YEARS,
  },
  // The object of "boss of" is a person's name.
  { type: 'WORKS_AT', says: `${BE} <5> ${ROLE.replace('|boss', '')} <3> (?:of|for|at)`, target: ORG, past: YEARS },
  {
    type: 'WORKS_AT',
    says: '(?:join|joined|joins|joining|rejoined|hired by|recruited by|signed with|started(?: working)? at|got <3> (?:job|position|role|offer) <2> (?:at|with)|landed <4> at|took <4> at|accepted <4> at)',
    target: ORG,
  },
  {
    type: 'WORKS_AT',
    says: '(?:left|leaves|leaving|quit|quits|resigned from|resigns from|retired from|(?:quit|left|lost|leaving) <3> (?:job|position|role|post) (?:at|with)|laid off (?:from|by)|fired (?:from|by)|let go (?:from|by)|stepped down from|departed|parted ways with|finished at|stopped working (?:at|for))',
    target: ORG,
    closes: true,
  },
  { type: 'WORKS_AT', says: '(?:hired|hires|recruited|employs)', target: PERSON, source: ORG, inverse: true },

  { type: 'WORKS_AT', says: '<O> is (?:my|our) <1> (?:employer|workplace)', target: ORG, user: true },

  {
    type: 'WORKS_AT',
    says: '(?:(?:have|has|had|holds?) <2> (?:job|position|role|post)|(?:earns?|makes?) <1> living) (?:at|with)',
    target: ORG,
    past: /\bhad\b/,
  },

  { type: 'WORKS_AT', says: `<S> , (?:a|an|the|our|former) <5> (?:at|for) <O>`, target: ORG, bound: true },

  {
    type: 'WORKS_AT',
    says: `(?<! (?:work|works|worked|working) with )<S> (?:from|at|of) <O>`,
    target: ORG,
    bound: true,
    known: true,
  },
  { type: 'WORKS_AT', says: `as <3> (?:of|at|for) <F><O> , <S>`, target: ORG, bound: true },
  { type: 'WORKS_AT', says: `after <5> (?:at|with) <O> , <S>`, target: ORG, closes: true, bound: true },
  { type: 'WORKS_AT', says: `comes? from <O>`, target: ORG, closes: true, known: true },
  { type: 'WORKS_AT', says: `moved to <O>`, target: ORG, known: true },
  { type: 'WORKS_AT', says: `(?:manages?|leads?|heads?|runs?) <F><M> <2> at <O>`, target: ORG },
  {
    type: 'STUDIED_AT',
    says: "(?:stud(?:y|ies|ied|ying) <5> at|graduated <4> from|(?:degree|phd|doctorate|masters?|master's|bachelors?|mba|diploma|b\\.sc|m\\.sc) <4> (?:from|at)|enrolled <3> (?:at|in)|attends?|attended|attending|alumn(?:us|a|i) of|majored <4> at|student <3> (?:at|of)|doctorate <4> (?:from|at))",
    target: ORG,
  },
  {
    type: 'STUDIED_AT',
    says: 'after <5> (?:degree|studies|phd|graduation) <2> (?:at|from) <O> , <S>',
    target: ORG,
    bound: true,
  },
  // Somebody who left a job for a company does not study there.
  {
    type: 'STUDIED_AT',
    says: '(?:goes|went|go) to(?<! (?:left|quit|ditched|dropped|abandoned|notice|resigned|job|gave up) [^.;]{0,60}) <F><O>(?! for (?:a|an|the|our|my) )',
    target: ORG,
    known: true,
  },

  { type: 'CREATED', says: MADE, target: ORG_OR_THING, source: WORKERS },
  { type: 'CREATED', says: `${MADE} by`, target: ['PERSON', 'ORGANIZATION'], source: ORG_OR_THING, inverse: true },

  { type: 'CREATED', says: `(?<! (?:in|with|using|on|from) )<O> by <S>`, target: THING, source: PERSON, bound: true },
  {
    type: 'MEMBER_OF',
    says: '(?:members? of|sits? on the board of|on the board of|plays? for|plays? <4> (?:in|for|with|called|named)|sings? <3> (?:in|with)|belongs? to)',
    target: ORG,
  },
  {
    type: 'PART_OF',
    says: '(?:part of|belongs? to|subsidiary of|division of|acquired by|bought by|merged into)',
    target: ORG,
    source: ORG_OR_THING,
  },

  {
    type: 'MANAGES',
    says: '(?:manages?|managing|managed|leads?|leading|led|heads|headed|heading(?! to)|supervises?|supervised|oversees?|runs|run|running|mentors?)',
    target: ['PERSON', 'ORGANIZATION'],
    past: YEARS,
  },

  {
    type: 'REPORTS_TO',
    says: '(?:reports?|reporting|reported|answers?) (?:directly )?to',
    target: PERSON,
    past: YEARS,
  },
  { type: 'REPORTS_TO', says: 'works? (?:under|for)', target: PERSON, known: true },
  {
    type: 'COLLABORATES_WITH',
    says: '(?:works?|working|worked|collaborat(?:es?|ed|ing)|partner(?:s|ed|ing)?|pair(?:s|ed|ing)?) <5> with',
    target: PERSON,
  },
  { type: 'WORKS_AT', says: `${ROLE} <2> (?:of|at|for) <F><O> is <S>`, target: ORG, bound: true },

  {
    type: 'STUDIED_AT',
    says: "(?:got|earned|received|holds?|has|have|did|does|doing|completed|finished|pursuing) <4> (?:degree|phd|doctorate|masters?|master's|bachelors?|mba|diploma) <4> (?:from|at)",
    target: ORG,
  },
  {
    type: 'WORKS_AT',
    says: 'spent <6> (?:career|years|decade|decades|time|months) (?:at|with)',
    target: ORG,
    past: /^(?!.*\b(?:has|have|'ve)\b).*\bspent\b/,
  },
  {
    type: 'WORKS_AT',
    says: '(?:runs?|running|ran|leads?|leading|led|heads?|heading|headed) <5> (?:at|for)',
    target: ORG,
    past: /\b(?:ran|led|headed)\b/,
  },
  {
    type: 'WORKS_AT',
    says: '(?:do|does|doing|did) <1> (?:marketing|sales|design|research|support|hr|finance|security|devops|engineering|legal|data) (?:at|for)',
    target: ORG,
    past: /\bdid\b/,
  },
  { type: 'WORKS_AT', says: '(?:handed in|gave) <2> notice (?:at|to)', target: ORG, closes: true },
  { type: 'REPORTS_TO', says: '<O> (?:manages|supervises) (?:me|us)', target: PERSON, user: true },

  { type: 'WORKS_AT', says: 'switched <2> from <M> to <O>', target: ORG, change: 'employers' },
  { type: 'WORKS_AT', says: 'switched <2> from <O>(?: to <M>)?', target: ORG, closes: true, change: 'employers' },

  { type: 'STUDIED_AT', says: '(?:went|goes|go) to (?:college|school|university|uni) (?:at|in)', target: ORG },
  {
    type: 'WORKS_AT',
    says: "(?:my|user 's|the user 's) <1> (?:company|employer|workplace) (?:is|:)",
    target: ORG,
    user: true,
  },
]

const CHIEF = '(?:boss|manager|supervisor|team lead|lead|chief|head|line manager|direct manager)'
const PLACED = '(?:moved|placed|put|assigned|transferred|reassigned)'
const LED =
  '(?:taken over|took over|takes over|taking over|replaced|replaces|succeeded|succeeds|stepped in|took the place)'

/** Phrases for a new boss. */
export const ENGLISH_CHIEFS: readonly Rule[] = [
  {
    type: 'REPORTS_TO',
    says: '<O> is <1> (?:the one|the person|who|whom) <1> (?:that |whom |who )?i <1> (?:report|answer) to',
    target: PERSON,
    user: true,
  },

  { type: 'REPORTS_TO', says: `${BE} <1> (?:on|in|part of) <O> 's team`, target: PERSON },
  { type: 'REPORTS_TO', says: `(?:${PLACED}|reporting|working|now) <1> under`, target: PERSON },

  { type: 'REPORTS_TO', says: '(?:managed|supervised|line-managed|overseen|led) by', target: PERSON },
  {
    type: 'REPORTS_TO',
    says: `<O> <2> ${LED} <1> (?:from |for |of )?<M> as (?:my|our) <2> ${CHIEF}`,
    target: PERSON,
    user: true,
  },
  {
    type: 'REPORTS_TO',
    says: `<O> <2> ${LED} <1> (?:from |for |of )?<M> as(?: the)? <1> ${CHIEF} of <S>`,
    target: PERSON,
    bound: true,
  },
  {
    type: 'REPORTS_TO',
    says: `<O> <2> ${LED} <1> (?:from |for |of )?<M> as <S> 's <2> ${CHIEF}`,
    target: PERSON,
    bound: true,
  },

  {
    type: 'REPORTS_TO',
    says: `<O> <2> (?:taken over|took over|takes over|leads|runs|heads|is leading|is running|manages|is heading) (?:my|our) <1> (?:team|department|group|division|squad|unit)`,
    target: PERSON,
    user: true,
  },
  {
    type: 'REPORTS_TO',
    says: '(?:handed|passed|gave|given|turned) (?:(?:over )?(?:my|our) <1> (?:team|department|group|squad) <1> (?:over )?)to <O>',
    target: PERSON,
    user: true,
  },
  {
    type: 'REPORTS_TO',
    says: `no longer (?:my|our) <2> ${CHIEF} <1> (?:,|;|–|-|and|but) <2> <O> is`,
    target: PERSON,
    user: true,
    holds: true,
  },
  {
    type: 'REPORTS_TO',
    says: `no longer <S> 's <2> ${CHIEF} <1> (?:,|;|–|-|and|but) <2> <O> is`,
    target: PERSON,
    bound: true,
    holds: true,
  },

  {
    type: 'REPORTS_TO',
    says: "<S> 's <1> (?:team|department|group|squad) <1> (?:is|was) <2> (?:led|run|managed|headed|supervised) by <O>",
    target: PERSON,
    bound: true,
  },

  // In a note, "assigned to Jonas" tells of a ticket.
  { type: 'REPORTS_TO', says: `(?:${BE}|got) <1> (?:reassigned|assigned) to`, target: PERSON, known: true },
]

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
