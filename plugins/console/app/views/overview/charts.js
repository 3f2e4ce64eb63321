import { useData } from '../../data.ts'
import { html } from '../../library.js'
import { Card, Loaded } from '../../parts.tsx'
import { Chart, topOf } from './chart.js'
import { ZONE } from './period.js'

/** Draws memories and requests over the period, by days or, in a long period, by weeks. */
export function Charts({ days }) {
  return html`<div class="columns">
    <${Counts} title="Memories created" path="/v1/dashboard/charts/memories" days=${days} />
    <${Counts} title="API requests" path="/v1/dashboard/charts/requests" days=${days} />
  </div>`
}

const WEEKS_FROM = 100

function Counts({ title, path, days }) {
  const granularity = days < WEEKS_FROM ? 'day' : 'week'
  const counts = useData(path, { days, granularity, timezone: ZONE })
  if (counts.data === undefined) return html`<${Card} title=${title}><${Loaded} from=${counts} /><//>`
  const points = counts.data.map(({ date, count }) => ({ key: date, title: dayOf(date), value: count }))
  const heading = `${title} per ${granularity}`
  return html`<${Chart} title=${heading} about=${summedUp(points, granularity)} points=${points} top=${topOf(points)} />`
}

function summedUp(points, granularity) {
  const sum = points.reduce((before, { value }) => before + value, 0)
  if (sum === 0) return 'None in this period.'
  const most = points.reduce((before, point) => (point.value > before.value ? point : before))
  const when = `${granularity === 'day' ? 'on' : 'in the week of'} ${most.title}`
  return `${sum.toLocaleString('en')} in all, most ${when}: ${most.value.toLocaleString('en')}.`
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

const dayOf = date => DAY.format(new Date(date))
