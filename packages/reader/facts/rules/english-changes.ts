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
    { ...both, says: `${verbs} <2> to <O> from <M>` },
    { ...both, says: `${MADE_CHANGE} <2> from <M> <1> to <O>` },
    { ...both, says: `${MADE_CHANGE} <2> to <O> from <M>` },
    { ...both, says: `(?:my|our|the) <1> ${CHANGE} from <M> to <O> <1> ${DONE}`, user: true },
    { ...both, says: `<S> 's <1> ${CHANGE} from <M> to <O> <1> ${DONE}`, bound: true },
    { ...both, says: 'out with <M> <1> (?:, )?(?:and )?in with <O>', user: true },
    { ...both, says: '<M> is out <1> (?:, |; |and )+<O> is in', user: true },
  ]
})

/** The same where only what comes after is named: nothing but lists tells the kind. */
const TO: readonly Rule[] = [HOME, JOB, TOOL].flatMap(({ type, target, source }): Rule[] => {
  const known = { type, target, ...(source ? { source } : {}), known: true }
  return [
    { ...known, says: `${MADE_CHANGE} ${OVER}to <O>` },
    { ...known, says: `(?:my|our|the) <1> ${CHANGE} to <O> <1> ${DONE}`, user: true },
    { ...known, says: `<S> 's <1> ${CHANGE} to <O> <1> ${DONE}`, bound: true },
    { ...known, says: `since (?:my|our) <1> ${CHANGE} to <O>`, user: true },
  ]
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
    says: '(?:started|starting|begun|began|built|building|made) <1> (?:a|my|our|his|her|their) <1> (?:life|start) in',
    known: true,
  },
  { says: '(?:started|starting|started all) (?:over|afresh|anew) in', known: true },
  { says: '(?:my|our) <1> base is (?:in )?<O>', user: true, known: true },
  {
    says: "(?:isn't|aren't|am not|'m not|is not|are not) <1> (?:in|living in|based in) <O> (?:anymore|any more|any longer)",
    onlyEnds: true,
    known: true,
    holds: true,
  },
  { says: '(?:set up|setting up) (?:home|house|base|camp) in' },
  { says: '(?:resettled|re-settled|put down <1> roots|laid down <1> roots|taken up residence|took up residence) in' },
  {
    says: '(?:moved|shifted|hauled|relocated|transplanted|uprooted|carted|transferred) (?:(?:all|my|our|his|her|their|the|whole|entire|of) )*(?:family|families|life|lives|stuff|things|belongings|household|everything|possessions|wife|husband|kids|children|furniture)(?: and <2>)? (?:from <M> )?(?:over |across |out |back )?to <O>',
    known: true,
  },
  { says: `(?:shifted|decamped|rebased|resettled|upped sticks|uprooted) <2> to`, known: true },
  {
    says: '(?:went|gone|came|come|headed|heading|returned|shipped out|stayed|staying|flew) <2> (?:to|in) <O> (?:for good|permanently|indefinitely)',
    known: true,
  },
  { says: '(?:ended up|wound up|landed|finished up) in <O> <1> after <1> leaving', known: true },
  {
    says: '(?:switched|changed|swapped|moved) (?:cities|towns|countries|continents|house|home|houses|flats) <1> (?:, |: )?(?:from )?(?:<M> )?to <O>',
  },
].map(rule => ({ type: 'LIVES_IN', target: PLACE, ...rule }))

const JOBS: readonly Rule[] = [
  { says: "(?:got|have|has|'ve got|found) <1> (?:a|an) <1> new employer (?:: |, |called )?<O>" },
  { says: '(?:signed on with|(?:said yes to|agreed to) <3> offer from)' },
  { says: 'made the (?:jump|leap|hop|transfer|crossover) <2> from <M> <1> to <O>', strict: true },
  { says: '(?:jumped ship|defected|crossed over) <2> from <M> <1> to <O>', strict: true },
  { says: '(?:got|been|was|were|am|is) <2> (?:hired|rehired|taken on|recruited) <1> (?:at|by|with)' },
  {
    says: '(?:joined|rejoined|rejoin) (?:my|the|his|her|their|our) <3> (?:team|crew|group|colleagues|folks|people|gang|ranks|staff) (?:at|of)',
  },
  { says: '(?:spends?|spending) (?:my|his|her|their) <1> (?:days|weekdays|workdays|hours) (?:at|with)' },
  {
    says: '(?:ditched|quit|left|dropped|abandoned|resigned from|departed) <M> <1> and <1> (?:went|moved|headed|switched|jumped|crossed|signed|started) (?:over )?(?:to|with|at|on with) <O>',
    strict: true,
    change: 'employers' as const,
  },
  {
    says: "(?:switched|changed|swapped) (?:jobs|employers?|companies|workplaces|careers) <1> (?:, |; |: |– |and )?(?:it |is |'s |now |i |'m |am |work |at |with |to |for )+<O>",
    strict: true,
  },
  { says: '(?<= (?:,|;|–|and) )now (?:at|with|working (?:at|for)) <O>', strict: true },
].map(rule => ({ type: 'WORKS_AT', target: ORG, ...rule }))

const RID =
  '(?:phased out|retired|scrapped|binned|axed|got rid of|did away with|done away with|shelved|decommissioned|threw out|thrown out|kissed goodbye to|said goodbye to|turned my back on|moved on from|given up on|gave up on)'
const TOOLS: readonly Rule[] = [
  {
    says: '<O> (?:was|is|got|became|kept|had) [^.;]{1,40}? so (?:i|we) <2> (?:switched|moved|migrated|changed|went) (?:over )?to <M>',
    user: true,
    onlyEnds: true,
    strict: true,
  },
  { says: '<M> is (?:my|our) [^.;,]{1,30} , (?:and )?not <O>', user: true, onlyEnds: true, known: true, holds: true },
  { says: '<O> is (?:my|our) <2> (?:tool|editor|database|browser|ide)', user: true, known: true },
  {
    says: '(?:stopped using|quit using|no longer uses?) <M> <1> (?:in favou?r of|and uses?) <O>',
    strict: true,
    holds: true,
  },
  { says: '(?:went back|gone back|returned|moved back|subscribed|switched back) to', source: WORKERS, known: true },
  { says: RID, closes: true, known: true },
  { says: '(?:gave|given) <O> (?:the (?:boot|axe|chop|push|elbow|heave-ho)|up)', closes: true, known: true },
  {
    says: 'used <O> (?:(?:before|previously|in the past|back then)(?= [.,;!] )|for (?:years|ages|a long time|a while)(?=.* (?:but|now) ))',
    closes: true,
    strict: true,
  },
  {
    says: '(?:brought in|introduced|rolled out|went with|turned to)',
    source: WORKERS,
    known: true,
  },
  {
    says: "(?:couldn't|could not|can't|cannot|can not) (?:work|code|function|get by|get anything done) without",
    holds: true,
    known: true,
  },
  { says: '(?:uninstalled|removed|deleted) <M> <1> and <1> installed <O>', strict: true },
  { says: '<O> has taken the place of <M>', user: true, strict: true },
  { says: '<M> has taken the place of <O>', user: true, closes: true, strict: true },
].map(rule => ({ type: 'USES_TECHNOLOGY', target: THING, ...rule }))

/** Phrases for a replacement of any type. */
export const ENGLISH_CHANGES: readonly Rule[] = [...FROM_TO, ...TO, ...FROM, ...USER_FROM, ...HOMES, ...JOBS, ...TOOLS]
