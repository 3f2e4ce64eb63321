import { Link } from '../../address.tsx'
import { html, useEffect, useMemo, useRef, useState } from '../../library.js'
import { layOut, placeWords } from './layout.js'
import { Mark, typeTitle, wordsOf } from './words.js'

/**
 * Draws entities as links around the one in the middle. The relationships of the one that is pointed at or has the
 * focus are named; the list below the picture names all of them.
 */
export function Picture({ start, nodes, edges, linkOf }) {
  const { places, taken, box } = useMemo(() => layOut(start.id, nodes, edges), [start.id, nodes, edges])
  const ties = useMemo(() => tiesOf(nodes, edges), [nodes, edges])
  const [lit, setLit] = useState(undefined)
  const frame = useRef(null)
  useEffect(() => {
    const { scrollWidth, clientWidth } = frame.current
    frame.current.scrollLeft = (scrollWidth - clientWidth) / 2
  }, [box])
  const isLit = ({ id, source, target }) => lit !== undefined && [id, source, target].includes(lit)
  const shown = ties.filter(({ source, target }) => places.has(source) && places.has(target))
  return html`<div class="scroll" ref=${frame} onMouseLeave=${() => setLit(undefined)}>
    <svg
      class="graph-picture"
      role="group"
      aria-label=${`Neighbourhood of ${start.name}`}
      width=${box.width}
      height=${box.height}
      viewBox=${`${box.x} ${box.y} ${box.width} ${box.height}`}
    >
      ${shown.map(
        tie => html`<${Tie} key=${tie.id} tie=${tie} places=${places} isLit=${isLit(tie)} setLit=${setLit} />`,
      )}
      ${nodes
        .filter(({ id }) => places.has(id))
        .map(
          node =>
            html`<${Node}
              key=${node.id}
              node=${node}
              place=${places.get(node.id)}
              isStart=${node.id === start.id}
              to=${linkOf(node.id)}
              setLit=${setLit}
            />`,
        )}
      <${Words} ties=${shown.filter(isLit)} places=${places} taken=${taken} centre=${start.id} />
    </svg>
  </div>`
}

/** One line for all relationships between the same two, as lines upon each other could not be told apart. */
function tiesOf(nodes, edges) {
  const names = new Map(nodes.map(({ id, name }) => [id, name]))
  const ties = new Map()
  for (const { id, source, target, type, current } of edges) {
    const key = [source, target].sort().join(' ')
    const tie = ties.get(key) ?? { id, source, target, words: [], sentences: [], isFormer: true }
    const words = `${wordsOf(type)}${current ? '' : ' (over)'}`
    tie.words.push(words)
    tie.sentences.push(`${names.get(source)} ${words} ${names.get(target)}`)
    tie.isFormer &&= !current
    ties.set(key, tie)
  }
  return [...ties.values()]
}

function Tie({ tie, places, isLit, setLit }) {
  const from = places.get(tie.source)
  const to = places.get(tie.target)
  const ends = { x1: from.x, y1: from.y, x2: to.x, y2: to.y }
  const kinds = ['graph-line', tie.isFormer && 'former', isLit && 'lit'].filter(Boolean).join(' ')
  return html`<g onMouseEnter=${() => setLit(tie.id)}>
    <title>${tie.sentences.join('\n')}</title>
    <line class="graph-touch" ...${ends} />
    <line class=${kinds} ...${ends} />
  </g>`
}

const LABEL_BELOW = 24
const NODE_SIZE = 8
const START_SIZE = 11

function Node({ node: { id, name, type }, place: { x, y, label }, isStart, to, setLit }) {
  const light = () => setLit(id)
  return html`<${Link}
    to=${to}
    class=${isStart ? 'graph-node start' : 'graph-node'}
    aria-label=${`${name}, ${typeTitle(type).toLowerCase()}`}
    aria-current=${isStart ? 'page' : undefined}
    onFocus=${light}
    onBlur=${() => setLit(undefined)}
    onMouseEnter=${light}
  >
    <title>${`${name} (${typeTitle(type).toLowerCase()})`}</title>
    <${Mark} type=${type} x=${x} y=${y} size=${isStart ? START_SIZE : NODE_SIZE} />
    <text x=${x} y=${y + LABEL_BELOW} text-anchor="middle">${label}</text>
  <//>`
}

/** The words of the lit lines, from the middle of the picture outwards. */
function Words({ ties, places, taken, centre }) {
  const lines = ties.map(({ id, source, target, words }) => {
    const [inner, outer] = target === centre ? [target, source] : [source, target]
    return { id, from: places.get(inner), to: places.get(outer), words: words.join(', ') }
  })
  return placeWords(lines, taken).map(
    ({ id, x, y, words }) =>
      html`<text key=${id} class="graph-words" x=${x} y=${y} text-anchor="middle" aria-hidden="true">${words}</text>`,
  )
}
