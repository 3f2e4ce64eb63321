import { Link } from '../../app/address.js'
import { html } from '../../app/library.js'
import { Table } from '../../app/parts.js'
import { counted, figure, partOf } from './texts.js'

const EVIDENCE = {
  words: 'Rare words in common',
  coverage: 'Share of the words',
  proximity: 'Words close together',
  meaning: 'Meaning',
  entities: 'Names',
}

/** The parts of the score of one result: what speaks for it, and what multiplied that. */
export function Explanation({ memory }) {
  const { explanation } = memory
  const parts = partsOf(explanation)
  const most = Math.max(...parts.map(({ adds }) => adds), 0.01)
  const bar = ({ adds }) => html`<${Bar} share=${Math.max(0, adds) / most} />`
  const facts = factsOf(memory).filter(([, value]) => value)
  return html`<div class="stack">
    <${Table} label="Evidence" columns=${[...COLUMNS, { title: 'Share', cell: bar }]} rows=${parts} />
    <dl class="facts">${facts.map(([name, value]) => html`<dt key=${name}>${name}</dt><dd>${value}</dd>`)}</dl>
  </div>`
}

const COLUMNS = [
  { title: 'Evidence', cell: ({ title }) => title },
  { title: 'Found', cell: ({ evidence }) => figure(evidence), isNumber: true },
  { title: 'Weight', cell: ({ weight }) => `× ${figure(weight)}`, isNumber: true },
  { title: 'Adds', cell: ({ adds }) => figure(adds), isNumber: true },
]

function Bar({ share }) {
  return html`<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
    <rect width=${100 * share} height="8" />
  </svg>`
}

function partsOf({ evidence, weights, neighbours, session }) {
  const own = Object.entries(EVIDENCE).map(([id, title]) => part(id, title, evidence[id], weights[id]))
  const before = neighbours.map(neighbour => {
    const side = neighbour.distance < 0 ? 'before' : 'after'
    const title = html`<${Link} to=${`/memories/${neighbour.memory_id}`}>A memory ${side} it in its session<//>`
    return part(neighbour.memory_id, title, neighbour.evidence, neighbour.weight)
  })
  if (session === null) return [...own, ...before]
  const title = html`<${Link} to=${`/memories/${session.memory_id}`}>The best other memory of its session<//>`
  return [...own, ...before, part('session', title, session.evidence, session.weight)]
}

const part = (id, title, evidence, weight) => ({ id, title, evidence, weight, adds: evidence * weight })

function factsOf({ memory, explanation }) {
  const { terms, entities, passage, cosine, replaces, lifted, ceiling, ranks, rerank } = explanation
  return [
    ['Words matched', terms.length > 0 && html`<ul>${terms.map(termItem)}</ul>`],
    ['Names matched', entities.length > 0 && html`<span dir="auto">${entities.join(', ')}</span>`],
    ['Nearest passage', passage && html`<${Passage} text=${memory} passage=${passage} />`],
    ['Likeness of meaning', cosine !== null && `The cosine of query and memory is ${figure(cosine)}.`],
    ['Replaces', replaces && html`<${Replaces} replaces=${replaces} />`],
    ['Multiplied by', multipliersOf(explanation).join(', ') || 'Nothing raises or lowers the evidence.'],
    ['Place by words', ranks.words],
    ['Place by meaning', ranks.meaning],
    ['Raised', lifted && 'It contains every word of the query, so it counts as highly relevant.'],
    ['Bounded', ceiling !== null && `It is ranked after the best results, and scores ${figure(ceiling)} at most.`],
    ['Reranked', rerank && rerankedBy(rerank)],
  ]
}

function termItem({ term, matched, occurrences, documents }) {
  const others = matched.filter(stem => stem !== term)
  return html`<li key=${term}>
    <b dir="auto">${term}</b>${others.length > 0 && html` as <span dir="auto">${others.join(', ')}</span>`}:${' '}
    ${counted(occurrences, 'time', 'times')} here, in ${counted(documents, 'memory', 'memories')} of the workspace
  </li>`
}

function Passage({ text, passage: { start, end, of, ...found } }) {
  const place = `Characters ${figure(start)} to ${figure(end)}, one of ${figure(of)} passages.`
  const cosine = `Its cosine is ${figure(found.cosine)}, of which ${figure(found.counted)} counts.`
  return html`<q dir="auto">${partOf(text, { start, end })}</q><br /><small class="quiet">${place} ${cosine}</small>`
}

function Replaces({ replaces: { memory_id, evidence } }) {
  const link = html`<${Link} to=${`/memories/${memory_id}`}>another memory<//>`
  return html`It holds in place of ${link}, whose evidence is ${figure(evidence)}.`
}

const FACTORS = {
  speaker: 'another speaker',
  asking: 'only asks',
  answer: 'kind of answer',
  time: 'time',
  validity: 'holds no more',
}

/** Tells what raised or lowered the evidence, in the order in which the formula of docs/search.md has it. */
function multipliersOf({ factors, feedback, balance, recency, priority }) {
  const changed = Object.entries(FACTORS).filter(([name]) => factors[name] !== 1)
  const share = (title, value) => (value === 0 ? [] : [`${title} ${figure(1 + value)}`])
  return [
    ...changed.map(([name, title]) => `${title} ${figure(factors[name])}`),
    ...share('feedback', FEEDBACK_WEIGHT * feedback),
    ...share('age and priority', balance.recency * recency + balance.priority * priority),
  ]
}

const FEEDBACK_WEIGHT = 0.6

function rerankedBy({ model, score, rank }) {
  const judged = score === null ? 'did not judge it' : `gave it ${figure(score)}`
  return `${model} ${judged}; it was number ${rank} before.`
}
