import type { Tx } from 'mneme/plugin'
import { RELATION_TYPES, type RelationType } from '../contract.ts'
import type { Triple } from '../resolve/move-mentions.ts'
import type { Owner } from '../resolve/owner.ts'
import { coexistence } from './coexistence.ts'
import { changesOf, type StoredEdge } from './edge-changes.ts'
import type { Evidence } from './evidence.ts'
import { edgesOf, linkUnread, sourcesAt, withEvidence, writeEdges } from './evidence-store.ts'
import { foldEvidence, ONE_AT_A_TIME, oppositeOf, WILDCARD_TARGET } from './fold-evidence.ts'
import { endedWithJobs, withEndsInShort } from './implied-ends.ts'
import {
  evidenceAround,
  evidenceOfSources,
  evidenceOfTriples,
  NOTHING,
  type ReadEvidence,
  together,
  tripleKey,
} from './read-evidence.ts'

const TYPES_BY_SOURCE = RELATION_TYPES.filter(type => ONE_AT_A_TIME.has(type) || type === 'OWNS')
/** Tells which of two targets is part of the other. */
const CONTAINMENT: readonly RelationType[] = ['LOCATED_IN', 'PART_OF']

/** Statements of one source and type, of one couple's end or of one relationship that are looked at; of more, the oldest and the newest. */
const STATEMENTS_MAX = 4000

/** The triples and names whose edges have to be derived again. */
export interface Unsettled {
  readonly triples: readonly Triple[]
  /** Entities that go by another name: what they exclude may be another than before. */
  readonly renamed: readonly string[]
}

/**
 * Brings the edges to what the evidence says, those of the given relationships and of all that they exclude or are excluded by.
 * The caller holds the user's lock. @returns the memories some of whose facts came, went, began to hold or ceased to, and the
 * entities with edges of which that is so
 */
export async function deriveEdges(
  tx: Tx,
  { workspaceId, userId }: Owner,
  unsettled: Unsettled,
  now: Date,
  statementsMax = STATEMENTS_MAX,
): Promise<{ memoryIds: readonly string[]; entityIds: readonly string[] }> {
  if (unsettled.triples.length === 0 && unsettled.renamed.length === 0) return { memoryIds: [], entityIds: [] }
  const reading = { tx, workspaceId, statementsMax }
  const spouses = await spousesOf(reading, unsettled)
  const read = await evidenceAbout(reading, unsettled, spouses)
  const { evidence, partial } = read
  const complete = evidence.filter(isComplete(new Set(spouses)))
  const triples = new Map([...unsettled.triples, ...complete].map(one => [tripleKey(one), toTriple(one)]))
  const [known, coexist] = await Promise.all([
    edgesOf(tx, workspaceId, [...triples.values()]),
    coexistence(tx, workspaceId, evidence),
  ])
  const stored = partial.size === 0 ? known : await withoutUnread(reading, known, read)
  const folded = endedWithJobs(foldEvidence(withEndsInShort(evidence, coexist), coexist))
  const periods = folded.filter(period => triples.has(tripleKey(period)))
  const changes = changesOf(periods, stored, now, read)
  await writeEdges(tx, workspaceId, userId, changes)
  if (partial.size > 0) await linkUnread(tx, workspaceId, changes, partial)
  return { memoryIds: changes.turnedBy, entityIds: endsOf(changes.turned) }
}

interface Reading {
  readonly tx: Tx
  readonly workspaceId: string
  readonly statementsMax: number
}

