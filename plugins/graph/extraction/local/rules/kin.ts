import { KIN } from '../kin-words.ts'

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
  `<S> (?:,|\\(|is|was|—|–|-) (?:an?|one of|another) <2> (?<kin>${KIN}) of (?<owner>mine|my|ours|his|hers|<M> 's)`,
  `(?:an?|two|three|some|few) <2> (?<kin>${KIN}) of (?<owner>mine|ours) (?:, |\\( |: |called |named )?${NAMED}`,
]
/** "my mum Ngozi and dad Chidi": the second goes without its possessive. */
export const AND_OWNED = `${OWNER} <2> (?:${KIN}) <M> and (?<kin>${KIN}) ,? ?(?<s><M>)`
/** "lives with a flatmate named Joost": whose the sentence is about. */
export const INTRODUCED = `(?:(?:an?|another|one) <3> (?<kin>${KIN}) (?:named|called)|with (?<beside>${KIN})) ${NAMED}`
/** "he 's my nephew": whom earlier words named. */
export const MEANT = `(?<who>he|she) (?:is|'s|was) (?:now |also |still )?(?:${OWNER}|the) <2> (?<kin>${KIN})(?= [.,;!]|$)`
/** Notes: "wife: Ingrid", "kids: Nils (7), Freja (4)". */
export const NOTED_FIRST = `(?<kin>${KIN}) (?<s><M>)`
export const NOTED = `(?:my )?(?<kin>${KIN})(?: 's)?(?: names?)? : (?<s><M>(?: \\( \\S+ \\))?(?:(?: ,| and| &) <M>(?: \\( \\S+ \\))?)*)`
export const OF = `<S> (?:is|are|was|ist|es|est) (?<ended>no longer |not )?(?:the|a|an|der|die|das|el|la|le|une?)<2> (?<kin>${KIN}) (?:of|von|de|d') (?:(?:my|our|his|her|their) <2> (?:${KIN}) (?:, )?)?<O>`
export const OF_IS = `(?:the|el|la|le|der|die)<2> (?<kin>${KIN}) (?:of|de|von|d') <O> (?:is|es|ist|est) <S>`
export const OF_USER = `(?:el|la|le|der|die|das)<2> (?<kin>${KIN}) (?:des nutzers|der nutzerin|del usuario|de la usuaria|de l' utilisateur|de l' utilisatrice) (?:, |${IS} )?<S>`
export const HAVE = `(?:have|has|had|'ve|got|have got|has got|habe|hat|haben|tengo|tiene|tenemos|tienen|ai|a|ont|avons|raised) (?:a|an|one|two|three|four|five|six|her|his|eine?n?|zwei|drei|una?|dos|tres|une?|deux|trois|twin)<1> (?<kin>${KIN}) <1> ?(?:,|:|called|named|namens|–)? ${NAMED}`
