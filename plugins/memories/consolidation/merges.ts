import { isDeepStrictEqual } from 'node:util'
import type { MemoryRecord, Priority } from '../contract.ts'
import { CATEGORIES_MAX } from '../schemas.ts'
import type { Likeness } from './likeness.ts'
import { isOfTheDay } from './moments.ts'

/** A memory among those that say the same. */
export interface Alike {
  readonly record: MemoryRecord
  readonly likeness: Likeness
  /** Was brought back once, so it is not absorbed again. */
  readonly keptApart: boolean
  /** Is being processed now; without one of these, two memories are none of this pass's business. */
  readonly processed: boolean
}

export interface Merge {
  readonly survivor: MemoryRecord
  /** At least one, the oldest first. */
  readonly absorbed: readonly MemoryRecord[]
}

/** Which of the memories are merged into which: the younger into the oldest that can stand for it. */
export function planMerges(memories: readonly Alike[]): Merge[] {
  const survivors = new Map<Likeness, { alike: Alike; absorbed: MemoryRecord[] }[]>()
  for (const alike of [...memories].sort(byAge)) {
    const older = survivors.get(alike.likeness) ?? []
    survivors.set(alike.likeness, older)
    const into = older.find(one => canStandFor(one.alike, alike))
    if (into) into.absorbed.push(alike.record)
    else older.push({ alike, absorbed: [] })
  }
  return [...survivors.values()].flat().flatMap(({ alike, absorbed }) => {
    return absorbed.length > 0 ? [{ survivor: alike.record, absorbed }] : []
  })
}

/** What is said of a day and said again so soon is about the same day. */
const SAME_MOMENT_MS = 3_600_000

function canStandFor(older: Alike, younger: Alike): boolean {
  if (younger.keptApart || !(older.processed || younger.processed)) return false
  if (!holds(older.record.metadata, younger.record.metadata)) return false
  const apartMs = younger.record.createdAt.getTime() - older.record.createdAt.getTime()
  return apartMs <= SAME_MOMENT_MS || !isOfTheDay(older.record.text)
}

/** Whether all that `other` says stands in `metadata` too: what finds the one by its metadata finds the other. */
function holds(metadata: MemoryRecord['metadata'], other: MemoryRecord['metadata']): boolean {
  return Object.entries(other ?? {}).every(([key, value]) => {
    return metadata !== null && Object.hasOwn(metadata, key) && isDeepStrictEqual(metadata[key], value)
  })
}

function byAge({ record: a }: Alike, { record: b }: Alike): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1)
}

/** What memories say of themselves beside their text. */
export interface Marks {
  readonly categories: readonly string[]
  readonly priority: Priority
}

/** The marks of a memory that stands for others too: every category as long as there is room, and the highest priority. */
export function joinedMarks(own: Marks, others: readonly Marks[]): Marks {
  const categories = new Set([own, ...others].flatMap(marks => marks.categories))
  return {
    categories: [...categories].slice(0, Math.max(own.categories.length, CATEGORIES_MAX)),
    priority: others.map(marks => marks.priority).reduce(higher, own.priority),
  }
}

/**
 * The marks that are left when one of the absorbed leaves: without the categories that it alone brought, and with the priority
 * of those that stay. What somebody set since is kept: only what was gained is taken back.
 *
 * @param own what the memory had before it gained any; a mark that is null was not gained
 * @param others those that stay absorbed
 */
export function marksWithout(
  current: Marks,
  leaving: Marks,
  own: { readonly categories: readonly string[] | null; readonly priority: Priority | null },
  others: readonly Marks[],
): Marks {
  const kept = new Set([...(own.categories ?? current.categories), ...others.flatMap(marks => marks.categories)])
  const left = others.map(marks => marks.priority).reduce(higher, own.priority ?? current.priority)
  return {
    categories: current.categories.filter(category => kept.has(category) || !leaving.categories.includes(category)),
    priority: own.priority === null ? current.priority : lower(current.priority, left),
  }
}

/** The names of the fields that two memories differ in. */
export function differingMarks(a: Marks, b: Marks): ('priority' | 'categories')[] {
  return (['priority', 'categories'] as const).filter(field => !isDeepStrictEqual(a[field], b[field]))
}

const ORDER: readonly Priority[] = ['LOW', 'MEDIUM', 'HIGH']

function higher(a: Priority, b: Priority): Priority {
  return ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b
}

function lower(a: Priority, b: Priority): Priority {
  return ORDER.indexOf(a) <= ORDER.indexOf(b) ? a : b
}
