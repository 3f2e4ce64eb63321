import { oneLine, type Steps } from 'mneme/plugin'
import { excerpt, stemsIn } from './excerpt.ts'

/** All that a context may be made of, each kind best first. */
export interface Known {
  readonly query: string
  /** The user's statements that hold for every conversation, the newest first. */
  readonly standing?: readonly StandingStatement[]
  /** Empty without one. */
  readonly profile: string
  readonly facts: readonly string[]
  readonly memories: readonly KnownMemory[]
}

export interface StandingStatement {
  readonly id: string
  readonly text: string
  readonly saidAt: Date
  /** Something was said later about the same thing. */
  readonly isEarlier: boolean
}

export interface KnownMemory {
  readonly id: string
  readonly text: string
  readonly score: number
  /** Its relevance is LOW. */
  readonly isLow: boolean
  /** When it was said, as far as that is known. */
  readonly saidAt: Date
  /** True of a memory that tells only what holds no more. */
  readonly ended: boolean
  /** Later memories about the same thing: whether they replace it is not known. */
  readonly newer: readonly string[]
  /** Those of them that the search has not found. */
  readonly later?: readonly KnownMemory[]
}

export interface Context {
  readonly context: string
  readonly memories: readonly {
    readonly id: string
    readonly score: number
    readonly excerpt: boolean
    readonly ended: boolean
  }[]
}

/** It is told before all else; only a user with very many of such statements misses the oldest. */
const STANDING_SHARE = 0.5
/** The profile takes at most this share of the length, and so do the facts: most of it is for what the query asks. */
const PROFILE_SHARE = 0.3
const FACTS_SHARE = 0.2
/** A memory that takes more of the room is told by its best part, so that others have room as well. */
const MEMORY_SHARE = 1 / 5
/** Shorter parts of a text tell hardly anything. */
const EXCERPT_MIN = 120

/** Writes the context: Markdown of at most `max` UTF-16 units. It yields while it reads long texts. */
export function* compose({ query, standing = [], profile, facts, memories }: Known, max: number): Steps<Context> {
  const page = new Page(max)
  const held = standingLines(standing, share(max, STANDING_SHARE))
  page.add('Standing instructions and identity', held.map(({ line }) => line).join('\n'))
  const isHeld = new Set(held.map(({ id }) => id))
  // The beginning of a profile matters most.
  const about = yield* excerpt(profile, new Set(), share(max, PROFILE_SHARE))
  page.add('About the user', about.text)
  page.add('Facts', factLines(facts, share(max, FACTS_SHARE)))
  const told = newestFirst(
    yield* tellMemories(
      fitting(memories.filter(({ id }) => !isHeld.has(id))),
      new Set(stemsIn(query)),
      page.roomFor('Memories'),
    ),
  )
  page.add('Memories', told.map(({ line }) => line).join('\n'))
  return {
    context: page.text,
    memories: [
      ...memories.flatMap(({ id, score, ended }) => (isHeld.has(id) ? [{ id, score, excerpt: false, ended }] : [])),
      ...told.map(({ memory: { id, score, ended }, isExcerpt }) => ({ id, score, excerpt: isExcerpt, ended })),
    ],
  }
}

/**
 * Orders memories so that nobody can take the old for the new: the newest first, each followed at once by the earlier ones about the same thing.
 */
function newestFirst(told: readonly Told[]): readonly Told[] {
  const byAge = told.toSorted((a, b) => b.memory.saidAt.getTime() - a.memory.saidAt.getTime() || isNewer(b, a))
  const left = new Set(byAge)
  return byAge.flatMap(one => {
    if (!left.delete(one)) return []
    const earlier = byAge.filter(other => left.has(other) && other.memory.newer.includes(one.memory.id))
    for (const other of earlier) left.delete(other)
    return [one, ...earlier]
  })
}

/** Ids are made in the order of time, and so decide between two that were said at one moment. */
function isNewer(one: Told, other: Told): number {
  return one.memory.id > other.memory.id ? 1 : -1
}

/** Others would only fill the room; where nothing fits, they are what there is. */
function fitting(memories: readonly KnownMemory[]): readonly KnownMemory[] {
  const relevant = memories.filter(({ isLow }) => !isLow)
  return relevant.length > 0 ? relevant : memories
}

