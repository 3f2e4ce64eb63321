import type { EntityType, Extraction, RelationType } from '../contract.ts'
import { normalName, withoutLegalForm } from './normal-name.ts'

/** One entity that a memory names, in its own words. */
export interface NamedEntity {
  readonly type: EntityType
  /** A relationship of the memory bears the type out. */
  readonly isFirm: boolean
  readonly isUser: boolean
  /** Never empty: first the one the extraction chose. */
  readonly names: readonly string[]
  readonly normalNames: readonly string[]
  readonly confidence: number
}

/** The entities that a memory names, with normal names. The user's id is always among them, so that a stated name is told from it. */
export function namesIn(extraction: Extraction, userId: string): NamedEntity[] {
  const borne = borneTypes(extraction)
  return extraction.entities.map(({ name, aliases, type, isUser, confidence }, n) => {
    const normal = new Map<string, string>()
    for (const one of [name, ...aliases]) {
      const key = normalName(one)
      if (key === '') continue
      // "Acme Corp" and "ACME Corporation" are Acme.
      const plain = type === 'ORGANIZATION' ? withoutLegalForm(key) : key
      if (!normal.has(plain)) normal.set(plain, one)
      if (!normal.has(key)) normal.set(key, one)
    }
    const known = { type, isFirm: borne.has(n), isUser, confidence }
    const named = { ...known, names: [...normal.values()], normalNames: [...normal.keys()] }
    if (!isUser || named.names.includes(userId)) return named
    return { ...named, names: [...named.names, userId], normalNames: [...named.normalNames, normalName(userId)] }
  })
}

/** Two of one main name and type are one, also where the extraction names both ("Acme" and "Acme Corp"). */
export function isSameIn(one: NamedEntity, other: NamedEntity): boolean {
  if (one.isUser || other.isUser) return one.isUser === other.isUser
  return one.type === other.type && one.normalNames[0] === other.normalNames[0]
}

/** The type that a relationship makes certain of its ends, where it does. */
const ENDS: Readonly<Partial<Record<RelationType, { readonly source?: EntityType; readonly target?: EntityType }>>> = {
  WORKS_AT: { source: 'PERSON', target: 'ORGANIZATION' },
  STUDIED_AT: { source: 'PERSON', target: 'ORGANIZATION' },
  MEMBER_OF: { target: 'ORGANIZATION' },
  REPORTS_TO: { source: 'PERSON', target: 'PERSON' },
  MARRIED_TO: { source: 'PERSON', target: 'PERSON' },
  PARENT_OF: { source: 'PERSON', target: 'PERSON' },
  LIVES_IN: { source: 'PERSON', target: 'PLACE' },
  BORN_IN: { source: 'PERSON', target: 'PLACE' },
  LOCATED_IN: { target: 'PLACE' },
  VISITED: { source: 'PERSON', target: 'PLACE' },
  USES_TECHNOLOGY: { target: 'THING' },
}

/** The entities of an extraction, by index, whose type its own relationships bear out. */
function borneTypes({ entities, relations, endings = [] }: Extraction): ReadonlySet<number> {
  const borne = new Set<number>()
  for (const { type, source, target } of [...relations, ...endings]) {
    if (entities[source]?.type === ENDS[type]?.source) borne.add(source)
    if (target !== null && entities[target]?.type === ENDS[type]?.target) borne.add(target)
  }
  return borne
}
