import { oneLine, type Steps } from 'mneme/plugin'
import { excerpt, stemsIn } from './excerpt.ts'

/** All that a context may be made of, each kind best first. */
export interface Known {
  readonly query: string
  /** Empty without one. */
  readonly profile: string
  readonly facts: readonly string[]
  readonly memories: readonly KnownMemory[]
}

export interface KnownMemory {
  readonly id: string
  readonly text: string
  readonly score: number
  /** When it was said, as far as that is known. */
  readonly saidAt: Date
  /** True of a memory that tells only what holds no more. */
  readonly ended: boolean
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

/** The profile takes at most this share of the length, and so do the facts: most of it is for what the query asks. */
const PROFILE_SHARE = 0.3
const FACTS_SHARE = 0.2
/** A memory that takes more of the room is told by its best part, so that others have room as well. */
const MEMORY_SHARE = 1 / 5
/** A memory whose score is a smaller share of the best one's has nothing to do with the query. */
const SCORE_SHARE = 0.1
/** Shorter parts of a text tell hardly anything. */
const EXCERPT_MIN = 120

/** Writes the context: Markdown of at most `max` UTF-16 units. It yields while it reads long texts. */
export function* compose({ query, profile, facts, memories }: Known, max: number): Steps<Context> {
  const page = new Page(max)
  // The beginning of a profile matters most.
  const about = yield* excerpt(profile, new Set(), share(max, PROFILE_SHARE))
  page.add('About the user', about.text)
  page.add('Facts', factLines(facts, share(max, FACTS_SHARE)))
  const told = yield* tellMemories(fitting(memories), new Set(stemsIn(query)), page.roomFor('Memories'))
  page.add('Memories', told.map(({ line }) => line).join('\n'))
  return {
    context: page.text,
    memories: told.map(({ memory: { id, score, ended }, isExcerpt }) => ({ id, score, excerpt: isExcerpt, ended })),
  }
}

/** Others would only fill the room. */
function fitting(memories: readonly KnownMemory[]): readonly KnownMemory[] {
  const best = Math.max(0, ...memories.map(({ score }) => score))
  return memories.filter(({ score }) => score >= best * SCORE_SHARE)
}

function share(max: number, part: number): number {
  return Math.floor(max * part)
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
  for (const memory of memories) {
    yield
    const one = yield* tell(memory, words, Math.min(room, most))
    if (!one) continue
    told.push(one)
    room -= one.line.length + 1
  }
  return told
}

/** Returns nothing where the room is too small to say anything. */
function* tell(memory: KnownMemory, words: ReadonlySet<string>, room: number): Steps<Told | undefined> {
  const day = memory.saidAt.toISOString().slice(0, 10)
  const beginning = `- ${day}${memory.ended ? ' (holds no more)' : ''}: `
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
