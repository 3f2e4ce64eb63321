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
