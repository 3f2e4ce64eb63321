import type { RelationType } from '../kinds.ts'

/** Patterns around the match of a rule, by which it is meant otherwise, denied or dated. */

/** Words that make something else of a match: a son called Magnus is not owned, a student at MIT does not work there. */
export const NOT_MEANT: Readonly<Partial<Record<RelationType, RegExp>>> = {
  OWNS: /(?:^| )(?:son|sons|daughter|daughters|child|children|kids?|brothers?|sisters?|friends?|cousins?|colleagues?|wife|husband) /,
  WORKS_AT:
    / (?:study|studying|studied|student|master's|masters|phd|bachelor's|degree|thesis|mba|enrolled|patient|guest|party|dinner|appointment|meeting|staying|arriving|conference|account (?:lead|manager|executive|owner) for|customer(?! (?:support|service|success|care|experience) )) /,
}

/** A match behind it is said of nobody. */
export const NOBODY = /^[^.;]* (?:neither|nobody|no one|none of) /

/** Words of a match that begin or end something, so that a date beside them is a border. */
export const CHANGE =
  /joined|hired|started|stopped|moved|relocated|left|quit|resigned|retired|laid off|fired|migrated|switched|replaced|bought|sold|founded|adopted|married|divorced|mud[oóé]|dejó|quitté|verlassen|gezogen|déménagé|until|between/

/** Denials that tell how somebody feels: "can't stand" denies nothing. */
export const FEELING = /^(?:can't|cannot|can not) (?:stand|get enough|live without)/

/** Precedes what holds on a condition. */
export const CONDITION = / (?:if|whether|unless|wenn|falls|ob|si) [^,.;]{0,40}$/

/** Begins what says nothing more of the match before. */
export const CLAUSE_END = / (?:;|\.|but|because|pero|aber|mais|before|and (?:now|then|she|he|i|they|joined|moved)) /

/** A date that opens a sentence. */
export const OPENING_DATE =
  /^ (?:since|in|seit|desde|depuis|from) [^,]{3,20}? (?=,|i |he |she |they |we |[\uE000-\uF8FF])/

/** A person's role may stand between a rule and the name: "reports to our director, Ana". */
export const CALLING = '(?: (?:the|my|our|his|her|their)<2> ,)?'

/** "Is at Rome" may be work or a visit. */
export const VAGUE = /^(?:is|'s|am|'m|are|'re|was|were|been|be)(?: \S+)? (?:at|with) /

/** A verb before or behind what somebody says. */
export const TELLS =
  '(?:said|says|say|told (?:me|us|him|her|them|<M>)|tells (?:me|us)|wrote|writes|texted(?: me)?|asked(?: me)?|replied|answered|added|shouted|explained|sagte|dijo|dit)'

/** Follows what somebody named before says. */
export const TOLD_BEHIND = /^ (?:, )?(?:he|she|they) (?:said|says|told|wrote)/

/** "sushi", "the opera", "my running": what a sentence about tastes begins with. */
const TOPIC = '(?<t>[^ ,.;:!?"()]+(?: [^ ,.;:!?"()]+){0,2}?)'
const START =
  '(?<=^ (?:(?:honestly|lately|nowadays|these days|frankly|well|yeah|so|and|but|sadly|apparently|somehow|today|now)(?: ,)? )*|[,;:–—] (?:and |but |so )?)'
const WHOM = '(?:me|us|<S>)'
const STILL = '(?:anymore|any more|any longer|these days|now|nowadays|lately|at all)'
const STIRS =
  '(?:interests?|excites?|appeals? to|thrills?|moves?|attracts?|inspires?|grabs?|speaks? to|tempts?|amuses?|entertains?|satisf(?:y|ies)|delights?|fascinates?|intrigues?|relaxes?)'
const TIRES = '(?:bores?|tires?|annoys?|irritates?|disgusts?|exhausts?|puts? off)'
const LOVE =
  '(?:love|passion|enthusiasm|craving|appetite|taste|obsession|fondness|interest|affair|excitement|liking|infatuation|crush)'
const FADED =
  "(?:(?:is|are|has|have|was|'s) (?:now |all |completely |finally |long )?(?:gone|over|faded|faded away|worn off|died|died down|dead|ended|cooled|vanished|evaporated|dwindled|waned|passed|dried up|disappeared|run its course)|faded|died|wore off|cooled|ended|vanished|evaporated|waned)"
const NOT = "(?:don't|doesn't|do not|does not)"

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

  [`${START}${TOPIC} ${TIRES} ${WHOM} ${STILL}`, true],

  [`(?:my|our|<S> 's) <1> ${LOVE} (?:for|of|in|with) ${TOPIC} ${FADED}`, true],
]

/** Words that a topic does not begin with. */
export const NOT_A_TOPIC =
  /^(?:i|we|you|he|she|it|they|this|that|these|those|there|what|which|who|nothing|everything|something|my|our|his|her|their|your|and|but|no|not|everyone|someone|nobody|life|work|things?)(?: |$)/

/** Patterns by which a sentence says how the user is called; the second is true of names of people alone. */
export const STATED_NAMES = [
  "(?:my (?:full |real |first )?name is|my name 's|call me|people call me|mein name ist|ich heiße|me llamo|mi nombre es|m' appelle|mon nom est|the user 's name is|user 's name is) (?<o><M>)",
  "(?:i 'm|i am|ich bin|soy|je suis|this is) (?<o><M>)(?= (?:,|\\.|!|and|und|y|et|from|$))",
]

const TURN = '(?:[,;:–—-]|but|and|\\.)'
const IS =
  "(?:it|that|this|i|we|she|he|they|is|'s|am|'m|are|'re|has|have|been|all|about|using|use|uses|live|lives|living|work|works|working|based|report|reports|on|at|in|to|for|with|by|home|just|only|rather|my|the|job|place|city|boss|manager|tool)"
const NOW = '(?:now|nowadays|these days|today|instead|currently)'
const AFTER = `(?= (?:${NOW}|from now on|since|[.!,;])(?: |$))`
/** From the name of what is over on: "no longer in Leipzig ; it 's Nairobi now", "no longer to Ana but to Ben". */
export const INSTEAD: readonly string[] = [
  `${TURN} (?:but |and |so )?(?:${IS} ){0,4}${NOW} (?:${IS} ){0,4}<O>${AFTER}`,
  `${TURN} (?:but |and |so )?(?:${IS} ){1,4}<O> (?:${NOW}|from now on)`,
  `but (?:rather |only |just )?(?:to |in |at |for |with |by |on |under )?<O>${AFTER}`,
  `(?:sondern|sino|mais) (?:in |bei |mit |auf |für |en |a |con |para |chez |à |pour |avec )?<O>${AFTER}`,
]
