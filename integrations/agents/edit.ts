import {
  applyEdits,
  type FormattingOptions,
  findNodeAtLocation,
  getNodeValue,
  modify,
  type ParseError,
  parse,
  parseTree,
} from 'jsonc-parser'
import type { Change } from './agents.ts'

/** The text of a file; undefined where there is no file. */
export type Text = string | undefined
type Place = readonly (string | number)[]

const BEGIN = '# mneme: begin'
const END = '# mneme: end'
const OURS = '/.mneme/mneme.mjs'

/**
 * Makes a change in a file's text. Twice is as once. Everything else in the file stays, comments too; a list that was on one line may be on several.
 * @throws where the file is no JSON object, or has an entry of another origin at the place
 */
export function withChange(text: Text, change: Change): Text {
  const without = withoutChange(text, change)
  switch (change.kind) {
    case 'file':
      return change.text
    case 'lines': {
      const gap = without === undefined ? '' : without.endsWith('\n') ? '\n' : '\n\n'
      return `${without ?? ''}${gap}${BEGIN}\n${change.text}\n${END}\n`
    }
    case 'default':
      return valueAt(text ?? '{}', change.at) === undefined ? edited(text, change.at, change.value) : text
    case 'entry':
      if (valueAt(without ?? '{}', change.at) !== undefined)
        throw new Error(`has another ${change.at.join('.')}, which stays`)
      return edited(without, change.at, change.value)
    case 'element':
      return edited(without, [...change.at, -1], change.value)
  }
}

/** Takes a change back. What it leaves empty goes with it; undefined is a file in which nothing is left. */
export function withoutChange(text: Text, change: Change): Text {
  if (text === undefined || change.kind === 'file') return undefined
  if (change.kind === 'lines') return withoutLines(text)
  if (change.kind === 'default') {
    const [key = ''] = change.at
    return Object.keys(Object(parse(text))).join() === key ? undefined : text
  }
  const place = change.kind === 'entry' ? change.at : placeOfOurs(text, change.at)
  return place && isOurs(valueAt(text, place)) ? pruned(edited(text, place, undefined), place.slice(0, -1)) : text
}

function withoutLines(text: string): Text {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (from < 0 || to < from) return text
  const rest = text.slice(0, from).replace(/\n\n$/, '\n') + text.slice(to + END.length + 1)
  return rest === '' ? undefined : rest
}

function edited(text: Text, at: Place, value: unknown): string {
  const given = text?.trim() ? text : '{}\n'
  const errors: ParseError[] = []
  const root: unknown = parse(given, errors, { allowTrailingComma: true })
  if (errors.length > 0 || typeof root !== 'object' || Array.isArray(root))
    throw new Error('holds no valid JSON object')
  const options = { formattingOptions: formatOf(given), isArrayInsertion: at.at(-1) === -1 }
  return applyEdits(given, modify(given, [...at], value, options))
}

function pruned(text: string, at: Place): Text {
  const held = valueAt(text, at)
  if (typeof held !== 'object' || held === null || Object.keys(held).length > 0) return text
  return at.length === 0 ? undefined : pruned(edited(text, at, undefined), at.slice(0, -1))
}

function placeOfOurs(text: string, at: Place): Place | undefined {
  const list = valueAt(text, at)
  const index = Array.isArray(list) ? list.findIndex(isOurs) : -1
  return index < 0 ? undefined : [...at, index]
}

function isOurs(value: unknown): boolean {
  return JSON.stringify(value ?? null).includes(OURS)
}

function valueAt(text: string, at: Place): unknown {
  const tree = parseTree(text)
  const node = tree && findNodeAtLocation(tree, [...at])
  return node && getNodeValue(node)
}

function formatOf(text: string): FormattingOptions {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? []
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.startsWith('\t') ? 1 : indent.length, eol: '\n' }
}
