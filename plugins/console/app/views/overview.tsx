import { useAddress } from '../address.tsx'
import { useData } from '../data.ts'
import { Head, Loaded } from '../parts.tsx'
import type { ViewProps } from '../views.ts'
import { Activity } from './overview/activity.js'
import { Alerts } from './overview/alerts.tsx'
import { Categories } from './overview/categories.js'
import { FirstSteps } from './overview/first-steps.js'
import { daysOf, PeriodField, periodOf } from './overview/period.js'
import { Processing } from './overview/processing.js'
import { type Summary, Tiles } from './overview/tiles.tsx'
import { Trends, useSeries } from './overview/trends.tsx'

/** Shows how the workspace is used, what needs attention and what happened; first steps while it is empty. */
export function Overview({ session }: ViewProps) {
  const { query, set } = useAddress()
  const days = daysOf(query)
  const summary = useData<Summary>('/v1/dashboard/summary', periodOf(days), { isLive: true })
  const isEmpty = summary.data?.quota.memories_used === 0
  return (
    <>
      <Head title="Overview">{summary.data && !isEmpty && <PeriodField days={days} set={set} />}</Head>
      <Loaded from={summary}>
        {data => (
          <>
            <Alerts days={days} />
            {isEmpty ? (
              <FirstSteps session={session} onLook={summary.reload} />
            ) : (
              <Filled summary={data} days={days} pages={session.pages} />
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

type FilledProps = { summary: Summary; days: number; pages: ViewProps['session']['pages'] }

function Filled({ summary, days, pages }: FilledProps) {
  const series = useSeries(days)
  return (
    <>
      <Tiles summary={summary} days={days} series={series} />
      <Trends days={days} series={series} />
      <div class="columns">
        <Processing pages={pages} />
        <Categories days={days} />
      </div>
      <Activity pages={pages} />
    </>
  )
}
