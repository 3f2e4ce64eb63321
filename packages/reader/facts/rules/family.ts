import { lexicons, wordsOf } from '../../index.ts'
import type { RelationType } from '../kinds.ts'
import type { Subject } from '../parts.ts'

/** Nouns for a relative, friend or boss, seen from the person who has one. */
export interface Bond {
  readonly type: RelationType
  /** True where the edge goes from the named one to the owner: my mother is parent of me. */
  readonly inverse: boolean
}

export interface BondFact {
  readonly type: RelationType
  readonly sources: readonly Subject[]
  readonly targets: readonly Subject[]
  readonly closes: boolean
  /** It ends what is known to hold, and tells nothing where nothing is. */
  readonly onlyEnds?: boolean
  /** Offsets in the frame's text. */
  readonly from: number
  readonly to: number
}

const BONDS: readonly (readonly [lexicons.Kin, Bond])[] = [
  ['spouse', { type: 'MARRIED_TO', inverse: false }],
  ['child', { type: 'PARENT_OF', inverse: false }],
  ['parent', { type: 'PARENT_OF', inverse: true }],
  ['relative', { type: 'RELATED_TO', inverse: false }],
  ['acquaintance', { type: 'KNOWS', inverse: false }],
  ['colleague', { type: 'COLLABORATES_WITH', inverse: false }],
  ['boss', { type: 'REPORTS_TO', inverse: false }],
  ['report', { type: 'REPORTS_TO', inverse: true }],
]

/** By noun, in all languages. */
export const bonds: ReadonlyMap<string, Bond> = new Map(
  BONDS.flatMap(([kin, bond]) => wordsOf(lexicons.KIN_NOUNS[kin]).map(noun => [noun, bond] as const)),
)

/** The words as alternatives of a pattern, the longest first. */
export const KIN = [...bonds.keys()].sort((a, b) => b.length - a.length).join('|')
/** The last words of all bonds: a sentence without any of them names no bond. */
export const LAST_WORDS = new Set([...bonds.keys()].map(words => words.split(' ').at(-1) ?? ''))

/** Patterns by which a sentence says who is whose relative, friend, colleague or boss. */

const OWNER =
  "(?<owner>my|our|his|her|their|mein|meine|meinen|meiner|meinem|unser|unsere|unserem|unserer|seine|seiner|seinem|seinen|ihre|ihrer|ihrem|ihren|sein|ihr|mi|mis|su|sus|mon|ma|mes|son|sa|notre|(?:the )?user 's|<M> 's)"
const IS =
  "(?:is|are|was|were|'s|ist|heißt|heisst|heißen|es|se llama|se llaman|s' appelle|s' appellent|est|sont|called|named)"
/** Matches text between the names of a list: "Mateo , who is seven , and Lucía ( 4 )". */
const ASIDE = '(?: \\( [^)\uE000-\uF8FF]{1,30} \\)| , (?:who|aged?|now|\\d+)(?: [^,.;\uE000-\uF8FF ]+){0,6})?'
const NAMED = `(?<s><M>${ASIDE}(?:(?:(?: ,)?(?: and| &| und| y| et)| ,)(?: little| baby| our| my)? <M>${ASIDE})+|<L>)`
/** "at Novartis", "in Lyon": says of the relative what the rules for work and places read. */
const AT = '(?: (?:at|from|in|of|near) <M>)?'

/** Each with the named ones as `s`. */
export const OWNED: readonly string[] = [
  `${OWNER} <2> (?<kin>${KIN})${AT} (?:, |\\( )?(?:(?:an?|the)(?: [^\uE000-\uF8FF ,.;:]+){1,4} )?(?:called |named |namens )?${NAMED}`,
  `${OWNER} <2> (?<kin>${KIN})${AT}(?: 's| ')?(?: names?)? ${IS} (?:called |named |now )?(?:an?(?: [^\uE000-\uF8FF ,.;:]+){1,4} (?:called|named) )?${NAMED}`,
  `<S> (?:is|are|was|became|'s|'re|ist|es|est|sont|son) (?<ended>no longer |not )?(?:also |now |both |still |actually )?${OWNER} <2> (?<kin>${KIN})`,
  `<S> (?:,|\\(|—|–|-) (?:who (?:is|'s|was) (?:also |now )?)?${OWNER} <2> (?<kin>${KIN})`,

  `(?:an?|two|three|some|few) <2> (?<kin>${KIN}) of (?<owner>mine|ours) (?:, |\\( |: |called |named )?${NAMED}`,
]
/** "lives with a flatmate named Joost": whose the sentence is about. */
export const INTRODUCED = `(?:(?:an?|another|one) <3> (?<kin>${KIN}) (?:named|called)|with (?<beside>${KIN})) ${NAMED}`
/** "he 's my nephew": whom earlier words named. */
export const MEANT = `(?<who>he|she) (?:is|'s|was) (?:now |also |still )?(?:${OWNER}|the) <2> (?<kin>${KIN})(?= [.,;!]|$)`
/** Notes: "wife: Ingrid", "kids: Nils (7), Freja (4)". */
export const NOTED_FIRST = `(?<kin>${KIN}) (?<s><M>)`
export const NOTED = `(?:my )?(?<kin>${KIN})(?: 's)?(?: names?)? : (?<s><M>(?: \\( \\S+ \\))?(?:(?: ,| and| &) <M>(?: \\( \\S+ \\))?)*)`
export const OF = `<S> (?:is|are|was|ist|es|est) (?<ended>no longer |not )?(?:the|a|an|der|die|das|el|la|le|une?)<2> (?<kin>${KIN}) (?:of|von|de|d') (?:(?:my|our|his|her|their) <2> (?:${KIN}) (?:, )?)?<O>`
export const OF_IS = `(?:the|el|la|le|der|die)<2> (?<kin>${KIN}) (?:of|de|von|d') <O> (?:is|es|ist|est) <S>`
export const HAVE = `(?:have|has|had|'ve|got|have got|has got|habe|hat|haben|tengo|tiene|tenemos|tienen|ai|a|ont|avons|raised) (?:a|an|one|two|three|four|five|six|her|his|eine?n?|zwei|drei|una?|dos|tres|une?|deux|trois|twin)<1> (?<kin>${KIN}) <1> ?(?:,|:|called|named|namens|–)? ${NAMED}`

