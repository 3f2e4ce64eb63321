import { filedByHints, type Hints } from 'text-reader/facts/kinds'
import { STATEMENT_CATEGORIES, type StatementCategory } from '../contract.ts'
import type { Categorize } from './local-extractor.ts'

/**
 * Vectors of length 1, one for each text, in order; null where the model knows nothing of a text. `workspaceId` is whose texts they
 * are: undefined for the examples, which are nobody's.
 */
export type Embed = (
  texts: readonly string[],
  about: { readonly workspaceId: string | undefined; readonly signal: AbortSignal },
) => Promise<readonly (Float32Array | null)[]>

/**
 * Sentences as they would stand under each category, of many kinds and in several languages: a statement is nearer to such a
 * sentence than to a category's name. Those under `general` keep what is none of the others, and what the model cannot read,
 * from being filed by its mere form.
 */
const EXAMPLES: Readonly<Record<StatementCategory, readonly string[]>> = {
  tech_stack: [
    'The database runs on Postgres.',
    'We write the backend in TypeScript.',
    'The build and the tests run on the server.',
    'The website is hosted on AWS in us-east-1.',
    'Logs are written as JSON and kept for two weeks.',
    'The new version fixes a crash in the parser.',
    'We replaced the old framework with React.',
    'API keys and passwords are stored encrypted.',
    'My laptop has 32 GB of memory and an external screen.',
    'Wir benutzen Docker und Linux auf dem Server.',
    'La aplicación usa Python y MySQL.',
    'Notre application tourne sur Kubernetes.',
  ],
  preferences: [
    'I like spicy food and quiet places.',
    'I prefer the window seat.',
    'My favourite colour is green.',
    'I take my tea with milk and no sugar.',
    'I cannot stand loud music.',
    'I am a fan of old films.',
    'I avoid working at weekends.',
    'Ich trinke gerne Kaffee und mag keine Pilze.',
    'Me encanta la música clásica.',
    "J'adore le chocolat et je déteste le bruit.",
  ],
  work_context: [
    'The project deadline is on Friday.',
    'I work as an engineer at a company.',
    'The client wants a weekly report.',
    'Our team lead is on parental leave.',
    'The company hired a new director and two interns.',
    'He quit his job and joined a competitor.',
    'She is responsible for sales and marketing.',
    'The budget for the next quarter was cut.',
    'I work from home and have shifts on weekends.',
    'The weekly meeting with the customer was moved.',
    'Ich arbeite als Ärztin in einer Klinik.',
    'Trabajo en una oficina del centro.',
    'Je travaille comme professeur dans un lycée.',
  ],
  communication_style: [
    'Please keep answers short.',
    'Answer me in German.',
    'Do not use emojis in messages.',
    'Explain it step by step with examples.',
    'I would rather get an email than a phone call.',
    'Use a formal tone and address me by my first name.',
    'Antworte bitte kurz und auf Deutsch.',
    'Responde siempre en español.',
    'Réponds en français, avec des phrases courtes.',
  ],
  personal: [
    'I am allergic to peanuts.',
    'My birthday is in July.',
    'I live in a small flat in the city.',
    'I have high blood pressure and take pills for it.',
    'I go running three times a week.',
    'I speak Italian and a bit of Polish.',
    'My car is an old Volvo.',
    'We have a dog and two rabbits.',
    'I do not eat meat and never drink wine.',
    'I grew up in a village near the sea.',
    'I play the piano in my free time.',
    'I had surgery on my knee last year.',
    'I stopped smoking and sleep better now.',
    'My phone number and my address have changed.',
    'Ich bin vierzig Jahre alt und wohne in Bremen.',
    'Tengo diabetes y vivo en Lima.',
    "J'ai trente ans et j'habite à Nice.",
  ],
  relationships: [
    'My sister and her husband have a baby.',
    'She is my best friend.',
    'We are getting married.',
    'My father lives with my brother.',
    'My neighbour looks after the children.',
    'My doctor is Ms Berg.',
    'My girlfriend and I met at school.',
    'They split up after ten years together.',
    'Meine Frau und meine Kinder heißen Eva, Tim und Lea.',
    'Mi hermano y mi madre viven juntos.',
    "Mon mari s'appelle Luc.",
  ],
  goals: [
    'I want to run a marathon next year.',
    'My goal is to learn Italian.',
    'I am saving up for a house.',
    'I hope to travel to Peru one day.',
    'I am taking lessons to learn the guitar.',
    'I am training for a race in autumn.',
    'I have to finish my thesis before summer.',
    'We are planning to open a second shop.',
  ],
  general: [
    'The shop opens at nine and closes at six.',
    'The train leaves from platform two.',
    'I lost my umbrella yesterday.',
    'I bought a lamp and a table last week.',
    'It snowed all day in the mountains.',
    'We visited a castle during the holidays.',
    'The village lies between two rivers.',
    'The recipe needs flour and butter.',
    'Someone left a bag in the hall.',
    'Der Bus fährt um acht Uhr ab.',
    'La tienda cierra los lunes.',
    'Le musée est fermé le mardi.',
    'これは短い文です。',
    '这是一个句子。',
    '이것은 문장입니다.',
    'Это короткое предложение.',
    'هذه جملة قصيرة.',
  ],
}

