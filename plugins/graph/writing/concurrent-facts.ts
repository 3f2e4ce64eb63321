import type { RelationType, Span } from '../contract.ts'

/** Words that say of a job, a boss or a home that it is there beside another; English, German, Spanish and French. */
const BESIDE =
  /(?<![\p{L}\p{N}])(?:also|as well|in addition|additionally|besides|on the side|side (?:job|gig|hustle|project)|second (?:job|home|flat|apartment|house|boss|manager)|part[- ]time|both|half the (?:year|week)|dotted[- ]line|auch|außerdem|nebenbei|nebenberuflich|zusätzlich|teilzeit|zweit(?:job|wohnung)|también|además|segundo (?:trabajo|empleo)|a tiempo parcial|aussi|également|en plus|à temps partiel|à mi-temps|deuxième (?:emploi|travail))(?![\p{L}\p{N}])/iu

/** Words that say that one thing came after another: then "also" is of something else. */
const CHANGE =
  /(?<![\p{L}\p{N}])(?:moved|moving|joined|joining|switched|changed jobs|left|quit|no longer|anymore|any more|instead|now|new job|(?:nicht|kein\p{L}*) mehr|umgezogen|gewechselt|jetzt|ya no|ahora|me mudé|ne \p{L}+ plus|maintenant|déménagé)(?![\p{L}\p{N}])/iu
const SURE =
  /part[- ]time|on the side|side (?:job|gig|hustle)|second (?:job|home)|zweit(?:job|wohnung)|segundo (?:trabajo|empleo)/iu

const TYPES: ReadonlySet<RelationType> = new Set(['WORKS_AT', 'LIVES_IN', 'REPORTS_TO'])

/**
 * Tells whether a text says that something holds beside others of its kind. The rule is made to err towards one at a time: "I work
 * at B" after "I work at A" is a new job; "I also work at B", "part-time at B" and "B is my second job" are not; "I also joined B"
 * and "now I also …" are, for they tell a change.
 */
export function statesConcurrentFact(text: string, span: Span, type: RelationType): boolean {
  if (!TYPES.has(type)) return false
  const sentence = sentenceAround(text, span)
  return BESIDE.test(sentence) && (SURE.test(sentence) || !CHANGE.test(sentence))
}

function sentenceAround(text: string, { start, end }: Span): string {
  const before = text.slice(Math.max(0, start - 200), start)
  const after = text.slice(end, end + 200)
  const begin = Math.max(...['. ', '! ', '? ', '\n', '; '].map(stop => before.lastIndexOf(stop)))
  const stop = /[.!?;](?=\s|$)|\n/.exec(after)?.index ?? after.length
  return before.slice(begin + 1) + text.slice(start, end) + after.slice(0, stop)
}
