import { type TObject, type TSchema, TypeGuard } from '@sinclair/typebox'
import { parseJson } from '../../http/post-json.ts'
import { fit } from '../fit.ts'

/**
 * Finds the completion in what a model wrote: JSON alone, in a fence, after its thoughts, between sentences, as a text
 * within JSON, or in the envelope of a tool call. A text that holds several is taken at the last one that fits; where none
 * fits, at the last one that has a field of the schema. Undefined when there is none, or it was cut off.
 */
export function completionIn(schema: TObject, text: string): unknown {
  const candidates = jsonIn(text).flatMap(value => {
    const found = unwrapped(schema, value)
    return found === undefined ? [] : [found]
  })
  return candidates.findLast(value => 'value' in fit(schema, value)) ?? candidates.at(-1)
}

/**
 * Finds the completion in a text that did not come to an end: it stands there alone, after the thoughts. A draft within
 * thoughts, or before second ones, is none.
 */
export function cutOffCompletionIn(schema: TObject, text: string): unknown {
  const said = withoutThoughts(text)
  const start = COMPLETION_START.exec(said)?.[0].length
  const end = start === undefined ? undefined : endOf(said, start)
  if (end === undefined || /[^\s`]/.test(said.slice(end))) return undefined
  return completionIn(schema, said.slice(start, end))
}

/** Blanks and the opening of a fence. */
const COMPLETION_START = /^\s*(?:```\w*\s*)?(?=[[{])/

const THOUGHTS_END = /^.*<\/(?:think|thinking|reasoning|thought)>/su

/** A text that is JSON as it stands may quote such a tag. */
function withoutThoughts(text: string): string {
  return parseJson(text) === undefined ? text.replace(THOUGHTS_END, '').trim() : text
}

function jsonIn(text: string): unknown[] {
  const said = withoutThoughts(text)
  const whole = parseJson(said)
  if (typeof whole === 'string') return spansIn(whole)
  return whole === undefined ? spansIn(said) : [whole]
}

const OPENING = /\{|\[(?=\s*[\]{"])/g

/** Returns what stands between matching brackets and parses. It never looks within a span that does not. */
function spansIn(text: string): unknown[] {
  const found: unknown[] = []
  for (let from = 0; ; ) {
    OPENING.lastIndex = from
    const start = OPENING.exec(text)?.index
    const end = start === undefined ? undefined : endOf(text, start)
    // A span without an end was cut off, and what it holds is a part of something else.
    if (start === undefined || end === undefined) return found
    const value = parseJson(text.slice(start, end))
    if (value !== undefined) found.push(value)
    from = end
  }
}

function endOf(text: string, start: number): number | undefined {
  let depth = 0
  let quoted = false
  for (let at = start; at < text.length; at++) {
    const sign = text[at]
    if (quoted) {
      if (sign === '\\') at++
      else if (sign === '"') quoted = false
    } else if (sign === '"') quoted = true
    else if (sign === '{' || sign === '[') depth++
    else if ((sign === '}' || sign === ']') && --depth === 0) return at + 1
  }
  return undefined
}

/** Models wrap a completion once or twice: `{"name": "answer", "arguments": {…}}`, `{"answer": {…}}`, a list of calls. */
const ENVELOPES_MAX = 3

/** Returns the part that has a field of the schema, or nothing at all where nothing was asked for beyond lists. */
function unwrapped(schema: TObject, value: unknown, envelopes = 0): unknown {
  const given = typeof value === 'string' ? parseJson(value) : value
  if (typeof given !== 'object' || given === null) return undefined
  const names = Object.keys(given)
  if (!Array.isArray(given) && names.some(name => Object.hasOwn(schema.properties, name))) return given
  const isOuter = envelopes === 0
  if (names.length === 0 && !Array.isArray(given)) return isOuter ? given : undefined
  if (envelopes < ENVELOPES_MAX) {
    for (const inner of Object.values(given)) {
      const found = unwrapped(schema, inner, envelopes + 1)
      if (found !== undefined) return found
    }
  }
  return Array.isArray(given) && isOuter ? listed(schema, given) : undefined
}

/** Reads a bare list as the only list that the schema has. */
function listed({ properties }: TObject, list: readonly unknown[]): unknown {
  const [only, ...others] = Object.entries<TSchema>(properties)
  return only && others.length === 0 && TypeGuard.IsArray(only[1]) ? { [only[0]]: list } : undefined
}
