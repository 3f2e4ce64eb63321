import { ORG, ORG_OR_THING, PERSON, PLACE, type Rule, THING, YEARS } from './rule.ts'

const FIRM =
  '(?:startup|start-up|company|firm|agency|studio|bank|brewery|bakery|restaurant|shop|business|consultancy|nonprofit|non-profit|charity|publisher|manufacturer|retailer|school|university|hospital|clinic)'
const WORK =
  '(?:app|side project|project|blog|newsletter|podcast|library|plugin|game|website|tool|novel|book|album|film|channel)'
const LED = '(?:led|managed|run|headed|headed up|supervised|overseen|directed|chaired|coordinated)'

/** English appositions, relative clauses, passives and parentheses. */
export const ENGLISH_CLAUSES: readonly Rule[] = [
  // Work: "Ottoline , formerly of the Guardian", "Mei ( ex- Grab , now Shopee )".
  {
    type: 'WORKS_AT',
    says: '<S> (?:,|\\() (?:formerly|previously|until recently|once) (?:of|at|with|from) <F><O>',
    target: ORG,
    closes: true,
    bound: true,
  },
  { type: 'WORKS_AT', says: '<S> (?:,|\\() ex- <O>', target: ORG, closes: true, bound: true },
  { type: 'WORKS_AT', says: '<S> (?:,|\\() ex- <M> (?:, )?now (?:at |with )?<O>', target: ORG, bound: true },
  {
    type: 'WORKS_AT',
    says: '(?<! (?:left|quit|leaving|quitting|joined|from|at|with|for|ex-) )<S> (?:,|\\() (?:now|currently|both|all) (?:of|at|with) <F><O>',
    target: ORG,
    bound: true,
  },
  {
    type: 'WORKS_AT',
    says: '(?:my|our) (?:previous|former|old|last|ex-) (?:employer|company|job|workplace|firm) (?:was |is |, |: |at |with )?<F><O>(?! back )',
    target: ORG,
    closes: true,
    user: true,
  },

  { type: 'WORKS_AT', says: `(?:poached|headhunted|recruits|poaches)`, target: PERSON, source: ORG, inverse: true },
  {
    type: 'WORKS_AT',
    says: `<O> <2> (?:hired|poached|recruited|headhunted|employs) (?:me|us|i)`,
    target: ORG,
    user: true,
  },
  {
    type: 'WORKS_AT',
    says: '(?:laid off|fired|let go of|sacked|dismissed)(?! (?:by|from|at))(?: [^\uE000-\uF8FF,.;]+)?(?: , including)?(?: (?:my|our|his|her|their) \\S+)? <F><O>',
    target: PERSON,
    source: ORG,
    inverse: true,
    closes: true,
  },
  { type: 'WORKS_AT', says: '(?:appointed|named|promoted to|elected) <6> (?:at|of)', target: ORG },
  {
    type: 'WORKS_AT',
    says: '(?:works?|worked|working) <2> with <L> at <O>',
    target: ORG,
    past: YEARS,
  },
  {
    type: 'WORKS_AT',
    says: '<O> (?:, )?where(?: my| our| his| her)?<2> <S> <4> (?:works|working|teaches|interns|is employed)',
    target: ORG,
    bound: true,
  },

  {
    type: 'WORKS_AT',
    says: '(?:joined (?:us|me) from|came over from|coming over from|poached <1> from)',
    target: ORG,
    closes: true,
    known: true,
  },
  {
    type: 'WORKS_AT',
    says: 'freelanc(?:e|es|ed|ing)(?: ,)?<4> for <2> (?:such as|like|including) <O>',
    target: ORG,
  },
  {
    type: 'WORKS_AT',
    says: '(?:boss|manager|supervisor|colleague|coworker|teammate|lead|mentor|recruiter) at <F><O>(?: ,| \\()?(?: (?:an?|the)<4> (?:named|called))? <S>',
    target: ORG,
    bound: true,
  },
  // Relative clauses that name a leader: "the Fraud Detection team , which is led by Paolo".
  { type: 'MANAGES', says: `${LED} by`, target: PERSON, source: ['ORGANIZATION', 'THING'], inverse: true },

  {
    type: 'MANAGES',
    says: '(?:in charge of|responsible for|heads? up|heading up)',
    target: ['ORGANIZATION', 'PERSON'],
    past: YEARS,
  },
  {
    type: 'MEMBER_OF',
    says: "(?:is|'s|am|'m|are) <6> (?:on|in) <F><O> (?:team|squad|crew|board)",
    target: ORG,
  },
  {
    type: 'MEMBER_OF',
    says: '(?:(?:volunteers?|volunteering) <4> (?:with|for|at)|sings? <4> (?:in|with)|serves? on the board of|sits on the board of|trains with)',
    target: ORG,
  },
  // Firms and where they sit.
  {
    type: 'LOCATED_IN',
    says: `<S> , (?:a|an|the|our) <5> (?:based|headquartered|located) in <O>`,
    target: PLACE,
    source: ORG,
    bound: true,
  },
  {
    type: 'LOCATED_IN',
    says: `<O> (?:-based )?${FIRM} (?:called |named )?<S>`,
    target: PLACE,
    source: ORG,
    bound: true,
    known: true,
  },
  {
    type: 'LOCATED_IN',
    says: `<S> (?:,|is|'s) (?:a|an|the|our) <O> -based`,
    target: PLACE,
    source: ORG,
    bound: true,
    known: true,
  },
  {
    type: 'LOCATED_IN',
    says: '(?:keeps|keep|has|have) (?:its|their) <1> (?:headquarters|head office|office|offices|hq) in',
    target: PLACE,
    source: ORG,
  },
  {
    type: 'LOCATED_IN',
    says: `(?:called|named|founded|co-founded|opened|set up) <F><S> in <O>`,
    target: PLACE,
    source: ORG,
    bound: true,
    known: true,
  },
  { type: 'LIVES_IN', says: `<S> (?:,|is|'s) (?:a|an|the|our) <O> -based`, target: PLACE, bound: true, known: true },
  { type: 'OWNS', says: '(?:owns|own|bought|buys)', target: ORG, source: ORG },
  { type: 'OWNS', says: `<O> , <S> 's <2> ${FIRM}`, target: ORG, bound: true },
  { type: 'OWNS', says: `<S> (?:, whose|'s) <2> ${FIRM} (?:, |called |named )?<O>`, target: ORG, bound: true },

  { type: 'CREATED', says: `<O> , (?:my|our) <2> ${WORK}`, target: THING, user: true },

  {
    type: 'WORKS_AT',
    says: '(?:hired|poached|lured|recruited) <S> (?:away )?from <O>',
    target: ORG,
    bound: true,
    closes: true,
  },

  { type: 'CREATED', says: `(?:my|our) <2> ${WORK} (?:, |is called |called |named )?<O>`, target: THING, user: true },

  {
    type: 'CREATED',
    says: '(?:opened|opening|started|set up|launched|building|built|wrote|writing) (?:a|an|my|our|his|her|their) <4> (?:called|named)',
    target: ORG_OR_THING,
  },

  {
    type: 'CREATED',
    says: `(?:founded|co-founded|cofounded|started|launched|built) <F><O>(?: in <M>)? <3> with <F><S>`,
    target: ORG_OR_THING,
    bound: true,
  },
]
