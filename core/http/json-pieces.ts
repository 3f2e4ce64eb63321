import type { Steps } from '../background/steps.ts'
import { AppError } from '../errors.ts'
import { type Container, type ContainerPart, type JsonLimits, malformed, outlineSteps } from './json-outline.ts'

const whole = new TextDecoder('utf-8', { fatal: true })
/** Within a document a byte order mark is a fault, which the parser finds. */
const within = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Parses a document as `JSON.parse` does, a long one in pieces of some 16 KB, between which others get a turn. Throws a
 * VALIDATION_ERROR that does not quote it.
 */
export function* parseSteps(bytes: Uint8Array, limits: JsonLimits): Steps<unknown> {
  try {
    const { root } = yield* outlineSteps(bytes, limits)
    return root ? yield* containerSteps(bytes, root) : parse(whole.decode(bytes))
  } catch (error) {
    throw error instanceof AppError ? error : malformed()
  }
}

function* containerSteps(bytes: Uint8Array, container: Container): Steps<unknown> {
  return container.isList ? yield* listSteps(bytes, container) : yield* objectSteps(bytes, container)
}

function* listSteps(bytes: Uint8Array, { parts }: Container): Steps<unknown[]> {
  const list: unknown[] = []
  for (const part of parts) {
    const text = within.decode(bytes.subarray(part.from, part.to))
    if (part.child) {
      if (!/^[ \t\n\r]*$/.test(text)) throw malformed()
      list.push(yield* containerSteps(bytes, part.child))
    } else {
      const items = asList(parse(`[${text}]`))
      // Two commas in a row, or one at the end, leave a part without anything in it.
      if (items.length === 0 && parts.length > 1) throw malformed()
      for (const item of items) list.push(item)
    }
    yield
  }
  return list
}

function* objectSteps(bytes: Uint8Array, { parts }: Container): Steps<object> {
  const object = {}
  for (const part of parts) {
    const text = within.decode(bytes.subarray(part.from, part.to))
    const members = part.child
      ? [[keyOf(text), yield* containerSteps(bytes, part.child)] as const]
      : membersOf(text, part, parts)
    for (const [key, value] of members) put(object, key, value)
    yield
  }
  return object
}

function membersOf(text: string, part: ContainerPart, parts: readonly ContainerPart[]): (readonly [string, unknown])[] {
  const object = parse(`{${text}}`)
  const members = typeof object === 'object' && object !== null ? Object.entries<unknown>({ ...object }) : []
  if (members.length === 0 && (parts.length > 1 || parts[0] !== part)) throw malformed()
  return members
}

/** Matches the text before a member's value, as `"items" :`. */
function keyOf(text: string): string {
  // JSON knows fewer blanks than trimEnd() does.
  const colon = /:[ \t\n\r]*$/.exec(text)
  const key = colon && parse(text.slice(0, colon.index))
  if (typeof key !== 'string') throw malformed()
  return key
}

/** An assignment to `__proto__` would not make a member. */
function put(object: object, key: string, value: unknown): void {
  if (key !== '__proto__') Reflect.set(object, key, value)
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function parse(text: string): unknown {
  return JSON.parse(text)
}