function share(max: number, part: number): number {
  return Math.floor(max * part)
}

function standingLines(standing: readonly StandingStatement[], max: number): { id: string; line: string }[] {
  let room = max
  return standing.flatMap(({ id, text, saidAt, isEarlier }) => {
    const line = `- ${dayOf(saidAt)}${isEarlier ? ' (earlier)' : ''}: ${oneLine(text)}`
    if (line.length >= room) return []
    room -= line.length + 1
    return [{ id, line }]
  })
}

/** One that has no room is passed over. */
function factLines(facts: readonly string[], room: number): string {
  let lines = ''
  for (const fact of facts) {
    const line = `${lines === '' ? '' : '\n'}- ${oneLine(fact)}`
    if (lines.length + line.length <= room) lines += line
  }
  return lines
}

interface Told {
  readonly memory: KnownMemory
  readonly line: string
  readonly isExcerpt: boolean
}

function* tellMemories(
  memories: readonly KnownMemory[],
  words: ReadonlySet<string>,
  whole: number,
): Steps<readonly Told[]> {
  const told: Told[] = []
  const most = Math.max(EXCERPT_MIN, share(whole, MEMORY_SHARE))
  let room = whole
  const days = repeatedDays(memories)
  const isTold = new Set<string>()
  for (const memory of memories.flatMap(withLater)) {
    yield
    if (isTold.has(memory.id)) continue
    const one = yield* tell(memory, words, Math.min(room, most), days)
    if (!one) continue
    told.push(one)
    isTold.add(memory.id)
    room -= one.line.length + 1
  }
  return told
}

function withLater(memory: KnownMemory): readonly KnownMemory[] {
  return [memory, ...(memory.later ?? [])]
}

/** The days of which several memories tell: there the time tells which is later. */
function repeatedDays(memories: readonly KnownMemory[]): ReadonlySet<string> {
  const all = memories.flatMap(withLater)
  const byDay = Map.groupBy(new Map(all.map(one => [one.id, one])).values(), ({ saidAt }) => dayOf(saidAt))
  return new Set([...byDay].flatMap(([day, { length }]) => (length > 1 ? [day] : [])))
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10)
}

/** Returns nothing where the room is too small to say anything. */
function* tell(
  memory: KnownMemory,
  words: ReadonlySet<string>,
  room: number,
  repeatedDays: ReadonlySet<string>,
): Steps<Told | undefined> {
  const day = dayOf(memory.saidAt)
  const time = repeatedDays.has(day) ? ` ${memory.saidAt.toISOString().slice(11, 16)}` : ''
  const beginning = `- ${day}${time}${markOf(memory)}: `
  const told = memory.text.trim()
  // A statement that was made in the same words on several days begins with its day already.
  const text = told.startsWith(`${day}: `) ? told.slice(day.length + 2) : told
  if (text.length <= room) {
    const line = beginning + indented(text)
    if (line.length <= room) return { memory, line, isExcerpt: false }
  }
  if (room < EXCERPT_MIN) return undefined
  const part = yield* excerpt(text, words, room - beginning.length)
  return { memory, line: beginning + part.text, isExcerpt: !part.isWhole }
}

/** A later one about the same thing stands before it, or had no room. */
function markOf({ ended, newer }: KnownMemory): string {
  if (ended) return ' (holds no more)'
  return newer.length > 0 ? ' (earlier)' : ''
}

/** Lines of a text stay within its item of the list, so that no text can begin a heading or an item of its own. */
function indented(text: string): string {
  const lines = text.split(LINE_END).map(line => line.trimEnd())
  return lines.map((line, n) => (n === 0 || line === '' ? line : `  ${line}`)).join('\n')
}

/** All that some reader of Markdown, or a model, may take for the end of a line. */
const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/

/** Sections under headings, within a length. */
class Page {
  readonly #max: number
  text = ''

  constructor(max: number) {
    this.#max = max
  }

  /** A section without text is left out. */
  add(heading: string, text: string): void {
    if (text !== '') this.text += this.#opening(heading) + text
  }

  roomFor(heading: string): number {
    return this.#max - this.text.length - this.#opening(heading).length
  }

  #opening(heading: string): string {
    return `${this.text === '' ? '' : '\n\n'}## ${heading}\n\n`
  }
}
