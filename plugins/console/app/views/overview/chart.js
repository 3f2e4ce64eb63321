import { html, useEffect, useRef, useState } from '../../library.js'
import { Card, Table } from '../../parts.tsx'

const HEIGHT = 180
const LEFT = 44
const TOP = 12
const FOOT = 24
const RIGHT = 8

/**
 * Draws a bar for the value at each point of a period, with the same as a table.
 *
 * @param {{title: string, about: string, points: {key: string, title: string, value: number, text?: string}[],
 * top: number, format?: (value: number) => string}} props `top` is the value at the upper edge, `about` a sentence that
 * sums up; the text of a point stands in place of its value
 */
export function Chart({ title, about, points, top, format = counted }) {
  const [box, width] = useWidth()
  const columns = [
    { title: 'Time', cell: point => point.title },
    { title, cell: point => wordsOf(point, format), isNumber: true },
  ]
  const label = `${title}. ${about}`
  const drawing = html`<${Drawing} label=${label} points=${points} top=${top} format=${format} width=${width} />`
  return html`<${Card} title=${title}>
    <p class="quiet">${about}</p>
    <div ref=${box} class="chart">
      ${width > 0 && drawing}
    </div>
    <details>
      <summary>Show as a table</summary>
      <${Table} label=${title} columns=${columns} rows=${points.toReversed()} keyOf=${({ key }) => key} />
    </details>
  <//>`
}

const wordsOf = ({ value, text }, format) => text ?? format(value)

function Drawing({ label, points, top, format, width }) {
  const step = (width - LEFT - RIGHT) / points.length
  const heightOf = value => (Math.min(value, top) / top) * (HEIGHT - TOP - FOOT)
  return html`<svg role="img" aria-label=${label} width=${width} height=${HEIGHT}>
    ${[0, top / 2, top].map(value => {
      const y = HEIGHT - FOOT - heightOf(value)
      return html`<${Line} key=${value} y=${y} text=${format(value)} width=${width} />`
    })}
    ${points.map(({ key, title, value, text }, place) => {
      const height = value > 0 ? Math.max(2, heightOf(value)) : 0
      return html`<rect
        key=${key}
        class="chart-bar"
        x=${LEFT + step * (place + 0.14)}
        y=${HEIGHT - FOOT - height}
        width=${Math.min(step * 0.72, 60)}
        height=${height}
        fill="currentColor"
      ><title>${`${title}: ${wordsOf({ value, text }, format)}`}</title></rect>`
    })}
    <${Times} points=${points} step=${step} />
  </svg>`
}

function Line({ y, text, width }) {
  return html`<g>
    <line class="chart-line" x1=${LEFT} x2=${width - RIGHT} y1=${y} y2=${y} stroke="currentColor" />
    <text x=${LEFT - 8} y=${y + 4} text-anchor="end" fill="currentColor" font-size="12">${text}</text>
  </g>`
}

const LETTER_WIDTH = 8

/** Names the first point and the last, and one between them where there is room. */
function Times({ points, step }) {
  const last = points.length - 1
  const middle = Math.floor(last / 2)
  const hasRoom = last >= 4 && 3 * LETTER_WIDTH * points[last].title.length < step * points.length
  const places = hasRoom ? [0, middle, last] : [0, last]
  return [...new Set(places)].map(place => {
    const isEdge = place === 0 || place === last
    const side = !isEdge ? 'middle' : place === 0 ? 'start' : 'end'
    const x = LEFT + step * (place + (side === 'start' ? 0 : side === 'end' ? 1 : 0.5))
    return html`<text key=${place} x=${x} y=${HEIGHT - 6} text-anchor=${side} fill="currentColor" font-size="12">
      ${points[place].title}
    </text>`
  })
}

const STEPS = [1, 2, 4, 6, 8, 10]

/** Returns a round number that no value of the points is above, and whose half is whole. */
export function topOf(points) {
  const most = Math.max(2, ...points.map(({ value }) => value))
  const scale = 10 ** Math.floor(Math.log10(most))
  return scale * STEPS.find(step => step * scale >= most)
}

const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const LONG = new Intl.NumberFormat('en')

/** Numbers from 10,000 on are shortened, so that they fit beside a chart. */
function counted(value) {
  return value < 10_000 ? LONG.format(value) : SHORT.format(value)
}

/** Returns the width of an element, which changes with the window; 0 before it is known. */
function useWidth() {
  const box = useRef(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  return [box, width]
}
