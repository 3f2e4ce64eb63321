import { isDeepStrictEqual } from 'node:util'
import { CONVERSATION_KEYS, type MemoryRecord, type Priority, statedAt } from '../contract.ts'
import type { Life } from '../queries/processing.ts'
import { CATEGORIES_MAX } from '../schemas.ts'
import { areOfOneMoment } from './day-dependent.ts'
import type { Likeness } from './likeness.ts'

/** One memory of a group of near-duplicates. */
export interface NearDuplicate {
  readonly record: MemoryRecord
  readonly likeness: Likeness
  /** The statement is tied to the day it was made. */
  readonly dependsOnDay: boolean
  /** The memory was restored once, so it is not absorbed again. */
  readonly keptApart: boolean
  /** The memory is being processed now. This pass merges two memories only if at least one of them is. */
  readonly processed: boolean
}

export interface Merge {
  readonly survivor: MemoryRecord
  /** Absorbed memories, at least one, ordered from the oldest to the newest. */
  readonly absorbed: readonly MemoryRecord[]
}

/** Plans which memories are merged: each goes into the oldest one that can stand for it. */
export function planMerges(memories: readonly NearDuplicate[]): Merge[] {
  const survivors = new Map<Likeness, { memory: NearDuplicate; absorbed: MemoryRecord[] }[]>()
  for (const memory of [...memories].sort(byAge)) {
    const older = survivors.get(memory.likeness) ?? []
    survivors.set(memory.likeness, older)
    const into = older.find(one => canStandFor(one.memory, memory))
    if (into) into.absorbed.push(memory.record)
    else older.push({ memory, absorbed: [] })
  }
  return [...survivors.values()].flat().flatMap(({ memory, absorbed }) => {
    return absorbed.length > 0 ? [{ survivor: memory.record, absorbed }] : []
  })
}

function canStandFor(older: NearDuplicate, younger: NearDuplicate): boolean {
  if (younger.keptApart || !(older.processed || younger.processed)) return false
  // A memory can be promoted after its likeness was computed, of which its expiry is a part.
  if (!livesAsLongAs(older.record, younger.record)) return false
  if (!containsEntries(older.record.metadata, ownMetadata(younger.record))) return false
  return !older.dependsOnDay || wereSaidTogether(older.record, younger.record)
}

/** Nothing tells the day of a text that was changed: merges and repetitions are later changes of the memory. */
function wereSaidTogether(one: MemoryRecord, other: MemoryRecord): boolean {
  if (one.revision !== 1 || other.revision !== 1) return false
  return areOfOneMoment(statedAt(one), statedAt(other))
}

/** Leaves out where in a conversation it was said, which differs each time that the same is said. */
function ownMetadata({ source, metadata }: MemoryRecord): MemoryRecord['metadata'] {
  if (source !== 'CONVERSATION' || metadata === null) return metadata
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !CONVERSATION_KEYS.has(key)))
}

/** Checks that two memories expire at the same time, or never. */
export function livesAsLongAs(one: Life, other: Life): boolean {
  return one.layer === other.layer && one.expiresAt?.getTime() === other.expiresAt?.getTime()
}

/** Checks that `metadata` contains every entry of `other`, so that a metadata filter that finds the absorbed memory finds the survivor. */
function containsEntries(metadata: MemoryRecord['metadata'], other: MemoryRecord['metadata']): boolean {
  return Object.entries(other ?? {}).every(([key, value]) => {
    return metadata !== null && Object.hasOwn(metadata, key) && isDeepStrictEqual(metadata[key], value)
  })
}

function byAge({ record: a }: NearDuplicate, { record: b }: NearDuplicate): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1)
}

/** The fields beside the text that a survivor inherits. */
export interface InheritedFields {
  readonly categories: readonly string[]
  readonly priority: Priority
}

/** Combines the fields of a survivor and the memories it absorbed: all categories while there is room, and the highest priority. */
export function mergeFields(own: InheritedFields, others: readonly InheritedFields[]): InheritedFields {
  const categories = new Set([own, ...others].flatMap(inherited => inherited.categories))
  return {
    categories: [...categories].slice(0, Math.max(own.categories.length, CATEGORIES_MAX)),
    priority: others.map(inherited => inherited.priority).reduce(higher, own.priority),
  }
}

/**
 * Removes what one absorbed memory contributed to its survivor: categories that it alone brought, and a priority above those that stay.
 * Values set on the survivor since are kept.
 *
 * @param own the values from before the memory gained any; null for a field that gained nothing
 * @param others the memories that stay absorbed
 */
export function fieldsWithout(
  current: InheritedFields,
  leaving: InheritedFields,
  own: { readonly categories: readonly string[] | null; readonly priority: Priority | null },
  others: readonly InheritedFields[],
): InheritedFields {
  const kept = new Set([
    ...(own.categories ?? current.categories),
    ...others.flatMap(inherited => inherited.categories),
  ])
  const left = others.map(inherited => inherited.priority).reduce(higher, own.priority ?? current.priority)
  return {
    categories: current.categories.filter(category => kept.has(category) || !leaving.categories.includes(category)),
    priority: own.priority === null ? current.priority : lower(current.priority, left),
  }
}

/** Names the fields in which two memories differ. */
export function changedFields(a: InheritedFields, b: InheritedFields): ('priority' | 'categories')[] {
  return (['priority', 'categories'] as const).filter(field => !isDeepStrictEqual(a[field], b[field]))
}

const ORDER: readonly Priority[] = ['LOW', 'MEDIUM', 'HIGH']

function higher(a: Priority, b: Priority): Priority {
  return ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b
}

function lower(a: Priority, b: Priority): Priority {
  return ORDER.indexOf(a) <= ORDER.indexOf(b) ? a : b
}
