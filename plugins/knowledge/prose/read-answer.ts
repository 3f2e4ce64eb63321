import { type Compiled, EARLIER, type Line, NOTES, type Section, type Source } from '../document/document.ts'
import { bareFirst } from '../document/withdraw.ts'
import { hashOf, normalForm, onOneLine } from '../document/wording.ts'
import type { ProseAnswer } from './answer.ts'
import { isGrounded } from './check-sentence.ts'

const SENTENCE_CHARS_MAX = 700
const HEADING_CHARS_MAX = 60
/** Statements that one sentence may join; one that "says" all of them says none. */
const JOINED_MAX = 8

/**
 * A model's answer as a document: undefined when it leaves a statement out, names one that there is not, or says anything that
 * its statements do not.
 * @param lines what was numbered, from 0
 * @param names how the person may be called
 */
export function proseOf(
  answer: ProseAnswer,
  composed: Compiled,
  lines: readonly Line[],
  names: readonly string[],
): Compiled | undefined {
  const sections: Section[] = []
  const said = new Set<number>()
  for (const { heading, sentences } of answer.sections) {
    const own: Line[] = []
    const cited = new Set<Line>()
    for (const { text, from } of sentences) {
      const line = sentenceOf(text, [...new Set(from)], lines, names)
      if (!line) return undefined
      for (const n of from) {
        said.add(n)
        for (const one of lines.slice(n, n + 1)) cited.add(one)
      }
      own.push(line)
    }
    if (own.length > 0) sections.push({ heading: headingOf(heading, [...cited], names), lines: own })
  }
  if (said.size !== lines.length) return undefined
  return { ...composed, style: 'prose', sections: bareFirst(sections) }
}

function sentenceOf(
  text: string,
  from: readonly number[],
  lines: readonly Line[],
  names: readonly string[],
): Line | undefined {
  const sentence = onOneLine(text)
  if (from.length === 0 || from.length > JOINED_MAX || normalForm(sentence) === '') return undefined
  if (sentence.length > SENTENCE_CHARS_MAX || sentence.includes('<!--')) return undefined
  const cited = from.flatMap(n => lines[n] ?? [])
  if (cited.length !== from.length) return undefined
  if (!isGrounded(sentence, { texts: cited.map(line => line.text), names })) return undefined
  return { text: sentence, hash: hashOf(normalForm(sentence)), sources: cited.flatMap(sourcesOf) }
}

/** A sentence says none of its statements word for word, so each source tells what it says. */
function sourcesOf({ text, sources }: Line): Source[] {
  return sources.map(({ memory, hash, said }) => ({ memory, hash, said: said ?? text }))
}

/** A heading with a name or a number that is not in its own statements is left out; nothing is lost with it. */
function headingOf(heading: string | null, lines: readonly Line[], names: readonly string[]): string | null {
  const short = onOneLine(heading ?? '').replace(/^#+\s*/, '')
  const reserved = [EARLIER, NOTES].map(normalForm)
  if (short === '' || short.length > HEADING_CHARS_MAX || reserved.includes(normalForm(short))) return null
  const known = new Set([...lines.map(({ text }) => text), ...names].flatMap(wordsIn))
  const telling = short.split(SEPARATORS).filter((word, n) => (n > 0 && CAPITAL.test(word)) || OTHER_SIGNS.test(word))
  return telling.every(word => known.has(normalForm(word))) ? short : null
}

const SEPARATORS = /[^\p{L}\p{N}]+/u
const CAPITAL = /\p{Lu}/u
/** Digits, and letters of scripts without capitals. */
const OTHER_SIGNS = /\p{N}|\p{Lo}/u

function wordsIn(text: string): string[] {
  return normalForm(text).split(SEPARATORS)
}
