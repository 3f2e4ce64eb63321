import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type uPlot from 'uplot'
import { Card, type Column, Table } from './parts.tsx'
import { onColours } from './shell/theme.ts'

/** A point of a period. Its text stands in place of its value. */
export type Point = { key: string; title: string; value: number; text?: string }

type Format = (value: number) => string

interface ChartProps {
  readonly title: string
  /** It sums up what is drawn. */
  readonly about: string
  readonly points: readonly Point[]
  /** The value at the upper edge; that of the highest point by default. */
  readonly top?: number
  readonly format?: Format
}

/** Draws a bar for the value at each point of a period, with the same as a table. */
export function Chart({ title, about, points, top, format = counted }: ChartProps) {
  const [at, setAt] = useState<number | null>(null)
  const words = ({ value, text }: Point) => text ?? format(value)
  const columns: Column<Point>[] = [
    ['Time', (point: Point) => point.title],
    [title, words, 'number'],
  ]
  const pointed = at === null ? undefined : points[at]
  return (
    <Card title={title}>
      <p class="quiet">{pointed ? `${pointed.title}: ${words(pointed)}` : about}</p>
      <div role="img" aria-label={`${title}. ${about}`}>
        <Plot
          values={points.map(({ value }) => value)}
          titles={points.map(each => each.title)}
          top={top}
          format={format}
          onPoint={setAt}
        />
      </div>
      <details>
        <summary>Show as a table</summary>
        <Table label={title} columns={columns} rows={points.toReversed()} keyOf={({ key }) => key} />
      </details>
    </Card>
  )
}

/** Draws how a figure went, without axes. */
export const Sparkline = ({ values }: { readonly values: readonly number[] }) => (
  <div class="spark" aria-hidden="true">
    <Plot values={values} />
  </div>
)

interface PlotProps {
  readonly values: readonly number[]
  /** With them it has axes and bars. */
  readonly titles?: readonly string[] | undefined
  readonly top?: number | undefined
  readonly format?: Format
  readonly onPoint?: ((at: number | null) => void) | undefined
}

/** What draws is loaded with the first drawing. */
function Plot({ values, titles, top, format = counted, onPoint }: PlotProps) {
  const box = useRef<HTMLDivElement>(null)
  const theme = useThemeChanges()
  useEffect(() => {
    const element = box.current
    if (!element) return
    let plot: uPlot | undefined
    let isOver = false
    const size = () => ({ width: element.clientWidth, height: element.clientHeight })
    const watch = new ResizeObserver(() => plot?.setSize(size()))
    void import('uplot').then(({ default: uPlot }) => {
      if (isOver) return
      const places = values.map((_, n) => n)
      const options = { ...size(), ...drawing(uPlot, element, { values, titles, top, format, onPoint }) }
      plot = new uPlot(options, [places, [...values]], element)
      watch.observe(element)
    })
    return () => {
      isOver = true
      watch.disconnect()
      plot?.destroy()
    }
  }, [JSON.stringify([values, titles, top]), theme])
  return <div class={titles ? 'plot' : 'plot small'} ref={box} />
}

function drawing(
  library: typeof uPlot,
  element: Element,
  props: PlotProps & { format: Format },
): Omit<uPlot.Options, 'width' | 'height'> {
  const { titles, top, format, onPoint, values } = props
  const { color: stroke, borderColor: quiet, outlineColor: line } = getComputedStyle(element)
  const most = top ?? Math.max(2, ...values)
  const y = { range: [0, most * (titles ? 1.04 : 1.1)] as [number, number] }
  const shared = { legend: { show: false }, scales: { x: { time: false }, y } }
  const fill = stroke.replace('rgb(', 'rgba(').replace(')', ', 0.12)')
  if (!titles) {
    const series = [{}, { stroke, width: 1.5, fill, points: { show: false } }]
    return { ...shared, series, axes: [{ show: false }, { show: false }], cursor: { show: false }, padding: NO_PADDING }
  }
  const paths = library.paths.bars?.({ size: [0.7, 56], radius: 0.12 })
  const font = '12px system-ui, sans-serif'
  const names = { stroke: quiet, font, grid: { show: false }, ticks: { show: false } }
  return {
    ...shared,
    series: [{}, { stroke, fill: stroke, width: 0, ...(paths && { paths }), points: { show: false } }],
    axes: [
      {
        ...names,
        space: 90,
        incrs: [1, 2, 5, 7, 10, 30],
        values: (_: uPlot, at: number[]) => at.map(n => titles[n] ?? ''),
      },
      { ...names, grid: { stroke: line, width: 1 }, size: 52, values: (_: uPlot, at: number[]) => at.map(format) },
    ],
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    hooks: { setCursor: [({ cursor }: uPlot) => onPoint?.(cursor.idx ?? null)] },
  }
}

const NO_PADDING: uPlot.Padding = [2, 0, 0, 0]

/** Counts changes of the colours, which a drawing does not follow by itself. */
function useThemeChanges(): number {
  const [count, setCount] = useState(0)
  useEffect(() => onColours(() => setCount(before => before + 1)), [])
  return count
}

const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const LONG = new Intl.NumberFormat('en')

/** Numbers from 10,000 on are shortened, so that they fit beside a chart. */
const counted = (value: number): string => (value < 10_000 ? LONG.format(value) : SHORT.format(value))

interface Bar {
  readonly key: string
  readonly name: ComponentChildren
  /** The length from 0 to 1; one below 0 is drawn as a loss. */
  readonly share: number
  readonly text: string
}

/** Lists names with bars of different lengths. */
export const Bars = ({ label, rows }: { readonly label: string; readonly rows: readonly Bar[] }) => (
  <ul class="bars" aria-label={label}>
    {rows.map(({ key, name, share, text }) => (
      <li key={key}>
        <div class="bars-row">
          <span>{name}</span>
          <span class="number">{text}</span>
        </div>
        <svg class={share < 0 ? 'bar loss' : 'bar'} width="100%" height="6" aria-hidden="true">
          <rect width="100%" height="6" rx="3" fill="currentColor" opacity="0.12" />
          <rect width={`${Math.min(100, Math.abs(share) * 100)}%`} height="6" rx="3" fill="currentColor" />
        </svg>
      </li>
    ))}
  </ul>
)
