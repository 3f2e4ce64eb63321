import { BE, PERSON, type Rule } from './rule.ts'

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
