import { createHash } from 'node:crypto'
import { finish, paced, type Steps } from 'mneme/plugin'
import type { KnownEntity, KnownStatement } from '../../graph/contract.ts'
import { contradictedSteps } from './contradictions.ts'
import { type Compiled, EARLIER, type Line, NOTES, type Removed, type Section } from './document.ts'
import { mergeSteps, type WeighedLine } from './merge.ts'
import { mapLines, withSources } from './withdraw.ts'
import { normalForm, onOneLine, saysName, spacedWords } from './wording.ts'

/** Statements that are read for a document; of those beyond it is only known that there are some. */
export const STATEMENTS_MAX = 2_000

/** Lines of a document; the strongest and newest are kept. */
const LINES_MAX = 500
const EARLIER_MAX = 10
/** Bounds all lines together, so that a document can still be read, sent and searched. */
const CHARS_MAX = 150_000
/** Room that a line takes beside its text, and that each memory's id takes. */
const LINE_CHARS = 26
const ID_CHARS = 38

/** Fewer lines need no headings. */
const GROUPED_FROM = 6
/** A heading over less is noise. */
const GROUP_LINES_MIN = 3
const GROUPS_MAX = 12
/** A heading over nearly everything says nothing. */
const GROUP_SHARE_MAX = 0.7

/** The order of statements, and what they and the entities were that it was made of. */
export interface Composed {
  readonly key: string
  readonly compiled: Compiled
}

/** Puts statements in order a bit at a time, which for thousands takes too long for a transaction. */
export async function composeAhead(
  statements: readonly KnownStatement[],
  entities: readonly KnownEntity[],
): Promise<Composed> {
  return { key: keyOf(statements, entities), compiled: await paced(composeSteps(statements, entities)) }
}

/**
 * Puts statements in order: what several memories say once, what held once apart, what is about one entity under its name,
 * the newest first.
 * @param statements oldest first; those beyond STATEMENTS_MAX are left out
 * @param entities the most named first
 * @param ahead is taken where it was made of the same
 */
export function compose(
  statements: readonly KnownStatement[],
  entities: readonly KnownEntity[],
  removed: readonly Removed[],
  ahead?: Composed,
): Compiled {
  const isSame = ahead !== undefined && ahead.key === keyOf(statements, entities)
  const compiled = isSame ? ahead.compiled : finish(composeSteps(statements, entities))
  return removed.length === 0 ? compiled : withoutRemoved(compiled, removed)
}

/** Equal for what leads to the same order. */
function keyOf(statements: readonly KnownStatement[], entities: readonly KnownEntity[]): string {
  const said = statements.map(({ memoryId, text, confidence, statedAt, ended }) => [
    memoryId,
    text,
    confidence,
    statedAt.getTime(),
    ended,
  ])
  const named = entities.map(({ name, type, isUser }) => [name, type, isUser])
  return createHash('sha256')
    .update(JSON.stringify([said, named]))
    .digest('base64url')
}

function* composeSteps(statements: readonly KnownStatement[], entities: readonly KnownEntity[]): Steps<Compiled> {
  const read = statements.slice(-STATEMENTS_MAX)
  const over = yield* contradictedSteps(read)
  const holds = (statement: KnownStatement) => !statement.ended && !over.has(statement)
  const current = yield* mergeSteps(read.filter(holds))
  const held = new Set(current.map(({ hash }) => hash))
  const before = yield* mergeSteps(read.filter(statement => !holds(statement)))
  const earlier = before.filter(({ hash }) => !held.has(hash))
  const kept = strongest(current)
  return {
    style: 'list',
    sections: yield* grouped(kept, entities),
    earlier: earlier.slice(0, EARLIER_MAX).map(plain),
    more: current.length - kept.length,
    andOthers: statements.length > STATEMENTS_MAX,
  }
}

/** Names what a document says and on what it rests: equal for equal statements. */
export function fingerprintOf(compiled: Compiled): string {
  return createHash('sha256').update(JSON.stringify(compiled)).digest('base64url').slice(0, 22)
}

/** Last of all, so that what is left stays in the order that it had before something was taken out. */
function withoutRemoved(compiled: Compiled, removed: readonly Removed[]): Compiled {
  const out = new Set(removed.map(({ memory, hash }) => `${memory} ${hash}`))
  const kept = (line: Line) => withSources(line, ({ memory, hash }) => !out.has(`${memory} ${hash}`))
  return mapLines(compiled, kept, kept)
}

/** In the order given, but no more than a document holds. */
function strongest(lines: readonly WeighedLine[]): WeighedLine[] {
  const byWorth = lines.toSorted((a, b) => b.strength - a.strength || b.statedAt - a.statedAt)
  const kept = new Set<WeighedLine>()
  let chars = 0
  for (const line of byWorth) {
    chars += line.text.length + LINE_CHARS + ID_CHARS * line.sources.length
    if (kept.size === LINES_MAX || chars > CHARS_MAX) break
    kept.add(line)
  }
  return lines.filter(line => kept.has(line))
}

function plain({ text, hash, sources }: WeighedLine): Line {
  return { text, hash, sources }
}

/** Lines about no entity of note first, then a section an entity, that with the newest line first. */
function* grouped(lines: readonly WeighedLine[], entities: readonly KnownEntity[]): Steps<Section[]> {
  const groups = lines.length < GROUPED_FROM ? [] : yield* groupsOf(lines, entities)
  const taken = new Set(groups.flatMap(group => group.lines))
  const rest = lines.filter(line => !taken.has(line))
  const sections = groups.toSorted((a, b) => newest(b.lines) - newest(a.lines))
  return [
    ...(rest.length > 0 ? [{ heading: null, lines: rest.map(plain) }] : []),
    ...sections.map(group => ({ heading: group.heading, lines: group.lines.map(plain) })),
  ]
}

interface Group {
  readonly heading: string
  readonly lines: readonly WeighedLine[]
}

function newest(lines: readonly WeighedLine[]): number {
  return Math.max(...lines.map(({ statedAt }) => statedAt))
}

function* groupsOf(lines: readonly WeighedLine[], entities: readonly KnownEntity[]): Steps<Group[]> {
  const candidates = yield* naming(lines, entities)
  const groups: Group[] = []
  const open = new Set(lines)
  while (groups.length < GROUPS_MAX) {
    yield
    let best: Group | undefined
    for (const { heading, lines: all } of candidates) {
      const free = all.filter(line => open.has(line))
      if (free.length >= GROUP_LINES_MIN && free.length > (best?.lines.length ?? 0)) best = { heading, lines: free }
    }
    if (!best) break
    groups.push(best)
    for (const line of best.lines) open.delete(line)
  }
  return groups
}

/** The entities that enough lines name, each with these. */
function* naming(lines: readonly WeighedLine[], entities: readonly KnownEntity[]): Steps<Group[]> {
  const reserved = new Set([EARLIER, NOTES].map(normalForm))
  const byName = new Map<string, Group>()
  for (const { name, type, isUser } of entities) {
    yield
    const words = spacedWords(normalForm(name)).trim()
    const says = saysName(name, type)
    if (isUser || !says || byName.has(words) || reserved.has(words)) continue
    const own = lines.filter(line => says(line.words))
    if (own.length >= GROUP_LINES_MIN && own.length <= lines.length * GROUP_SHARE_MAX)
      byName.set(words, { heading: onOneLine(name), lines: own })
  }
  return [...byName.values()]
}
