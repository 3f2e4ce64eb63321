import { useAddress } from '../address.tsx'
import { useData } from '../data.ts'
import { html } from '../library.js'
import { Head, Loaded } from '../parts.tsx'
import { Activity } from './overview/activity.js'
import { Alerts } from './overview/alerts.js'
import { Categories } from './overview/categories.js'
import { Charts } from './overview/charts.js'
import { Figures } from './overview/figures.js'
import { FirstSteps } from './overview/first-steps.js'
import { daysOf, PeriodField, periodOf } from './overview/period.js'
import { Processing } from './overview/processing.js'

/** Shows how the workspace is used, what needs attention and what happened; first steps while it is empty. */
export function Overview({ session }) {
  const { query, set } = useAddress()
  const days = daysOf(query)
  const summary = useData('/v1/dashboard/summary', periodOf(days))
  const isEmpty = summary.data?.quota.memories_used === 0
  return html`
    <${Head} title="Overview" about=${html`What happens in the workspace <b dir="auto">${session.workspace.name}</b>.`}>
      ${summary.data && !isEmpty && html`<${PeriodField} days=${days} set=${set} />`}
    <//>
    <${Loaded} from=${summary}>
      ${data => html`
        <${Alerts} days=${days} />
        ${
          isEmpty
            ? html`<${FirstSteps} session=${session} onLook=${summary.reload} />`
            : html`<${Filled} summary=${data} days=${days} pages=${session.pages} />`
        }
      `}
    <//>
  `
}

function Filled({ summary, days, pages }) {
  return html`
    <${Figures} summary=${summary} days=${days} />
    <${Charts} days=${days} />
    <div class="columns">
      <${Processing} pages=${pages} />
      <${Categories} days=${days} />
    </div>
    <${Activity} pages=${pages} />
  `
}
