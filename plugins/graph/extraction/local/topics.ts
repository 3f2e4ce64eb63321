import type { EntityType } from '../../contract.ts'
import type { Fact } from './fact.ts'
import type { SentenceFacts, Typing } from './facts.ts'
import { type Frame, mentionsIn, pattern } from './frame.ts'
import type { Mention } from './mention.ts'
import { phraseBetween } from './noun-phrases.ts'
import type { Subject } from './talk.ts'
import { ALWAYS } from './times.ts'

/** "sushi", "the opera", "my running": what a sentence about tastes begins with. */
const TOPIC = '(?<t>[^ ,.;:!?"()]+(?: [^ ,.;:!?"()]+){0,2}?)'
const START =
  '(?<=^ (?:(?:honestly|lately|nowadays|these days|frankly|well|yeah|so|and|but|sadly|apparently|somehow|today|now)(?: ,)? )*|[,;:–—] (?:and |but |so )?)'
const WHOM = '(?:me|us|<S>)'
const STILL = '(?:anymore|any more|any longer|these days|now|nowadays|lately|at all)'
const STIRS =
  '(?:interests?|excites?|appeals? to|thrills?|moves?|attracts?|inspires?|grabs?|speaks? to|tempts?|amuses?|entertains?|satisf(?:y|ies)|delights?|fascinates?|intrigues?|relaxes?)'
const TIRES = '(?:bores?|tires?|annoys?|irritates?|disgusts?|exhausts?|puts? off)'
const DULL = '(?:boring|dull|tedious|tiresome|bland|stale|overrated|uninteresting|tiring|pointless|disgusting)'
const LOVE =
  '(?:love|passion|enthusiasm|craving|appetite|taste|obsession|fondness|interest|affair|excitement|liking|infatuation|crush)'
const CHARM = '(?:charm|appeal|magic|shine|luster|lustre|spark|allure|attraction|novelty|thrill|fun|joy|excitement)'
const FADED =
  "(?:(?:is|are|has|have|was|'s) (?:now |all |completely |finally |long )?(?:gone|over|faded|faded away|worn off|died|died down|dead|ended|cooled|vanished|evaporated|dwindled|waned|passed|dried up|disappeared|run its course)|faded|died|wore off|cooled|ended|vanished|evaporated|waned)"
const NOT = "(?:don't|doesn't|do not|does not)"
const IS_NOT = "(?:isn't|aren't|is not|are not|'s not)"

/** [pattern, whether it is over]; `<S>`, where it is not the user, is who feels so. */
const TOPICS: readonly (readonly [source: string, isOver: boolean])[] = [
  [
    `${START}${TOPIC} no longer (?:${STIRS} ${WHOM}|(?:does|do) it for ${WHOM}|(?:makes?|brings?|gives?) ${WHOM})`,
    true,
  ],
  [
    `${START}${TOPIC} ${NOT} (?:really |even )?(?:${STIRS.replaceAll('s?', '').replace('(?:y|ies)', 'y')} ${WHOM}|do it for ${WHOM}) ${STILL}`,
    true,
  ],
  [
    `${START}${TOPIC} (?:${IS_NOT} (?:really )?(?:my|our|<S> 's) <2> (?:thing|cup of tea|jam|bag|favou?rite|passion|hobby|scene|style) ${STILL}|(?:is|are) no longer (?:my|our|<S> 's) <2> (?:thing|cup of tea|jam|bag|favou?rite|passion|hobby|scene|style))`,
    true,
  ],
  [`${START}${TOPIC} ${TIRES} ${WHOM} ${STILL}`, true],
  [
    `${START}${TOPIC} (?:has|have|'s) (?:kind of |all |completely )?lost (?:its|their|all|the|all its) <1> ${CHARM} (?:for|to) ${WHOM}`,
    true,
  ],
  [`${START}${TOPIC} (?:(?:has|have) become|became|got|has gotten|have gotten) <1> ${DULL} (?:for|to) ${WHOM}`, true],
  [
    `${START}${TOPIC} (?:just |simply )?(?:${IS_NOT} (?:really |much )?(?:fun|enjoyable|exciting|interesting) ${STILL}|(?:is|are) no longer (?:fun|enjoyable|exciting|interesting)|leaves? ${WHOM} cold)`,
    true,
  ],
  [`${START}${TOPIC} (?:${IS_NOT} for ${WHOM} ${STILL}|(?:is|are) no longer for ${WHOM})`, true],
  [`(?:my|our|<S> 's) <1> ${LOVE} (?:for|of|in|with) ${TOPIC} ${FADED}`, true],
  [`${START}the ${CHARM} of ${TOPIC} ${FADED}`, true],
  [
    `(?:i|we|<S>) (?:now )?(?:find|finds|found) ${TOPIC} (?:too |so |really |just |rather |pretty |quite )?${DULL} ${STILL}`,
    true,
  ],
  [`no more ${TOPIC} for ${WHOM}`, true],
  [
    `${START}${TOPIC} (?:makes? ${WHOM} (?:so |very |really )?happy|brings? ${WHOM} <1> joy|(?:relaxes?|fascinates?|delights?|thrills?) ${WHOM}(?= [.,;!]))`,
    false,
  ],
]
const NOT_A_TOPIC =
  /^(?:i|we|you|he|she|it|they|this|that|these|those|there|what|which|who|nothing|everything|something|my|our|his|her|their|your|and|but|no|not|everyone|someone|nobody|life|work|things?)(?: |$)/

/** Adds what pleases, or pleases no more, where it is the subject: "sushi bores me now". */
export function withTopics(frame: Frame, found: SentenceFacts): SentenceFacts {
  if (frame.isQuestion) return found
  const facts: Fact[] = []
  const typings: Typing[] = []
  for (const [source, isOver] of TOPICS) {
    for (const match of frame.text.matchAll(pattern(source))) {
      const who = subjectIn(frame, match)
      const topic = topicIn(frame, match)
      if (!who || !topic || facts.some(({ target }) => target === topic)) continue
      typings.push({ mention: topic, type: topic.type ?? ('THING' satisfies EntityType) })
      if (who !== 'user') typings.push({ mention: who, type: 'PERSON' })
      const ends = isOver ? { onlyEnds: true } : {}
      const { start, end } = topic
      facts.push({
        type: 'LIKES',
        source: who,
        target: topic,
        closes: isOver,
        ...ends,
        confidence: 0.75,
        validity: ALWAYS,
        start,
        end,
      })
    }
  }
  return facts.length === 0
    ? found
    : { ...found, facts: [...found.facts, ...facts], typings: [...found.typings, ...typings] }
}

function subjectIn(frame: Frame, match: RegExpExecArray): Subject | undefined {
  if (!match.groups?.s) return 'user'
  const [one, ...more] = mentionsIn(frame, match.groups.s)
  if (!one || more.length > 0) return undefined
  // First names are small towns too.
  const { type = 'PERSON', confidence } = one
  return type === 'PERSON' || (type === 'PLACE' && confidence < 0.7) ? one : undefined
}

function topicIn(frame: Frame, match: RegExpExecArray): Mention | undefined {
  const words = match.groups?.t ?? ''
  const [name, ...more] = mentionsIn(frame, words)
  if (name) return more.length === 0 && words.length === 1 ? name : undefined
  if (NOT_A_TOPIC.test(words)) return undefined
  const from = frame.pieceAt(match.index + match[0].indexOf(words))
  return phraseBetween(frame, from, from + words.split(' ').length)
}