/** Patterns by which a sentence says that two married or parted. */

const WED = '(?:married|hitched|wed|wedded|eloped)'
const JOINED = `(?:(?:got|are|were|have been|had|have|just|finally|both) <2> ${WED}|tied the knot|eloped|exchanged <1> vows|said <1> vows)`
const RECENTLY = "(?:(?:got|are|were|have|'ve|had|just|finally|recently|both) ){0,3}"
const PARTED =
  '(?:divorced|separated|split up|split(?! (?:the|a|an|our|it|up) )|broke up|broken up|got a divorce|parted ways|called it quits|(?:went|gone) <1> separate ways)'
const APART =
  "(?:(?:are|were) no longer (?:married|together|a couple)|(?:are not|aren't|'re not) (?:married|together|a couple) (?:anymore|any more|any longer))"
const OVER =
  '<1> (?:(?:is|has|was|came|fell|broke) <2> (?:over|ended|end|apart|up|down|failed|done|dissolved|annulled)|ended|collapsed|failed|crumbled)'
const UNION = '(?:marriage|relationship|union|engagement)'
const ENDED_IT = '(?:ended|annulled|dissolved|terminated)'

/** [pattern, whether it ends the marriage]; the subject stands before unless it is caught. */
export const MARRIAGES: readonly (readonly [string, boolean])[] = [
  [
    '(?:married|marries|marry|wed|weds|wedded|eloped with|tied the knot with|got hitched (?:to|with))(?: to)? <O>',
    false,
  ],
  ['(?:mit|avec|con) <O> (?:verheiratet|mariée?|casad[oa])', false],
  [`<S> ${JOINED}`, false],
  [`<S> ${RECENTLY}${PARTED}`, true],
  [`<S> ${APART}`, true],
  ['(?:divorced|divorces|separated from|divorced from|got divorced from|got a divorce from)(?: from)? <O>', true],
  [`<S> 's <1> marriage (?:to|with) <O> ${OVER}`, true],
]
/** The same of the one who writes: "Nadia and I got married". */
export const OWN_MARRIAGES: readonly (readonly [string, boolean])[] = [
  [`<O> and (?:i|me) ${JOINED}`, false],

  [`we (?:${JOINED}|tied the knot) <5> , <O> and (?:i|me)`, false],
  [`<O> and (?:i|me) (?:${RECENTLY}${PARTED}|${APART})`, true],
  [`(?:i|me) and <O> (?:${RECENTLY}${PARTED}|${APART})`, true],
  [`(?:my|our) <1> marriage (?:to|with) <O> ${OVER}`, true],

  [`<O> and (?:i|me) <2> ${ENDED_IT} our <1> ${UNION}`, true],
]
const FINISHED = "(?:it|things|everything|all) (?:is|'s|was|are|were|has been) <2> (?:over|finished|done|ended|through)"
/** [pattern, whether it is the user's]: they end a marriage where there is one; else it was some other love, or none. */
export const PARTINGS: readonly (readonly [string, boolean])[] = [
  ['(?:broke up|broken up|split up|split|broke it off|called it quits|ended things|ended it) with <O>', false],
  [
    '(?:left|dumped|walked out on|split from|parted from) <O>(?= (?:[.,;!]|for|after|last|this|because|and|but|yesterday|in) )',
    false,
  ],
  [
    '<O> <1> (?:left|dumped|walked out on|broke up with|divorced) (?:me|us)(?= (?:[.,;!]|for|after|last|this|because|and|but|yesterday|in) )',
    true,
  ],
  ['<O> <1> (?:dumped|walked out on|broke up with) <S>', false],

  ["<O> (?:is|'s) (?:now )?my <1> ex(?:-husband|-wife|-partner)?", true],

  [`${FINISHED} between <O> and (?:me|i|us)`, true],
]
export const NOT_DONE = /\b(?:not|never|nicht|getting|isn't|wasn't|want|wants|might|would|going|hope|hopes|will)\b/

/** Patterns by which a sentence says what two are to each other. */
export const TOGETHER: readonly (readonly [string, RelationType])[] = [
  [
    `<S> (?:are |were |both )?(?:working|work|worked|collaborate|collaborated|collaborating|pair|paired|pairing) (?:together|closely)`,
    'COLLABORATES_WITH',
  ],
  [
    `<S> (?:are|were|have been) <3> (?:friends|neighbours|neighbors|roommates|flatmates|classmates|acquaintances)`,
    'KNOWS',
  ],
]
