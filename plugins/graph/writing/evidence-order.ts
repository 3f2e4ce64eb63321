import type { Evidence } from './evidence.ts'

/**
 * The order in which evidence is taken to have happened: as it was stated, but what tells its date goes before what has a
 * later one. So "I joined Philips in 2015", told after "I joined ASML in 2021", is an earlier job; while what tells no date is true
 * when it is stated, and gives way to whatever is stated after it, even where that tells an earlier date: "I live in Porto",
 * then "I moved to Lisbon in May".
 */
export function inOrder(evidence: readonly Evidence[]): Evidence[] {
  const dated: Group[] = []
  const first: Evidence[] = []
  let latest: Group | undefined
  for (const one of evidence.toSorted(asStated)) {
    const at = one.effectiveAt?.getTime()
    if (at === undefined) (latest?.followers ?? first).push(one)
    else {
      const group = { at, one, followers: [] }
      dated.push(group)
      if (!latest || at >= latest.at) latest = group
    }
  }
  // The sort is stable: of one date, what was stated first goes first.
  const groups = dated.toSorted((a, b) => a.at - b.at)
  return [...first, ...groups.flatMap(({ one, followers }) => [one, ...followers])]
}

/** Dated evidence, with the undated evidence stated while it was the latest. */
interface Group {
  readonly at: number
  readonly one: Evidence
  readonly followers: Evidence[]
}

/** Ids settle what one moment leaves open, and within a memory an end comes before a new begin. */
function asStated(one: Evidence, other: Evidence): number {
  return (
    one.statedAt.getTime() - other.statedAt.getTime() ||
    compare(one.memoryId, other.memoryId) ||
    Number(other.closes) - Number(one.closes) ||
    compare(one.targetId, other.targetId) ||
    compare(one.sourceId, other.sourceId) ||
    compare(one.type, other.type) ||
    compare(one.id, other.id)
  )
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
