import { createHash } from 'node:crypto'
import { oneLine, trimSigns, unicodeForm } from 'mneme/plugin'
import type { EntityType } from '../../graph/contract.ts'

/** A sentence that is longer is cut. */
const TEXT_CHARS_MAX = 1_000

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’.@/:+#_-]+[\p{L}\p{M}\p{N}]+)*[+#]*/gu

/** On one line, and not longer than a line should be. */
export function onOneLine(text: string): string {
  const line = oneLine(text)
  if (line.length <= TEXT_CHARS_MAX) return line
  const cut = line.slice(0, TEXT_CHARS_MAX).replace(/[\ud800-\udbff]$/, '')
  return `${cut.replace(/\s+\S*$/u, '')}…`
}

/** Returns the normal form of a statement: lower case, without punctuation at the ends, with single spaces. */
export function normalForm(text: string): string {
  const plain = unicodeForm(text, 'NFKC')
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/\s+/gu, ' ')
  return trimSigns(plain, /[\s"'(]/u, /[\s"').,;:!?…。！？]/u)
}

/** Names a normal form without holding it. */
export function hashOf(normal: string): string {
  return createHash('sha256').update(normal).digest('base64url').slice(0, 16)
}

export function wordsOf(text: string): string[] {
  return text.match(WORD) ?? []
}

/** The words of a normal form, with a space before and after each. */
export function spacedWords(normal: string): string {
  return ` ${wordsOf(normal).join(' ')} `
}

/**
 * Builds the test that tells which texts, given as spaced words, say a name; undefined for a name without words. Scripts without capitals
 * write words together, or put something before and behind a name, so there it may stand within a word. Elsewhere it ends with the word,
 * but for what follows an apostrophe ("İstanbul'da") and the s of a genitive or plural. Many an organization is named like a thing, and
 * whoever likes apples says nothing of Apple: it has no s.
 */
export function saysName(name: string, type?: EntityType): ((spaced: string) => boolean) | undefined {
  const words = wordsOf(normalForm(name)).join(' ')
  if (words === '') return undefined
  if (words.length > 1 && UNCASED.test(words)) return spaced => spaced.includes(words)
  const endings = type === 'ORGANIZATION' ? [' ', "'"] : [' ', "'", 's ']
  const begin = ` ${words}`
  return spaced => {
    for (let at = spaced.indexOf(begin); at >= 0; at = spaced.indexOf(begin, at + 1))
      if (endings.some(ending => spaced.startsWith(ending, at + begin.length))) return true
    return false
  }
}

const UNCASED = /\p{Lo}/u
