import type { EntityType, RelationType } from './kinds.ts'
import type { Mention, Subject } from './parts.ts'
import { VAGUE } from './rules/context.ts'
import type { Rule } from './rules/rule.ts'

/** Relationship types whose source is always a person, even where a list says company. */
const HUMAN: ReadonlySet<RelationType> = new Set(['WORKS_AT', 'STUDIED_AT', 'LIKES', 'DISLIKES', 'INTERESTED_IN'])

/** Lists of names are wrong about single words now and then; the words around know better, unless the list is sure. */
export function mayBe(rule: Rule, mention: Mention, words: string): boolean {
  if (mention.type === undefined) return !rule.known
  // "joined the Madrid office" is not of Madrid, nor is "left the Nagoya factory", though who moves to "the Boston area" lives in Boston.
  if (mention.modifies && (rule.closes || !rule.target.includes('PLACE'))) return false
  if (rule.target.includes(mention.type)) return true
  if (rule.known) return false
  // A name typed as a person only because of two capitals may be anything.
  if (rule.strict) return !rule.onlyEnds && mention.type === 'PERSON' && mention.confidence <= 0.65
  // "works at Skoda Auto": what its first word makes a product of.
  if (
    rule.type === 'WORKS_AT' &&
    mention.type === 'THING' &&
    mention.confidence <= 0.8 &&
    / (?:at|bei|chez|en) /.test(words)
  )
    return true
  // First names are small towns too: "they fired Ngozi".
  if (mention.confidence < 0.7)
    return mention.type !== 'PLACE' || rule.closes !== true || rule.target.includes('PERSON')
  if (mention.type === 'ORGANIZATION' && rule.target.includes('PLACE')) return false
  if (rule.type === 'OWNS' && rule.user) return true
  if (
    / /.test(mention.name) ||
    (rule.closes && !rule.bound && mention.type !== 'ORGANIZATION' && !/ (?:at|bei|chez) /.test(words))
  )
    return false
  const vague = VAGUE.test(words)
  if (mention.type === 'THING') return rule.type !== 'MANAGES' && rule.target.includes('ORGANIZATION') && !vague
  if (mention.type === 'PLACE' && rule.type === 'MANAGES') return false
  if (mention.type === 'PLACE')
    return rule.target.includes('ORGANIZATION') && !vague && !/ (?:to|for)(?: [\uE000-\uF8FF])?$/.test(words)
  return (
    mention.confidence < 0.9 &&
    !rule.target.includes('PERSON') &&
    (rule.type !== 'WORKS_AT' || !/ (?:for|with|by) \S+$/.test(words))
  )
}

export function targetType(rule: Rule, mention: Mention): EntityType {
  if (mention.type && rule.target.includes(mention.type)) return mention.type
  return rule.target[0] ?? 'THING'
}

export function mayBeSource(rule: Rule, subject: Subject): boolean {
  const allowed = rule.source ?? ['PERSON']
  if (subject === 'user') return allowed.includes('PERSON')
  return (
    subject.type === undefined ||
    allowed.includes(subject.type) ||
    (!subject.name.includes(' ') &&
      subject.confidence < 0.8 &&
      (HUMAN.has(rule.type) || (subject.type === 'PLACE' && allowed[0] === 'PERSON')))
  )
}

export function sourceType(rule: Rule, { type }: Mention): EntityType {
  const allowed = rule.source ?? ['PERSON']
  return type && allowed.includes(type) ? type : (allowed[0] ?? 'PERSON')
}
