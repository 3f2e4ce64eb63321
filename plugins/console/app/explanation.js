import { Bars } from './bars.js'
import { html } from './library.js'
import { Table } from './parts.tsx'
import { effectsOf, evidenceOf, factsOf } from './score-parts.js'

/** Shows the parts of a score: the evidence as bars, then what raised or lowered it, then the words found. */
export function Explanation({ explanation }) {
  const evidence = evidenceOf(explanation)
  const most = Math.max(...evidence.map(({ value }) => Math.abs(value)), Number.EPSILON)
  const rows = evidence.map(({ name, value }) => ({
    key: name,
    name,
    share: value / most,
    text: value.toFixed(2),
  }))
  const effects = effectsOf(explanation)
  return html`
    <h3>The evidence</h3>
    <${Bars} label="Parts of the evidence" rows=${rows} />
    <h3>Raised or lowered by</h3>
    ${
      effects.length === 0
        ? html`<p class="quiet">Nothing moved it: the evidence alone made the score.</p>`
        : html`<${Table}
            label="What raised or lowered the score"
            columns=${EFFECTS}
            rows=${effects}
            keyOf=${({ name }) => name}
          />`
    }
    <${Words} terms=${explanation.terms} />
    <${Facts} facts=${factsOf(explanation)} />
  `
}

const EFFECTS = [
  { title: 'Because', cell: ({ name }) => name },
  { title: 'Effect', cell: ({ effect }) => effect, isNumber: true },
]

const TERMS = [
  { title: 'Word stem of the query', cell: ({ term }) => html`<span dir="auto">${term}</span>` },
  { title: 'Found as', cell: ({ matched }) => html`<span dir="auto">${matched.join(', ')}</span>` },
  { title: 'Times', cell: ({ occurrences }) => occurrences, isNumber: true },
  { title: 'Memories with it', cell: ({ documents }) => documents.toLocaleString('en'), isNumber: true },
  { title: 'Weight', cell: ({ weight }) => weight.toFixed(2), isNumber: true },
]

function Words({ terms }) {
  return html`
    <h3>Words of the query that it contains</h3>
    ${
      terms.length === 0
        ? html`<p class="quiet">It contains none of them.</p>`
        : html`<${Table}
            label="Words of the query in the memory"
            columns=${TERMS}
            rows=${terms}
            keyOf=${({ term }) => term}
          />`
    }
  `
}

function Facts({ facts }) {
  if (facts.length === 0) return null
  return html`
    <h3>More about it</h3>
    <ul>${facts.map(fact => html`<li key=${fact} dir="auto">${fact}</li>`)}</ul>
  `
}
