import { type ExtractedEntity, type Extraction, SYMMETRIC_TYPES } from '../../plugins/graph/contract.ts'
import type { Labelled } from './labelled.ts'

/** Compares what was drawn from one text with its labels. */
export interface Compared {
  readonly entities: Counts
  readonly relations: Counts
  /** Entities that no label names or overlaps. */
  readonly junk: string[]
  readonly dates: { readonly labelled: number; readonly right: number }
}

export interface Counts {
  readonly right: string[]
  readonly wrong: string[]
  readonly missed: string[]
}

/** The user is left out of the entities, or they would flatter. */
export function compare(item: Labelled, extraction: Extraction): Compared {
  const found = extraction.entities.filter(entity => !entity.isUser || item.userName !== undefined)
  const wanted = item.entities
  const matchOf = (entity: ExtractedEntity) =>
    wanted.find(label => isNamed(label, entity) && label.types.includes(entity.type))
  const required = wanted.filter(label => !label.optional)
  const right = required.filter(label => found.some(entity => matchOf(entity) === label))
  const wrong = found.filter(entity => !matchOf(entity))
  const junk = wrong.filter(
    entity => !wanted.some(label => namesOf(label).some(name => overlaps(name, plain(entity.name)))),
  )
  return {
    entities: {
      right: right.map(({ name }) => name),
      wrong: wrong.map(({ name, type }) => `${name}: ${type}`),
      missed: required.filter(label => !right.includes(label)).map(({ name, types }) => `${name}: ${types[0]}`),
    },
    junk: junk.map(({ name }) => name),
    ...compareRelations(item, extraction),
  }
}

type EntityLabel = Labelled['entities'][number]
type RelationLabel = Labelled['relations'][number]

function compareRelations(item: Labelled, extraction: Extraction): Pick<Compared, 'relations' | 'dates'> {
  const end = (index: number) => {
    const entity = extraction.entities[index]
    if (!entity) return '?'
    if (entity.isUser) return '@user'
    const label = item.entities.find(candidate => isNamed(candidate, entity))
    return label ? (label.name === item.userName ? '@user' : plain(label.name)) : plain(entity.name)
  }
  const wantedEnd = (name: string) => (name === item.userName ? '@user' : name === '@user' ? name : plain(name))
  const found = extraction.relations.map(relation => {
    const ends: [string, string] = [end(relation.source), end(relation.target)]
    if (SYMMETRIC_TYPES.has(relation.type)) ends.sort()
    return { relation, key: `${relation.closes ? '-' : ''}${relation.type} ${ends.join(' > ')}` }
  })
  const keysOf = (label: RelationLabel) =>
    [label.type, ...(label.or ? [label.or] : [])].map(type => {
      const ends: [string, string] = [wantedEnd(label.source), wantedEnd(label.target)]
      if (SYMMETRIC_TYPES.has(type)) ends.sort()
      return `${label.closed ? '-' : ''}${type} ${ends.join(' > ')}`
    })
  const matched = (label: RelationLabel) => found.find(({ key }) => keysOf(label).includes(key))
  const required = item.relations.filter(label => !label.optional)
  const allowed = new Set(item.relations.flatMap(keysOf))
  const dated = required.filter(({ from, to }) => from !== undefined || to !== undefined)
  const exact = dated.filter(label => {
    const relation = matched(label)?.relation
    return (
      relation && (!label.from || relation.validFrom === label.from) && (!label.to || relation.validTo === label.to)
    )
  })
  return {
    relations: {
      right: required.filter(matched).map(label => keysOf(label)[0] ?? ''),
      wrong: found.filter(({ key }) => !allowed.has(key)).map(({ key }) => key),
      missed: required.filter(label => !matched(label)).map(label => keysOf(label)[0] ?? ''),
    },
    dates: { labelled: dated.length, right: exact.length },
  }
}

function isNamed(label: EntityLabel, entity: ExtractedEntity): boolean {
  const names = namesOf(label)
  return names.includes(plain(entity.name)) || entity.aliases.some(alias => names.includes(plain(alias)))
}

function namesOf({ name, also = [] }: EntityLabel): string[] {
  return [name, ...also].map(plain)
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKC')
    .replace(/^(?:the|a|an|der|die|das|el|la|los|las|le|les)\s+/, '')
    .replace(/[.,;]+$/, '')
}

function overlaps(a: string, b: string): boolean {
  return a.includes(b) || b.includes(a) || a.split(' ').some(word => word.length > 3 && b.split(' ').includes(word))
}
