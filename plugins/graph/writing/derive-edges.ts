import type { Tx } from 'mneme/plugin'
import { RELATION_TYPES, type RelationType } from '../contract.ts'
import type { Triple } from '../resolve/move-mentions.ts'
import type { Owner } from '../resolve/owner.ts'
import { coexistence } from './coexistence.ts'
import { changesOf } from './edge-changes.ts'
import type { Evidence } from './evidence.ts'
import {
  edgesOf,
  evidenceAround,
  evidenceOfSources,
  evidenceOfTriples,
  sourcesAt,
  writeEdges,
} from './evidence-store.ts'
import { foldEvidence, ONE_AT_A_TIME, oppositeOf, WILDCARD_TARGET } from './fold-evidence.ts'

const ONE_AT_A_TIME_TYPES = RELATION_TYPES.filter(type => ONE_AT_A_TIME.has(type))
/** Tells which of two targets is part of the other. */
const CONTAINMENT: readonly RelationType[] = ['LOCATED_IN', 'PART_OF']

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
): Promise<{ memoryIds: readonly string[]; entityIds: readonly string[] }> {
  if (unsettled.triples.length === 0 && unsettled.renamed.length === 0) return { memoryIds: [], entityIds: [] }
  const spouses = await spousesOf(tx, workspaceId, unsettled)
  const evidence = await evidenceAbout(tx, workspaceId, unsettled, spouses)
  const complete = evidence.filter(isComplete(new Set(spouses)))
  const triples = new Map([...unsettled.triples, ...complete].map(one => [keyOf(one), toTriple(one)]))
  const [stored, coexist] = await Promise.all([
    edgesOf(tx, workspaceId, [...triples.values()]),
    coexistence(tx, workspaceId, evidence),
  ])
  const periods = foldEvidence(evidence, coexist).filter(period => triples.has(keyOf(period)))
  const changes = changesOf(periods, stored, now)
  await writeEdges(tx, workspaceId, userId, changes)
  return { memoryIds: changes.turnedBy, entityIds: endsOf(changes.turned) }
}

/** All evidence that a fold of these relationships needs. */
async function evidenceAbout(
  tx: Tx,
  workspaceId: string,
  { triples, renamed }: Unsettled,
  spouses: readonly string[],
): Promise<Evidence[]> {
  const parts = triples.filter(({ type }) => CONTAINMENT.includes(type))
  const beside = await sourcesAt(tx, workspaceId, ONE_AT_A_TIME_TYPES, [...new Set([...endsOf(parts), ...renamed])])
  const single = triples.filter(({ type }) => ONE_AT_A_TIME.has(type))
  const plain = triples.filter(({ type }) => !ONE_AT_A_TIME.has(type) && type !== 'MARRIED_TO')
  const opposites = plain.flatMap(({ type, ...ends }) => {
    const opposite = oppositeOf(type)
    return opposite === undefined ? [] : [{ ...ends, type: opposite }]
  })
  const [ofSources, ofTriples, marriages] = await Promise.all([
    evidenceOfSources(tx, workspaceId, [...single, ...beside]),
    evidenceOfTriples(tx, workspaceId, [...plain, ...opposites]),
    marriagesOf(tx, workspaceId, spouses),
  ])
  return [...ofSources, ...ofTriples, ...marriages]
}

/** People whose marriages are derived again: a spouse with a new name may equal another spouse of that person. */
async function spousesOf(tx: Tx, workspaceId: string, { triples, renamed }: Unsettled): Promise<string[]> {
  const couples = triples.filter(({ type }) => type === 'MARRIED_TO')
  return endsOf([...couples, ...(await evidenceAround(tx, workspaceId, 'MARRIED_TO', renamed))])
}

/** Marriages of some people, and those of whoever they were said to be married to. */
async function marriagesOf(tx: Tx, workspaceId: string, spouses: readonly string[]): Promise<Evidence[]> {
  const near = await evidenceAround(tx, workspaceId, 'MARRIED_TO', spouses)
  return evidenceAround(tx, workspaceId, 'MARRIED_TO', [...new Set([...endsOf(near), ...spouses])])
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

function keyOf({ type, sourceId, targetId }: Triple): string {
  return `${type} ${sourceId} ${targetId}`
}

function toTriple({ type, sourceId, targetId }: Triple): Triple {
  return { type, sourceId, targetId }
}
