import { ORG, PLACE, type Rule, THING, WORKERS } from './rule.ts'

/** A change as a noun: "my move to", "made the switch from". */
const CHANGE =
  '(?:move|switch|jump|leap|transition|change|relocation|transfer|migration|shift|hop|conversion|changeover|switchover|crossover|return)'
const MADE_CHANGE = `(?:made|completed|finished|finalized|finalised|pulled off|survived|done|did|took|taken) (?:the|a|my|our|his|her|their) <2> ${CHANGE}`
const CHANGED =
  '(?:moved|switched|shifted|jumped|changed|transferred|transitioned|upgraded|hopped|crossed over|migrated|converted|jumped ship|defected|went|gone)'
/** Going from one town to another may be a journey. */
const RELOCATED =
  '(?:shifted|shifted base|relocated|transferred|transitioned|decamped|resettled|rebased|emigrated|upped sticks|pulled up stakes|uprooted|hopped|jumped)'
/** The move is done, not planned. */
const DONE =
  "(?:is|'s|was|has been|went|took|turned out|worked out|got|came) <2> (?:done|complete|completed|official|final|finali[sz]ed|over|finished|behind|through|smoothly|smooth|well|fine|quickly|painless|easy|great|weeks|months|days|ages|place|permanent)"
const OVER = '(?:over |across |back |straight )?'

type Kind = Pick<Rule, 'type' | 'target' | 'source' | 'change'>

const HOME: Kind = { type: 'LIVES_IN', target: PLACE }
const JOB: Kind = { type: 'WORKS_AT', target: ORG, change: 'employers' }
const TOOL: Kind = { type: 'USES_TECHNOLOGY', target: THING, source: WORKERS, change: 'tools' }

/** From one to another of a kind; which kind it is of, the names tell. */
const FROM_TO: readonly Rule[] = [HOME, JOB, TOOL].flatMap((kind): Rule[] => {
  const both = { ...kind, ...(kind === HOME ? { known: true } : { strict: true }) }
  const verbs = kind === HOME ? RELOCATED : CHANGED
  return [
    { ...both, says: `${verbs} <3> from <M> <1> ${OVER}to <O>` },

    { ...both, says: `${MADE_CHANGE} <2> from <M> <1> to <O>` },

    { ...both, says: `(?:my|our|the) <1> ${CHANGE} from <M> to <O> <1> ${DONE}`, user: true },
  ]
})

/** The same where only what comes after is named: nothing but lists tells the kind. */
const TO: readonly Rule[] = [HOME, JOB, TOOL].flatMap(({ type, target, source }): Rule[] => {
  const known = { type, target, ...(source ? { source } : {}), known: true }
  return [{ ...known, says: `${MADE_CHANGE} ${OVER}to <O>` }]
})

/** A tool is used beside others until words end it, so what it was changed from has to be ended. */
const FROM: readonly Rule[] = [
  `${CHANGED} <3> from <O> <1> ${OVER}to <M>`,
  `${CHANGED} <2> to <M> from <O>`,
  `${MADE_CHANGE} <2> from <O> <1> to <M>`,
  `${MADE_CHANGE} <2> to <M> from <O>`,
].map(says => ({ type: 'USES_TECHNOLOGY', says, target: THING, closes: true, strict: true, change: 'tools' }))
const USER_FROM: readonly Rule[] = [
  `(?:my|our|the) <1> ${CHANGE} from <O> to <M> <1> ${DONE}`,
  'out with <O> <1> (?:, )?(?:and )?in with <M>',
  '<O> is out <1> (?:, |; |and )+<M> is in',
].map(says => ({
  ...{ type: 'USES_TECHNOLOGY', says, target: THING, closes: true, strict: true, change: 'tools' },
  user: true,
}))

const HOMES: readonly Rule[] = [
  {
    says: '(?:traded|swapped|exchanged|gave up|sold|left) (?:my|our|his|her|their|the) <3> in <M> <1> for <4> in <O>',
    known: true,
  },

  {
    says: '(?:switched|changed|swapped|moved) (?:cities|towns|countries|continents|house|home|houses|flats) <1> (?:, |: )?(?:from )?(?:<M> )?to <O>',
  },
].map(rule => ({ type: 'LIVES_IN', target: PLACE, ...rule }))

