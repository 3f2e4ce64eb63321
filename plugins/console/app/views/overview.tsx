import { useState } from 'preact/hooks'
import { useAddress } from '../address.tsx'
import { useData } from '../data.ts'
import { Button, Head, Loaded } from '../parts.tsx'
import type { ViewProps } from '../views.ts'
import { Activity, Alerts } from './overview/alerts.tsx'
import { daysOf, PeriodField, periodOf } from './overview/period.tsx'
import { Categories, Processing } from './overview/processing.tsx'
import { Start } from './overview/start.tsx'
import { type Summary, Tiles, Trends, useSeries } from './overview/tiles.tsx'

/** Shows how the workspace is used, what needs attention and what happened; the first steps while it is empty. */
export function Overview({ session }: ViewProps) {
  const { query, set } = useAddress()
  const days = daysOf(query)
  const summary = useData<Summary>('/v1/dashboard/summary', periodOf(days), { isLive: true })
  // The first steps stay to their end, although the workspace is no longer empty with the second.
  const [isStarting, setStarting] = useState<boolean>()
  const isStart = isStarting ?? summary.data?.quota.memories_used === 0
  const finish = () => {
    setStarting(false)
    void summary.reload()
  }
  if (isStart && isStarting === undefined) setStarting(true)
  return (
    <>
      <Head title="Overview">
        {summary.data && !isStart && <Button icon="play" label="Get started" onClick={() => setStarting(true)} />}
        {summary.data && !isStart && <PeriodField days={days} set={set} />}
      </Head>
      {isStart && <Start session={session} onDone={finish} />}
      {!isStart && (
        <Loaded from={summary}>
          {data => (
            <>
              <Alerts days={days} />
              <Filled summary={data} days={days} pages={session.pages} />
            </>
          )}
        </Loaded>
      )}
    </>
  )
}

function Filled({ summary, days, pages }: { summary: Summary; days: number; pages: ViewProps['session']['pages'] }) {
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
