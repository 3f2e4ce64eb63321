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
export const TOPICS: readonly (readonly [source: string, isOver: boolean])[] = [
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

/** Words that a topic does not begin with. */
export const NOT_A_TOPIC =
  /^(?:i|we|you|he|she|it|they|this|that|these|those|there|what|which|who|nothing|everything|something|my|our|his|her|their|your|and|but|no|not|everyone|someone|nobody|life|work|things?)(?: |$)/
