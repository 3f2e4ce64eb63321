import type { EntityType, Extraction, RelationType } from '../contract.ts'

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
export function borneTypes({ entities, relations, endings = [] }: Extraction): ReadonlySet<number> {
  const borne = new Set<number>()
  for (const { type, source, target } of [...relations, ...endings]) {
    if (entities[source]?.type === ENDS[type]?.source) borne.add(source)
    if (target !== null && entities[target]?.type === ENDS[type]?.target) borne.add(target)
  }
  return borne
}
