import { sentencesIn, wordSegments } from 'mneme/plugin'
import { CHUNK_CHARS_MAX, OVERLAP_CHARS_MAX } from './limits.ts'

/** Sentences are looked for in so much at once: each of their words is an object while that is done. */
const SPAN_CHARS_MAX = 100_000

/** The sentences of a text, each with the space behind it; together they are the text. */
export function sentencesOf(text: string): string[] {
  const sentences = sentencesIn(text)
  return sentences.map(({ start }, n) => text.slice(n === 0 ? 0 : start, sentences[n + 1]?.start ?? text.length))
}

/**
 * Parts of a text of `max` characters at the most, of whole sentences and about the same length. A sentence that is longer is
 * divided between words.
 *
 * @param overlaps the last sentence of a part, where it is short, begins the next one again
 */
export function splitText(text: string, max = CHUNK_CHARS_MAX, overlaps = true): string[] {
  const whole = text.trim()
  if (whole.length <= max) return whole ? [whole] : []
  if (whole.length > SPAN_CHARS_MAX) return spansOf(whole).flatMap(span => splitText(span, max, overlaps))
  const units = sentencesOf(whole).flatMap(sentence =>
    sentence.trim().length > max ? splitWords(sentence, max) : [sentence],
  )
  return pack(units, max, overlaps)
}

/** Parts of a long text that end between words, where there are any. */
function spansOf(text: string): string[] {
  const spans: string[] = []
  for (let from = 0; from < text.length; ) {
    const whole = from + SPAN_CHARS_MAX
    const space = whole < text.length ? text.lastIndexOf(' ', whole) : -1
    const to = space > from + SPAN_CHARS_MAX / 2 ? space : whole - (isLowSurrogate(text, whole) ? 1 : 0)
    spans.push(text.slice(from, to))
    from = to
  }
  return spans
}

function isLowSurrogate(text: string, at: number): boolean {
  return /[\udc00-\udfff]/.test(text.charAt(at))
}

function pack(units: readonly string[], max: number, overlaps: boolean): string[] {
  const total = units.reduce((sum, unit) => sum + unit.length, 0)
  // Parts of one length, so that the last is no scrap.
  const aim = Math.min(max, Math.ceil(total / Math.ceil(total / max)) + OVERLAP_CHARS_MAX)
  const parts: string[] = []
  let part = ''
  let last = ''
  for (const unit of units) {
    if (part && (part + unit).trimEnd().length > aim) {
      parts.push(part.trim())
      const isShort = last.trim().length <= OVERLAP_CHARS_MAX && (last + unit).trimEnd().length <= max
      part = overlaps && isShort && last !== part ? last : ''
    }
    part += unit
    last = unit
  }
  if (part.trim()) parts.push(part.trim())
  return parts
}

/** Divides between words; a word that is longer still, between characters. */
function splitWords(text: string, max: number): string[] {
  const parts: string[] = []
  let part = ''
  for (const { segment } of wordSegments(text)) {
    if (part && part.length + segment.length > max) {
      parts.push(part)
      part = ''
    }
    if (segment.length <= max) part += segment
    else parts.push(...splitCharacters(segment, max))
  }
  if (part) parts.push(part)
  return parts
}

function splitCharacters(text: string, max: number): string[] {
  const parts: string[] = []
  let part = ''
  for (const character of text) {
    if (part.length + character.length > max) {
      parts.push(part)
      part = ''
    }
    part += character
  }
  if (part) parts.push(part)
  return parts
}
