/** Patterns by which a sentence says that two married or parted. */

const WED = '(?:married|hitched|wed|wedded|eloped)'
const JOINED = `(?:(?:got|are|were|have been|had|have|just|finally|both) <2> ${WED}|tied the knot|eloped|exchanged <1> vows|said <1> vows)`
const HAVE = "(?:(?:got|are|were|have|'ve|had|just|finally|recently|both) ){0,3}"
const PARTED =
  '(?:divorced|separated|split up|split(?! (?:the|a|an|our|it|up) )|broke up|broken up|got a divorce|parted ways|called it quits|(?:went|gone) <1> separate ways)'
const APART =
  "(?:(?:are|were) no longer (?:married|together|a couple)|(?:are not|aren't|'re not) (?:married|together|a couple) (?:anymore|any more|any longer))"
const OVER =
  '<1> (?:(?:is|has|was|came|fell|broke) <2> (?:over|ended|end|apart|up|down|failed|done|dissolved|annulled)|ended|collapsed|failed|crumbled)'
/** "Ben and I are done" is of a marriage; "done with the report" is not. */
const THROUGH =
  "(?:(?:are|were|'re) <1> (?:through|done|finished|over|history|exes|no more)(?= (?:[.,;!]|for good|now|as a couple) )|parted(?= [.,;!] )|parted company|drifted apart|grew apart)"
const UNION = '(?:marriage|relationship|union|engagement)'
const ENDED_IT = '(?:ended|annulled|dissolved|terminated)'
const FINAL = '<1> (?:is|was|came|went|got|has|happened|took|became) '

/** [pattern, whether it ends the marriage]; the subject stands before unless it is caught. */
export const MARRIAGES: readonly (readonly [string, boolean])[] = [
  [
    '(?:married|marries|marry|wed|weds|wedded|eloped with|tied the knot with|got hitched (?:to|with))(?: to)? <O>',
    false,
  ],
  ['(?:mit|avec|con) <O> (?:verheiratet|mariée?|casad[oa])', false],
  [`<S> ${JOINED}`, false],
  [`<S> ${HAVE}${PARTED}`, true],
  [`<S> ${APART}`, true],
  ['(?:divorced|divorces|separated from|divorced from|got divorced from|got a divorce from)(?: from)? <O>', true],
  [`<S> 's <1> marriage (?:to|with) <O> ${OVER}`, true],
  [`<S> <2> ${ENDED_IT} their <1> ${UNION}`, true],
  [`${ENDED_IT} (?:my|our|his|her|their) <1> ${UNION} (?:to|with) <O>`, true],
  ['(?:exchanged (?:vows|rings) with|said (?:["“”] )?i do (?:["“”] )?to|walked down the aisle with) <O>', false],
]
/** The same of the one who writes: "Nadia and I got married". */
export const OWN_MARRIAGES: readonly (readonly [string, boolean])[] = [
  [`<O> and (?:i|me) ${JOINED}`, false],
  [`(?:i|me) and <O> ${JOINED}`, false],
  [`we (?:${JOINED}|tied the knot) <5> , <O> and (?:i|me)`, false],
  [`<O> and (?:i|me) (?:${HAVE}${PARTED}|${APART})`, true],
  [`(?:i|me) and <O> (?:${HAVE}${PARTED}|${APART})`, true],
  [`(?:my|our) <1> marriage (?:to|with) <O> ${OVER}`, true],
  [`(?:my|our) <1> (?:divorce|separation|split) from <O> ${FINAL}`.trimEnd(), true],
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
  ["(?:am|'m|is|'s|are) (?:no longer|not) <1> with <O>", false],
  ['<O> (?:has |have )?moved out', true],
  ["<O> (?:is|'s) (?:now )?my <1> ex(?:-husband|-wife|-partner)?", true],
  [`<O> and (?:i|me) <1> ${THROUGH}`, true],
  [`(?:i|me) and <O> <1> ${THROUGH}`, true],
  [`${FINISHED} (?:between|with) (?:me|us) and <O>`, true],
  [`${FINISHED} between <O> and (?:me|i|us)`, true],
  [`${FINISHED} between <S> and <O>`, false],
  ['<O> <1> filed for <1> divorce(?! from)', true],
  ['(?:filed for <1> divorce|split up|split|parted) from <O>', false],
]
export const NOT_DONE = /\b(?:not|never|nicht|getting|isn't|wasn't|want|wants|might|would|going|hope|hopes|will)\b/