const JOBS: readonly Rule[] = [
  { says: 'made the (?:jump|leap|hop|transfer|crossover) <2> from <M> <1> to <O>', strict: true },
].map(rule => ({ type: 'WORKS_AT', target: ORG, ...rule }))

const TOOLS: readonly Rule[] = [
  {
    says: '<O> (?:was|is|got|became|kept|had) [^.;]{1,40}? so (?:i|we) <2> (?:switched|moved|migrated|changed|went) (?:over )?to <M>',
    user: true,
    onlyEnds: true,
    strict: true,
  },

  {
    says: '(?:stopped using|quit using|no longer uses?) <M> <1> (?:in favou?r of|and uses?) <O>',
    strict: true,
    holds: true,
  },
].map(rule => ({ type: 'USES_TECHNOLOGY', target: THING, ...rule }))

/** Phrases for a replacement of any type. */
export const ENGLISH_CHANGES: readonly Rule[] = [...FROM_TO, ...TO, ...FROM, ...USER_FROM, ...HOMES, ...JOBS, ...TOOLS]

const TENURE =
  '(?:job|time|stint|employment|position|role|post|days|chapter|gig|career|tenure|internship|run|years|spell|placement|journey|adventure)'
const AUX = "(?:(?:is|'s|was|has|have|had|got|are|were|been|just|finally|now|already|officially|recently) ){0,3}"
const ENDED =
  '(?:(?:ran|run) out|expired|ended|over|finished|(?:came|come) to an end|up(?! for)|terminated|eliminated|cut|cut short|axed|gone|history|behind me|behind us|no more|done|wrapped up|(?:drew|drawn) to a close|dissolved|scrapped|discontinued|abolished|outsourced|(?:made )?redundant)'
const NOT_RENEWED =
  "(?:wasn't|was not|isn't|is not|hasn't been|has not been|won't be|will not be|not) (?:being )?(?:renewed|extended|prolonged)"
const RAN_OUT = `(?:${AUX}${ENDED}|(?:\\S+ )?${NOT_RENEWED})`
const POST = '(?:contract|position|job|role|employment|post|internship)'
/** Verbs for an employer that ends a job. */
const CUT =
  "(?:terminated|ended|cancell?ed|cut|axed|eliminated|scrapped|dissolved|abolished|discontinued|(?:did not|didn't|won't|refused to|chose not to|decided not to) (?:renew|extend|prolong))"
/** Verbs for an employer that dismisses somebody. */
const OUT = (whom: string, whose: string) =>
  `(?:(?:showed|shown) ${whom} the door|(?:gave|given|handed|sent) ${whom} (?:the (?:sack|boot|axe|chop|push|elbow)|${whose} (?:marching orders|walking papers|notice|cards|papers)|a pink slip|notice)|(?:got rid of|dispensed with|kicked out) ${whom}|kicked ${whom} out|(?:did not|didn't) keep ${whom}(?: on)?)`

/** Phrases for the end of a job. */
export const ENGLISH_EXITS: readonly Rule[] = [
  {
    says: `(?:my|our) <2> (?:${TENURE} (?:with|at)|contract at) <O> ${RAN_OUT}`,
    user: true,
    holds: true,
    strict: true,
  },

  // Contracts are made with those, too, whom one does not work for.
  { says: `(?:my|our) <2> contract with <O> ${RAN_OUT}`, user: true, holds: true, strict: true, onlyEnds: true },
  { says: `<S> 's <2> contract with <O> ${RAN_OUT}`, bound: true, holds: true, strict: true, onlyEnds: true },

  { says: "<O> (?:no longer employs|(?:doesn't|does not) employ) <S>", bound: true, holds: true },
  { says: `<O> <2> ${CUT} (?:my|our) <1> ${POST}`, user: true, holds: true },

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
