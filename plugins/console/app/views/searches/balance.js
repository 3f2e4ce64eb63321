import { call } from '../../api.ts'
import { useData } from '../../data.ts'
import { Confirmed } from '../../forms.tsx'
import { html } from '../../library.js'
import { Card, Loaded, Table, Time } from '../../parts.tsx'
import { counted } from '../memories/texts.ts'

const QUESTION =
  'Results are weighed by the default again. The balance that was learned is lost, and learned anew from future feedback.'

/** Shows how much the age and the priority of memories count beside how well they fit. */
export function Balance() {
  const balance = useData('/v1/search/balance')
  const reset = async () => {
    await call('DELETE', '/v1/search/balance')
    await balance.reload()
  }
  return html`<${Card} title="Ranking balance">
    <p class="quiet">
      Results are ordered by how well they fit the query; new memories and those of high priority come a little
      earlier. How much earlier is learned from feedback that names the search it is about.
    </p>
    <${Loaded} from=${balance}>
      ${data => html`
        <${Weights} balance=${data} />
        <${Learned} balance=${data} />
        ${
          data.fitted_at !== null &&
          html`<${Confirmed}
            label="Reset the balance"
            question=${QUESTION}
            act=${reset}
          />`
        }
      `}
    <//>
  <//>`
}

const COLUMNS = [
  { title: 'What counts', cell: ({ name }) => name },
  { title: 'Now', cell: ({ now }) => now, isNumber: true },
  { title: 'By default', cell: ({ usual }) => usual, isNumber: true },
  { title: 'Meaning', cell: ({ about }) => html`<span class="quiet">${about}</span>` },
]

function Weights({ balance: { recency, priority, default: usual } }) {
  const rows = [
    {
      name: 'Age',
      now: percent(recency),
      usual: percent(usual.recency),
      about: 'A memory of today counts so much more than a very old one.',
    },
    {
      name: 'Priority',
      now: percent(priority),
      usual: percent(usual.priority),
      about: 'High priority counts so much more than medium, and low so much less.',
    },
  ]
  return html`<${Table} label="Ranking balance" columns=${COLUMNS} rows=${rows} keyOf=${({ name }) => name} />`
}

const OUTCOMES = {
  KEPT: 'A better balance was found then, and is used.',
  NOT_BETTER: 'No balance was found that orders results better, so nothing changed.',
  TOO_FEW: 'There was too little feedback to learn from.',
}

function Learned({ balance: { fitted_at, signals, effect, checked_at, outcome } }) {
  return html`
    ${
      fitted_at === null
        ? html`<p>This is the default: nothing has been learned yet.</p>`
        : html`<p>Learned <${Time} at=${fitted_at} /> from ${counted(signals, 'signal', 'signals')} of feedback.</p>`
    }
    ${
      effect !== null &&
      html`<p>
        On ${counted(effect.queries, 'query', 'queries')} that it was not learned from, ${percent(effect.after)} of the
        judged pairs of results are in the right order; with the balance of before, ${percent(effect.before)} were.
      </p>`
    }
    ${
      checked_at !== null &&
      html`<p class="quiet">Last checked <${Time} at=${checked_at} />. ${OUTCOMES[outcome] ?? ''}</p>`
    }
  `
}

const percent = share => `${(share * 100).toLocaleString('en', { maximumFractionDigits: 1 })} %`
