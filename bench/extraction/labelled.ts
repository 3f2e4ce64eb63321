import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { ENTITY_TYPES, RELATION_TYPES, STATEMENT_CATEGORIES } from '../../plugins/graph/contract.ts'

const entityType = Type.Union(ENTITY_TYPES.map(type => Type.Literal(type)))
const relationType = Type.Union(RELATION_TYPES.map(type => Type.Literal(type)))

const labelled = Type.Object({
  text: Type.String(),
  language: Type.String(),
  category: Type.Union([Type.Null(), ...STATEMENT_CATEGORIES.map(category => Type.Literal(category))]),
  entities: Type.Array(
    Type.Object({
      name: Type.String(),
      types: Type.Array(entityType),
      also: Type.Optional(Type.Array(Type.String())),
      optional: Type.Optional(Type.Boolean()),
    }),
  ),
  relations: Type.Array(
    Type.Object({
      type: relationType,
      source: Type.String(),
      target: Type.String(),
      closed: Type.Optional(Type.Boolean()),
      optional: Type.Optional(Type.Boolean()),
      or: Type.Optional(relationType),
      from: Type.Optional(Type.String()),
      to: Type.Optional(Type.String()),
    }),
  ),
  userName: Type.Optional(Type.String()),
})

/** A text with what a careful reader draws from it. */
export type Labelled = Static<typeof labelled>

/**
 * There are three kinds of texts, each with a part that rules may be tuned on and one of which only scores are seen.
 */
export const HALVES = ['dev', 'held-out', 'rough', 'rough-held-out', 'wild-dev', 'wild-held-out'] as const
export type Half = (typeof HALVES)[number]

export async function readHalf(half: Half): Promise<Labelled[]> {
  const { readFile } = await import('node:fs/promises')
  const lines = (await readFile(new URL(`./data/${half}.jsonl`, import.meta.url), 'utf8')).trim().split('\n')
  return lines.map(line => Value.Parse(labelled, JSON.parse(line)))
}