/** Below it a statement is not like any of the examples. */
const LIKENESS_MIN = 0.2
const EXAMPLES_TIMEOUT_MS = 60_000

interface Example {
  readonly category: StatementCategory
  readonly vector: Float32Array
}

/**
 * Files sentences by how near their vectors are to examples of each category, together with what their facts and words hint at; far from
 * all examples and without a hint they are `general`. A vector that comes with a sentence is taken for its own.
 */
export function createZeroShot(embed: Embed): Categorize {
  let examples: Promise<readonly Example[]> | undefined
  return async (sentences, { workspaceId, signal }) => {
    examples ??= embedExamples(embed)
    // A failed load may succeed with the next sentences.
    examples.catch(() => {
      examples = undefined
    })
    const known = await examples
    const length = known[0]?.vector.length
    const without = sentences.filter(({ vector }) => vector?.length !== length)
    const texts = without.map(({ text }) => text)
    const embedded = texts.length > 0 ? await embed(texts, { workspaceId, signal }) : []
    const vectors = new Map(without.map((sentence, i) => [sentence, embedded[i]]))
    return sentences.map(sentence => {
      const vector = vectors.has(sentence) ? vectors.get(sentence) : sentence.vector
      return nearest(vector, sentence.hints, known)
    })
  }
}

/** For every text to come, so nobody's signal ends it. */
async function embedExamples(embed: Embed): Promise<readonly Example[]> {
  const flat = STATEMENT_CATEGORIES.flatMap(category => EXAMPLES[category].map(text => ({ category, text })))
  const signal = AbortSignal.timeout(EXAMPLES_TIMEOUT_MS)
  const vectors = await embed(
    flat.map(({ text }) => text),
    { workspaceId: undefined, signal },
  )
  return flat.flatMap(({ category }, i) => {
    const vector = vectors[i]
    return vector ? [{ category, vector }] : []
  })
}

function nearest(
  vector: Float32Array | null | undefined,
  hints: Hints,
  examples: readonly Example[],
): { category: StatementCategory; confidence: number } {
  const { weights, areAll } = hints
  let best = { category: filedByHints(hints), confidence: weights.size > 0 ? 0 : LIKENESS_MIN }
  if (!vector) return best
  for (const example of examples) {
    const { category } = example
    // Words that hint at a subject tell that there is one.
    if (areAll ? !weights.has(category) : weights.size > 0 && category === 'general') continue
    const confidence = Math.min(1, dot(vector, example.vector) + (weights.get(category) ?? 0))
    if (confidence > best.confidence) best = { category, confidence }
  }
  return best
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}
