import type { ScoreExplanation, ScoreExplanationTerm } from '@mneme/client'
import { Bars } from './chart.tsx'
import { type Column, Table, told } from './parts.tsx'

type Named<Name extends string> = readonly (readonly [part: Name, told: string])[]

const PARTS: Named<keyof ScoreExplanation['evidence'] & keyof ScoreExplanation['weights']> = [
  ['meaning', 'Near in meaning'],
  ['words', 'Weight of the words'],
  ['coverage', 'Share of the words of the query'],
  ['proximity', 'Words close together'],
  ['entities', 'People and things of the query'],
]

/** What speaks for a memory, each part by its weight; keyword searches leave some parts out. */
function evidenceOf({ evidence, weights, neighbours, session }: ScoreExplanation): [name: string, value: number][] {
  const counted = PARTS.filter(([part]) => weights[part] !== 0)
  const around = neighbours.reduce((sum, { weight, evidence: theirs }) => sum + weight * theirs, 0)
  return [
    ...counted.map(([part, name]): [string, number] => [name, evidence[part] * weights[part]]),
    ...(neighbours.length > 0 ? [['Memories next to it in the session', around] as [string, number]] : []),
    ...(session ? [['Its session as a whole', session.weight * session.evidence] as [string, number]] : []),
  ]
}

const FACTORS: Named<keyof ScoreExplanation['factors']> = [
  ['speaker', 'Someone other than the person in the query says it'],
  ['asking', 'It only asks a question'],
  ['answer', 'It holds the kind of answer the query asks for'],
  ['time', 'How its time fits the time of the query'],
  ['validity', 'It is no longer true'],
]

type Effect = readonly [cause: string, effect: string]

const signed = (number: number, style: 'percent' | 'decimal' = 'percent') =>
  number.toLocaleString('en', { style, maximumFractionDigits: style === 'percent' ? 1 : 2, signDisplay: 'exceptZero' })

/** What raised or lowered the evidence, without what left it as it was. */
function effectsOf({ factors, feedback, recency, priority, balance }: ScoreExplanation): Effect[] {
  const moved = [
    ...FACTORS.map(([factor, name]) => [name, factors[factor] - 1] as const),
    ['Its priority', balance.priority * priority] as const,
    ['How new it is', balance.recency * recency] as const,
  ]
  const rated: Effect = ['Feedback for this query and similar ones, from −1 to 1', signed(feedback, 'decimal')]
  const changes = moved.filter(([, change]) => change !== 0).map(([name, change]): Effect => [name, signed(change)])
  return feedback === 0 ? changes : [...changes, rated]
}

/** Sentences about what else decided. */
function factsOf(explanation: ScoreExplanation): string[] {
  const { replaces, lifted, ceiling, ranks, cosine, passage, entities, rerank } = explanation
  const facts = [
    replaces && 'It replaces what another memory said before, and counts at least as much as that one.',
    lifted && 'Its score was raised, as it is the first result and contains every word of the query.',
    ceiling !== null &&
      `It comes after the best results, which are ranked first, so its score is ${ceiling.toFixed(2)} at most.`,
    ranks.words !== null && `By its words alone it is in place ${ranks.words}.`,
    ranks.meaning !== null && `By its meaning alone it is in place ${ranks.meaning}.`,
    cosine !== null && `Its meaning and that of the query have a cosine of ${cosine.toFixed(3)}.`,
    passage &&
      `Of its ${passage.of} passages the nearest goes from about character ${passage.start} to ${passage.end}.`,
    entities.length > 0 && `These names of the query lead to it: ${entities.join(', ')}.`,
    rerank && rerankedBy(rerank),
  ]
  return facts.filter(fact => typeof fact === 'string')
}

function rerankedBy({ model, score, rank }: NonNullable<ScoreExplanation['rerank']>): string {
  const before = rank === undefined ? '' : ` Before, it was in place ${rank}.`
  return score === null
    ? `The reranker ${model} did not judge it.${before}`
    : `The reranker ${model} gave it ${score.toFixed(3)}.${before}`
}

const EFFECTS: readonly Column<Effect>[] = [
  ['Because', ([cause]) => cause],
  ['Effect', ([, effect]) => effect, 'number'],
]

const TERMS: readonly Column<ScoreExplanationTerm>[] = [
  ['Word stem of the query', ({ term }) => <bdi>{term}</bdi>],
  ['Found as', ({ matched }) => <bdi>{matched.join(', ')}</bdi>],
  ['Times', ({ occurrences }) => occurrences, 'number'],
  ['Memories with it', ({ documents }) => told(documents), 'number'],
  ['Weight', ({ weight }) => weight.toFixed(2), 'number'],
]

/** Shows the parts of a score: the evidence as bars, then what raised or lowered it, then the words found. */
export function Explanation({ explanation }: { readonly explanation: ScoreExplanation }) {
  const evidence = evidenceOf(explanation)
  const most = Math.max(...evidence.map(([, value]) => Math.abs(value)), Number.EPSILON)
  const rows = evidence.map(([name, value]) => ({ key: name, name, share: value / most, text: value.toFixed(2) }))
  const effects = effectsOf(explanation)
  const facts = factsOf(explanation)
  const { terms } = explanation
  return (
    <>
      <h3>The evidence</h3>
      <Bars label="Parts of the evidence" rows={rows} />
      <h3>Raised or lowered by</h3>
      <Table
        label="What raised or lowered the score"
        columns={EFFECTS}
        rows={effects}
        keyOf={([cause]) => cause}
        none="Nothing moved it: the evidence alone made the score."
      />
      <h3>Words of the query that it contains</h3>
      <Table
        label="Words of the query in the memory"
        columns={TERMS}
        rows={terms}
        keyOf={({ term }) => term}
        none="It contains none of them."
      />
      {facts.length > 0 && <h3>More about it</h3>}
      <ul>
        {facts.map(fact => (
          <li key={fact} dir="auto">
            {fact}
          </li>
        ))}
      </ul>
    </>
  )
}
