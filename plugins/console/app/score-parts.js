const PARTS = [
  ['meaning', 'Near in meaning'],
  ['words', 'Weight of the words'],
  ['coverage', 'Share of the words of the query'],
  ['proximity', 'Words close together'],
  ['entities', 'People and things of the query'],
]

/** Returns what speaks for a memory, each part by its weight; keyword searches leave some parts out. */
export function evidenceOf({ evidence, weights, neighbours, session }) {
  const counted = PARTS.filter(([part]) => weights[part] !== 0)
  const own = counted.map(([part, name]) => ({ name, value: evidence[part] * weights[part] }))
  const around = neighbours.reduce((sum, { weight, evidence: theirs }) => sum + weight * theirs, 0)
  return [
    ...own,
    ...(neighbours.length > 0 ? [{ name: 'Memories next to it in the session', value: around }] : []),
    ...(session === null ? [] : [{ name: 'Its session as a whole', value: session.weight * session.evidence }]),
  ]
}

const FACTORS = [
  ['speaker', 'Someone other than the person in the query says it'],
  ['asking', 'It only asks a question'],
  ['answer', 'It holds the kind of answer the query asks for'],
  ['time', 'How its time fits the time of the query'],
  ['validity', 'It is no longer true'],
]

/** Returns what raised or lowered the evidence, without what left it as it was. */
export function effectsOf({ factors, feedback, recency, priority, balance }) {
  const multiplied = FACTORS.filter(([factor]) => factors[factor] !== 1).map(([factor, name]) => ({
    name,
    effect: changed(factors[factor] - 1),
  }))
  const moved = [
    { name: 'Its priority', change: balance.priority * priority },
    { name: 'How new it is', change: balance.recency * recency },
  ]
  return [
    ...multiplied,
    ...(feedback === 0
      ? []
      : [{ name: 'Feedback for this query and similar ones, from −1 to 1', effect: signed(feedback) }]),
    ...moved.filter(({ change }) => change !== 0).map(({ name, change }) => ({ name, effect: changed(change) })),
  ]
}

/** Returns sentences about what else decided. */
export function factsOf({ replaces, lifted, ceiling, ranks, cosine, passage, entities, rerank }) {
  return [
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
  ].filter(Boolean)
}

function rerankedBy({ model, score, rank }) {
  const before = rank === undefined ? '' : ` Before, it was in place ${rank}.`
  return score === null
    ? `The reranker ${model} did not judge it.${before}`
    : `The reranker ${model} gave it ${score.toFixed(3)}.${before}`
}

const PERCENT = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' })
const SIGNED = new Intl.NumberFormat('en', { maximumFractionDigits: 2, signDisplay: 'exceptZero' })

const changed = change => PERCENT.format(change)
const signed = number => SIGNED.format(number)
