import { Link } from '../../address.tsx'
/** Types of entities, in the order of lists and legends. */
export const TYPES = [
  { value: 'PERSON', title: 'Person', many: 'People' },
  { value: 'ORGANIZATION', title: 'Organization', many: 'Organizations' },
  { value: 'PLACE', title: 'Place', many: 'Places' },
  { value: 'THING', title: 'Thing', many: 'Things' },
]

/** Those whose words differ from the name that the API has. */
const RELATIONS: Readonly<Record<string, string>> = {
  COLLABORATES_WITH: 'works with',
  RELATED_TO: 'is related to',
  MARRIED_TO: 'is married to',
  PARENT_OF: 'is a parent of',
  LOCATED_IN: 'is in',
  BORN_IN: 'was born in',
  USES_TECHNOLOGY: 'uses',
  PART_OF: 'is part of',
  MEMBER_OF: 'is a member of',
  INTERESTED_IN: 'is interested in',
}

/** The words between the ends of a relationship. */
export const wordsOf = (type: string): string => RELATIONS[type] ?? type.toLowerCase().replaceAll('_', ' ')

export const typeTitle = (type: string): string =>
  TYPES.find(({ value }) => value === type)?.title ?? type.toLowerCase()

/** The shape of a type, as in the picture, so that types differ by more than their colours. */
export function Mark({ type }: { readonly type: string }) {
  const kind = `graph-mark ${type.toLowerCase()}`
  const shapes: Readonly<Record<string, preact.JSX.Element>> = {
    ORGANIZATION: <rect class={kind} x="2" y="2" width="12" height="12" rx="2.5" />,
    PLACE: <polygon class={kind} points="8,0.5 15.5,8 8,15.5 0.5,8" />,
    THING: <polygon class={kind} points="8,1.5 15.5,14.5 0.5,14.5" />,
  }
  return (
    <svg class="graph-sign" width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
      {shapes[type] ?? <circle class={kind} cx="8" cy="8" r="7" />}
    </svg>
  )
}

/** The type of an entity as a word with its mark. */
export const TypeMark = ({ type }: { readonly type: string }) => (
  <span class="graph-type">
    <Mark type={type} /> {typeTitle(type)}
  </span>
)

/** Leads to the page of an entity, in a table of them. */
export const EntityLink = ({ id, name }: { readonly id: string; readonly name: string }) => (
  <Link to={`/graph/${id}`} class="clipped" text={name} />
)

type ChipProps = { of: { type: string; name: string } | undefined; onClick: () => void }

/** An entity that can be chosen, in a sentence or a row of them. */
export const Chip = ({ of: entity, onClick }: ChipProps) => (
  <button type="button" class="graph-chip" onClick={onClick}>
    <Mark type={entity?.type ?? ''} /> <span dir="auto">{entity?.name}</span>
  </button>
)
