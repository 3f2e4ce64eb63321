import { ORG, type Rule } from './rule.ts'

const TENURE =
  '(?:job|time|stint|employment|position|role|post|days|chapter|gig|career|tenure|internship|run|years|spell|placement|journey|adventure)'
const AUX = "(?:(?:is|'s|was|has|have|had|got|are|were|been|just|finally|now|already|officially|recently) ){0,3}"
const ENDED =
  '(?:(?:ran|run) out|expired|ended|over|finished|(?:came|come) to an end|up(?! for)|terminated|eliminated|cut|cut short|axed|gone|history|behind me|behind us|no more|done|wrapped up|(?:drew|drawn) to a close|dissolved|scrapped|discontinued|abolished|outsourced|(?:made )?redundant)'
const NOT_RENEWED =
  "(?:wasn't|was not|isn't|is not|hasn't been|has not been|won't be|will not be|not) (?:being )?(?:renewed|extended|prolonged)"
const OVER = `(?:${AUX}${ENDED}|(?:\\S+ )?${NOT_RENEWED})`
const JOB = '(?:contract|position|job|role|employment|post|internship)'
/** Verbs for an employer that ends a job. */
const CUT =
  "(?:terminated|ended|cancell?ed|cut|axed|eliminated|scrapped|dissolved|abolished|discontinued|(?:did not|didn't|won't|refused to|chose not to|decided not to) (?:renew|extend|prolong))"
/** Verbs for an employer that dismisses somebody. */
const OUT = (whom: string, whose: string) =>
  `(?:(?:showed|shown) ${whom} the door|(?:gave|given|handed|sent) ${whom} (?:the (?:sack|boot|axe|chop|push|elbow)|${whose} (?:marching orders|walking papers|notice|cards|papers)|a pink slip|notice)|(?:got rid of|dispensed with|kicked out) ${whom}|kicked ${whom} out|(?:did not|didn't) keep ${whom}(?: on)?)`

/** Phrases for the end of a job. */
export const ENGLISH_EXITS: readonly Rule[] = [
  { says: `(?:my|our) <2> (?:${TENURE} (?:with|at)|contract at) <O> ${OVER}`, user: true, holds: true, strict: true },

  // Contracts are made with those, too, whom one does not work for.
  { says: `(?:my|our) <2> contract with <O> ${OVER}`, user: true, holds: true, strict: true, onlyEnds: true },
  { says: `<S> 's <2> contract with <O> ${OVER}`, bound: true, holds: true, strict: true, onlyEnds: true },

  { says: "<O> (?:no longer employs|(?:doesn't|does not) employ) <S>", bound: true, holds: true },
  { says: `<O> <2> ${CUT} (?:my|our) <1> ${JOB}`, user: true, holds: true },

  { says: `<O> <2> ${OUT('<S>', '(?:his|her|their)')}`, bound: true, holds: true },

  {
    says: '(?:bailed on|walked out on|broken away from|broke away from|jumped ship from)',
    strict: true,
    onlyEnds: true,
  },

  {
    says: '(?:yesterday|today|friday|monday|that|this|it|last week|last month) was (?:my|our) <1> (?:last|final) (?:day|shift|week) (?:at|with)',
    user: true,
  },

  {
    says: '<O> and (?:i|me) <2> (?:parted ways|parted company|went our separate ways|called it quits)',
    user: true,
    onlyEnds: true,
    strict: true,
  },
].map(rule => ({
  type: 'WORKS_AT',
  target: ORG,
  ...(rule.onlyEnds ? {} : { closes: true }),
  ...rule,
}))
