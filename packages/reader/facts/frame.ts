import { isQuestion, lexicons, wordsOf } from '../index.ts'
import type { EntityType, RelationType } from './kinds.ts'
import type { Piece } from './mentions.ts'
import type { Mention, Subject } from './parts.ts'
import { VAGUE } from './rules/context.ts'
import type { Rule } from './rules/rule.ts'

/**
 * A sentence as patterns read it: its words in lower case between single spaces, each name one character of the private use
 * area. "Ada joined Acme." becomes " \uE000 joined \uE002 . ".
 */
export interface Frame {
  readonly pieces: readonly Piece[]
  readonly text: string
  /** It asks something. */
  readonly isQuestion: boolean
  /** Index of the piece that stands at an offset of `text`, or of the next one. */
  pieceAt(offset: number): number
}

const FIRST_NAME = 0xe000
/** Pieces beyond are no names: no sentence is that long. */
const NAMES_MAX = 1_500

/** @param sentence as it stands in the text */
export function frameOf(pieces: readonly Piece[], sentence: string): Frame {
  const at: number[] = [0]
  let text = ' '
  pieces.forEach(({ unit, mention }, i) => {
    const word = mention && i < NAMES_MAX ? String.fromCharCode(FIRST_NAME + i) : plain(unit.lower)
    text += `${word} `
    for (let n = 0; n <= word.length; n++) at.push(i)
  })
  at.push(pieces.length)
  return {
    pieces,
    text,
    isQuestion: isQuestion(sentence),
    pieceAt: offset => at[Math.min(offset, at.length - 1)] ?? pieces.length,
  }
}

/** A text may hold characters of the private use area itself. */
function plain(word: string): string {
  return word.replace(/[\uE000-\uF8FF]/g, '?')
}

/** The names that a matched list holds, in order. */
export function mentionsIn(frame: Frame, matched: string): Mention[] {
  return [...matched].flatMap(character => {
    const code = character.charCodeAt(0) - FIRST_NAME
    return code >= 0 && code < NAMES_MAX ? (frame.pieces[code]?.mention ?? []) : []
  })
}

const NAME = '[\uE000-\uF8FF]'
/** Up to `n` words that are no names. */
const few = (n: number) => `(?: [^\uE000-\uF8FF ,.;:!?]+){0,${n}}?`
const LINK = lexicons.NAME_LINKS.filter(link => link !== ',').join('|')
const LIST = `${NAME}(?:(?: , (?:${LINK}) | , | (?:${LINK}) )(?:(?:${lexicons.BEFORE_LISTED_NAMES.join('|')}) )?${NAME})*`
const FILLERS = wordsOf(lexicons.FILLERS_BEFORE_NAMES).map(word => word.replaceAll('.', '\\.'))
const FILL = `(?:(?:(?:19|20)\\d\\d|${FILLERS.join('|')}) ){0,4}`

const compiled = new Map<string, RegExp>()

/**
 * A pattern over frames, with `<M>` for one name, `<L>` for a list of names, `<F>` for articles and the like, `<0>` to `<9>` for
 * at most that many other words. `<O>` and `<S>` are lists of names, caught under these names.
 */
export function pattern(source: string): RegExp {
  let regex = compiled.get(source)
  if (!regex) {
    const body = source
      .replaceAll('<O>', `(?<o>${LIST})`)
      .replaceAll('<S>', `(?<s>${LIST})`)
      .replaceAll('<M>', NAME)
      .replaceAll('<L>', LIST)
      .replaceAll('<F>', FILL)
      .replace(/ ?<(\d)>/g, (_, n: string) => few(Number(n)))
    regex = new RegExp(`(?<= )(?:${body})(?= )`, 'gu')
    compiled.set(source, regex)
  }
  return regex
}

/**
 * Computes the prefixes that a text must contain for a pattern to match: the first letters of each word that the pattern may start with, after a
 * space. Looking for these is far cheaper than trying the pattern. Undefined where the pattern may start with anything.
 */
export function anchorsOf(source: string): readonly string[] | undefined {
  const alternatives = source.startsWith('(?:') ? alternativesOf(source) : [source]
  const anchors = alternatives?.map(alternative => {
    const [, letters = '', next = ''] = /^([\p{L}'-]+)(.?)/u.exec(alternative) ?? []
    return next === '?' ? letters.slice(0, -1) : letters
  })
  return anchors?.every(anchor => anchor.length > 0) ? anchors.map(anchor => ` ${anchor}`) : undefined
}

/** Computes them for the group that a pattern starts with; undefined where the group is optional. */
function alternativesOf(source: string): string[] | undefined {
  const alternatives: string[] = []
  let depth = 0
  let from = 3
  for (let i = 0; i < source.length; i++) {
    const character = source[i]
    if (character === '(') depth++
    else if (character === ')') depth--
    if ((character === '|' && depth === 1) || depth === 0) {
      alternatives.push(source.slice(from, i))
      from = i + 1
    }
    if (depth === 0) break
  }
  // A pattern that starts with "(?:now )?" may start with what follows as well.
  if (source[from - 1] === ')' && /^[?*{]/.test(source.slice(from))) return undefined
  const all: string[] = []
  for (const one of alternatives) {
    const own = one.startsWith('(?:') ? alternativesOf(one) : [one]
    if (!own) return undefined
    all.push(...own)
  }
  return all
}

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
