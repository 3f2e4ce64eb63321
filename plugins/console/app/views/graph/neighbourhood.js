import { useData } from '../../data.ts'
import { html } from '../../library.js'
import { Card, Loaded, Notice } from '../../parts.tsx'
import { Picture } from './picture.js'
import { isUnknownAt, useSight } from './sight.js'
import { TYPES, TypeMark } from './words.js'

/** So many that their names can still be read. */
const RELATIONSHIPS_MAX = 40

/** A picture of what lies around an entity. */
export function Neighbourhood({ entity }) {
  const { query, asOf, depth, linkOf } = useSight()
  const walk = useData('/v1/graph/traverse', { ...query, from: entity.id, depth, limit: RELATIONSHIPS_MAX })
  if (isUnknownAt(asOf, walk)) return null
  return html`<${Loaded} from=${walk}>
    ${({ nodes, edges }) =>
      edges.length > 0 &&
      html`<${Card} title="Neighbourhood">
        ${
          edges.length === RELATIONSHIPS_MAX &&
          html`<${Notice}><p>The picture holds the nearest and strongest ${RELATIONSHIPS_MAX} relationships.</p><//>`
        }
        <${Picture} start=${entity} nodes=${nodes} edges=${edges} linkOf=${linkOf} />
        <${Legend} nodes=${nodes} edges=${edges} />
      <//>`}
  <//>`
}

/** The types and lines that are in the picture. */
function Legend({ nodes, edges }) {
  const types = new Set(nodes.map(({ type }) => type))
  const present = TYPES.map(({ value }) => value).filter(type => types.has(type))
  const line = (kind, title) => html`<li class="graph-type">
    <svg width="28" height="20" viewBox="0 0 28 20" aria-hidden="true">
      <line class=${kind} x1="2" y1="10" x2="26" y2="10" />
    </svg>
    ${title}
  </li>`
  return html`<ul class="row bare" aria-label="Legend">
    ${present.map(type => html`<li key=${type}><${TypeMark} type=${type} /></li>`)}
    ${line('graph-line', 'Holds')}
    ${edges.some(({ current }) => !current) && line('graph-line former', 'Is over')}
  </ul>`
}
