import type { GetSearchBalanceResult, GetSearchQualityResult } from '@mneme/client'
import { call } from '../../api.ts'
import { Chart } from '../../chart.tsx'
import { change } from '../../data.ts'
import { Ask } from '../../forms.tsx'
import { Card, type Column, Empty, Load, Table, Time, told } from '../../parts.tsx'
import { counted, percent, scored } from '../memories/memory.ts'
import { midnight, periodOf, ZONE } from '../overview/period.tsx'

const NONE =
  'When an agent or a program searches, the score of its first result and the searches without a result are shown here.'

/** Shows the figures of all searches of the period, and the same over its parts. */
export const Quality = ({ days }: { readonly days: number }) => (
  <Load<GetSearchQualityResult> path="/v1/dashboard/quality" query={periodOf(days)}>
    {({ total_searches: total, avg_search_score, zero_result_rate }) =>
      total === 0 ? (
        <Empty title="Nothing was searched for in this period" text={NONE} />
      ) : (
        <>
          <div class="tiles">
            <Figure title="Searches" value={told(total)} about="Also those without a result." />
            <Figure title="Average score of first results" value={scored(avg_search_score)} about={SCORES} />
            <Figure
              title="Searches without a result"
              value={percent(zero_result_rate)}
              about={`${counted(Math.round(total * zero_result_rate), 'search', 'searches')}.`}
            />
          </div>
          <Parts days={days} />
        </>
      )
    }
  </Load>
)

const SCORES = 'From 0 to 1. From 0.66 on, a result fits well.'

const Figure = ({ title, value, about }: { title: string; value: string; about: string }) => (
  <Card title={title}>
    <div class="figure">{value}</div>
    <p class="quiet">{about}</p>
  </Card>
)

type Part = GetSearchQualityResult & { readonly key: string; readonly title: string }

function Parts({ days }: { days: number }) {
  const pointsOf = (data: readonly Part[], figureOf: (part: Part) => number, isMeasured = (_: Part) => true) =>
    data.map(part => {
      const { key, title } = part
      // A dash stands where nothing was measured, which is no score of 0.
      return { key, title, value: figureOf(part), ...(isMeasured(part) ? {} : { text: '–' }) }
    })
  return (
    <Load<Part[]> path={`parts of ${days} days`} read={() => readParts(days)}>
      {data => (
        <div class="columns">
          <Chart
            title="Average score"
            about="The score of the first results. There is no bar where nothing was found."
            points={pointsOf(
              data,
              part => part.avg_search_score,
              part => part.avg_search_score !== 0,
            )}
            top={1}
            format={scored}
          />
          <Chart
            title="Share without a result"
            about="Of all searches, those that found nothing."
            points={pointsOf(
              data,
              part => part.zero_result_rate,
              part => part.total_searches !== 0,
            )}
            top={1}
            format={percent}
          />
          <Chart
            title="Number of searches"
            about="All searches, also those without a result."
            points={pointsOf(data, part => part.total_searches)}
          />
        </div>
      )}
    </Load>
  )
}

/** Each part has so many days that no period has more than about a dozen. */
const PART_DAYS = new Map([
  [7, 1],
  [30, 3],
  [90, 9],
  [365, 31],
])

/** The figures are given for a whole period, so each part is a period of its own: whole days of the reader, the oldest first. */
async function readParts(days: number): Promise<Part[]> {
  const size = PART_DAYS.get(days) ?? days
  const lasts = Array.from({ length: Math.ceil(days / size) }, (_, n) => -n * size).toReversed()
  return Promise.all(
    lasts.map(async last => {
      const first = Math.max(last - size, -days) + 1
      const start_date = midnight(first).toISOString()
      const end_date = (last === 0 ? new Date() : midnight(last + 1)).toISOString()
      const query = { start_date, end_date, timezone: ZONE }
      const figures = await call<GetSearchQualityResult>('GET', '/v1/dashboard/quality', { query })
      return { key: start_date, title: titleOf(first, last), ...figures }
    }),
  )
}

function titleOf(first: number, last: number): string {
  const begin = DAY.format(midnight(first))
  return first === last ? begin : `${begin} to ${DAY.format(midnight(last))}`
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

const QUESTION =
  'Results are weighed by the default again. The balance that was learned is lost, and learned anew from future feedback.'
const ABOUT =
  'Results are ordered by how well they fit the query; new memories and those of high priority come a little earlier. How much earlier is learned from feedback that names the search it is about.'

/** Shows how much the age and the priority of memories count beside how well they fit. */
export const Balance = () => (
  <Card title="Ranking balance">
    <p class="quiet">{ABOUT}</p>
    <Load<GetSearchBalanceResult> path="/v1/search/balance">
      {data => (
        <>
          <Table label="Ranking balance" columns={COLUMNS} rows={weightsOf(data)} keyOf={([name]) => name} />
          <Learned balance={data} />
          {data.fitted_at !== null && (
            <div class="row">
              <Ask label="Reset the balance" question={QUESTION} act={() => change('DELETE', '/v1/search/balance')} />
            </div>
          )}
        </>
      )}
    </Load>
  </Card>
)

type Weight = readonly [name: string, now: number, usual: number, about: string]

const COLUMNS: readonly Column<Weight>[] = [
  ['What counts', ([name]) => name],
  ['Now', ([, now]) => percent(now), 'number'],
  ['By default', ([, , usual]) => percent(usual), 'number'],
  ['Meaning', ([, , , about]) => <span class="quiet">{about}</span>],
]

const weightsOf = ({ recency, priority, default: usual }: GetSearchBalanceResult): Weight[] => [
  ['Age', recency, usual.recency, 'A memory of today counts so much more than a very old one.'],
  ['Priority', priority, usual.priority, 'High priority counts so much more than medium, and low so much less.'],
]

const OUTCOMES: Readonly<Record<string, string>> = {
  KEPT: 'A better balance was found then, and is used.',
  NOT_BETTER: 'No balance was found that orders results better, so nothing changed.',
  TOO_FEW: 'There was too little feedback to learn from.',
}

function Learned({
  balance: { fitted_at, signals, effect, checked_at, outcome },
}: {
  balance: GetSearchBalanceResult
}) {
  return (
    <>
      {fitted_at === null && <p>This is the default: nothing has been learned yet.</p>}
      {fitted_at !== null && (
        <p>
          Learned <Time at={fitted_at} /> from {counted(signals, 'signal', 'signals')} of feedback.
        </p>
      )}
      {effect && (
        <p>
          On {counted(effect.queries, 'query', 'queries')} that it was not learned from, {percent(effect.after)} of the
          judged pairs of results are in the right order; with the balance of before, {percent(effect.before)} were.
        </p>
      )}
      {checked_at !== null && (
        <p class="quiet">
          Last checked <Time at={checked_at} />. {OUTCOMES[outcome ?? '']}
        </p>
      )}
    </>
  )
}
