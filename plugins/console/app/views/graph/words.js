import { html } from '../../library.js'

/** Types of entities, in the order of lists and legends. */
export const TYPES = [
  { value: 'PERSON', title: 'Person' },
  { value: 'ORGANIZATION', title: 'Organization' },
  { value: 'PLACE', title: 'Place' },
  { value: 'THING', title: 'Thing' },
]

const RELATIONS = {
  WORKS_AT: 'works at',
  MANAGES: 'manages',
  REPORTS_TO: 'reports to',
  COLLABORATES_WITH: 'works with',
  KNOWS: 'knows',
  RELATED_TO: 'is related to',
  MARRIED_TO: 'is married to',
  PARENT_OF: 'is a parent of',
  LIVES_IN: 'lives in',
  LOCATED_IN: 'is in',
  BORN_IN: 'was born in',
  VISITED: 'visited',
  OWNS: 'owns',
  CREATED: 'created',
  USES_TECHNOLOGY: 'uses',
  PART_OF: 'is part of',
  MEMBER_OF: 'is a member of',
  STUDIED_AT: 'studied at',
  LIKES: 'likes',
  DISLIKES: 'dislikes',
  INTERESTED_IN: 'is interested in',
}

/** The words between the ends of a relationship. */
export function wordsOf(type) {
  return RELATIONS[type] ?? type.toLowerCase().replaceAll('_', ' ')
}

export function typeTitle(type) {
  return TYPES.find(({ value }) => value === type)?.title ?? type.toLowerCase()
}

const SIZE = 7

/** The shape of a type around a point, so that types differ by more than their colours. */
export function Mark({ type, x, y, size = SIZE }) {
  const kind = `graph-mark ${type.toLowerCase()}`
  if (type === 'ORGANIZATION') {
    return html`<rect class=${kind} x=${x - size} y=${y - size} width=${2 * size} height=${2 * size} />`
  }
  if (type === 'PLACE') {
    const far = size * 1.3
    return html`<polygon class=${kind} points=${`${x},${y - far} ${x + far},${y} ${x},${y + far} ${x - far},${y}`} />`
  }
  if (type === 'THING') {
    const far = size * 1.2
    return html`<polygon class=${kind} points=${`${x},${y - far} ${x + far},${y + size} ${x - far},${y + size}`} />`
  }
  return html`<circle class=${kind} cx=${x} cy=${y} r=${size} />`
}

/** The type of an entity as a word with its mark. */
export function TypeMark({ type }) {
  return html`<span class="graph-type">
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true"><${Mark} type=${type} x=${10} y=${10} /></svg>
    ${typeTitle(type)}
  </span>`
}