/** All evidence that a fold of these relationships needs, as far as it is bounded. */
async function evidenceAbout(
  { tx, workspaceId, statementsMax: max }: Reading,
  { triples, renamed }: Unsettled,
  spouses: readonly string[],
): Promise<ReadEvidence> {
  const parts = triples.filter(({ type }) => CONTAINMENT.includes(type))
  const beside = await sourcesAt(tx, workspaceId, TYPES_BY_SOURCE, [...new Set([...endsOf(parts), ...renamed])])
  const [joint, others] = [triples.filter(isBySource), triples.filter(one => !isBySource(one))]
  const plain = others.filter(({ type }) => type !== 'MARRIED_TO')
  const opposites = plain.flatMap(({ type, ...ends }) => {
    const opposite = oppositeOf(type)
    return opposite === undefined ? [] : [{ ...ends, type: opposite }]
  })
  const read = together(
    ...(await Promise.all([
      evidenceOfSources(tx, workspaceId, [...joint, ...beside].flatMap(withJobs), max),
      evidenceOfTriples(tx, workspaceId, [...plain, ...opposites], max),
      marriagesOf({ tx, workspaceId, statementsMax: max }, spouses),
    ])),
  )
  if (read.partial.size === 0) return read
  // Whatever else is left out: what changed is looked at.
  const own = await evidenceOfTriples(tx, workspaceId, triples, max)
  const seen = new Set(read.evidence.map(({ id }) => id))
  const leftOut = own.evidence.filter(({ id }) => !seen.has(id))
  return together(read, own, { ...NOTHING, partial: new Set(leftOut.map(tripleKey)) })
}

/** Tells whether all that a source has of the type is derived together, since one may end another. */
function isBySource({ type }: Triple): boolean {
  return TYPES_BY_SOURCE.includes(type)
}

/** Adds the jobs to the bosses and the other way around, since whom somebody reports to ends with the job. */
function withJobs(one: Pick<Triple, 'sourceId' | 'type'>): Pick<Triple, 'sourceId' | 'type'>[] {
  if (one.type !== 'WORKS_AT' && one.type !== 'REPORTS_TO') return [one]
  return [
    { sourceId: one.sourceId, type: 'WORKS_AT' },
    { sourceId: one.sourceId, type: 'REPORTS_TO' },
  ]
}

/** Leaves out the edges that rest on evidence which was not read: they stay as they are. */
async function withoutUnread(
  { tx, workspaceId }: Reading,
  edges: readonly StoredEdge[],
  { evidence, partial }: ReadEvidence,
): Promise<StoredEdge[]> {
  const read = new Set(evidence.map(({ edgeId }) => edgeId))
  const unread = edges.filter(edge => partial.has(tripleKey(edge)) && !read.has(edge.id)).map(({ id }) => id)
  const kept = await withEvidence(tx, workspaceId, unread)
  return edges.filter(({ id }) => !kept.has(id))
}

/** People whose marriages are derived again: a spouse with a new name may equal another spouse of that person. */
async function spousesOf(
  { tx, workspaceId, statementsMax }: Reading,
  { triples, renamed }: Unsettled,
): Promise<string[]> {
  const couples = triples.filter(({ type }) => type === 'MARRIED_TO')
  const { evidence } = await evidenceAround(tx, workspaceId, 'MARRIED_TO', renamed, statementsMax)
  return endsOf([...couples, ...evidence])
}

/** Marriages of some people, and those of whoever they were said to be married to. */
async function marriagesOf(
  { tx, workspaceId, statementsMax }: Reading,
  spouses: readonly string[],
): Promise<ReadEvidence> {
  const near = await evidenceAround(tx, workspaceId, 'MARRIED_TO', spouses, statementsMax)
  const people = [...endsOf(near.evidence), ...spouses]
  return evidenceAround(tx, workspaceId, 'MARRIED_TO', people, statementsMax)
}

function endsOf(triples: readonly Pick<Triple, 'sourceId' | 'targetId'>[]): string[] {
  const ends = new Set(triples.flatMap(({ sourceId, targetId }) => [sourceId, targetId]))
  ends.delete(WILDCARD_TARGET)
  return [...ends]
}

/** The evidence of the spouses' spouses is incomplete here, so their marriages are not derived. */
function isComplete(spouses: ReadonlySet<string>): (one: Evidence) => boolean {
  return ({ type, sourceId, targetId }) => type !== 'MARRIED_TO' || spouses.has(sourceId) || spouses.has(targetId)
}

function toTriple({ type, sourceId, targetId }: Triple): Triple {
  return { type, sourceId, targetId }
}
