import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  FAKE_CLAUDE_KEY,
  FAKE_CLAUDE_URL,
  FakeClaude,
  message,
} from '../../../../core/models/language/claude/fake-claude.test-support.ts'
import { createLanguageModel } from '../../../../core/models/language/create-language-model.ts'
import { Witness } from '../../../../core/models/language/language-model.conformance.ts'
import { endingsOf, expectSound, factsOf, memoryOf } from '../extractor.conformance.ts'
import { createLocalExtractor } from '../local-extractor.ts'
import { createModelExtractor } from './model-extractor.ts'
import { type Told, told } from './told.test-support.ts'

const MODEL = 'claude/claude-haiku-5-5'
const TEXT = 'Ada Okafor works at Northwind Labs. I got laid off.'
const claude = new FakeClaude()
beforeAll(() => claude.start())
afterAll(() => claude.stop())

const GOOD: Told = {
  entities: [
    ['Ada Okafor', 'PERSON'],
    ['Northwind Labs', 'ORGANIZATION'],
  ],
  relations: [['Ada Okafor', 'WORKS_AT', 'Northwind Labs', 'works at Northwind Labs']],
  endings: [['USER', 'WORKS_AT', null, 'I got laid off']],
}
const FOUND = [['Ada Okafor WORKS_AT Northwind Labs'], ['@user WORKS_AT *']]

async function read(text: string, witness = new Witness()) {
  const model = await createLanguageModel(
    { kind: 'claude', apiKey: FAKE_CLAUDE_KEY, model: 'claude-haiku-5-5', url: FAKE_CLAUDE_URL, retryDelayMs: 5 },
    witness,
  )
  const memory = memoryOf(text)
  const extractor = createModelExtractor({ model, fallback: createLocalExtractor() })
  const [extraction] = await extractor.extract('w', [memory], AbortSignal.timeout(30_000))
  await model.close()
  if (!extraction) throw new Error('no extraction')
  expectSound(memory, extraction)
  return extraction
}

const good = told(0, GOOD)
const [ending] = good.endings
test.each<[string, unknown]>([
  ['endings of another form among good ones', { ...good, endings: [{ type: 'WORKS_AT' }, null, 'all', ending] }],
  ['endings of unknown kinds', { ...good, endings: [{ ...ending, type: 'EVERYTHING' }, ending] }],
  ['a relation of another form', { ...good, relations: [...good.relations, { source: 7, quote: null }] }],
  ['lists left out', { n: 0, entities: good.entities, relations: good.relations, endings: good.endings }],
  ['fields of its own', { ...good, thoughts: 'hm', endings: [{ ...ending, delete: true }] }],
  [
    'numbers in quotes',
    { ...good, n: '0', entities: good.entities.map(one => ({ ...one, confidence: String(one.confidence) })) },
  ],
  ['a list written as a text', { ...good, entities: JSON.stringify(good.entities) }],
  ['a second answer of the same memory', [good, told(0, {})]],
])('%s cost nothing else', async (_, answer) => {
  claude.respond(() => ({ memories: [answer].flat() }))
  const extraction = await read(TEXT)
  expect(extraction.extractedBy).toBe(MODEL)
  expect([factsOf(extraction), endingsOf(extraction)]).toEqual(FOUND)
  expect(claude.requests).toHaveLength(1)
})

test('of two calls of the tool the first counts', async () => {
  const call = (input: unknown) => ({ type: 'tool_use', id: 'toolu_1', name: 'answer', input })
  const other = { memories: [told(0, { ...GOOD, relations: [] })] }
  claude.respond(() => message([call({ memories: [good] }), call(other)], 'tool_use'))
  expect(factsOf(await read(TEXT))).toEqual(['Ada Okafor WORKS_AT Northwind Labs'])
})

test.each<[string, Told]>([
  ['nothing at all', {}],
  ['nothing that the text bears out', { entities: [['Globex', 'ORGANIZATION']], statements: ['I own Globex.'] }],
])('where a model says %s, what the local extractor finds is not lost', async (_, answer) => {
  claude.respond(() => ({ memories: [told(0, answer)] }))
  const extraction = await read(TEXT)
  expect(extraction).toMatchObject({ extractedBy: 'local' })
  expect(extraction.provisional).toBeUndefined()
  expect([factsOf(extraction), endingsOf(extraction)]).toEqual(FOUND)
})

test('where neither finds anything, or the model sentences alone, the reading is that of the model', async () => {
  claude.respond(() => ({ memories: [told(0, {})] }))
  expect(await read('Hmm, well.')).toMatchObject({ extractedBy: MODEL, entities: [], relations: [], statements: [] })
  claude.respond(() => ({ memories: [told(0, { statements: ['In the novel Ada Okafor works at Acme.'] })] }))
  expect(await read('In the novel Ada Okafor works at Acme.')).toMatchObject({ extractedBy: MODEL, relations: [] })
})

test('tokens are counted once an answer, whether it is of use or not', async () => {
  const witness = new Witness()
  claude.respond((_, attempt) => (attempt === 1 ? { memories: 'none' } : { memories: [good] }))
  await read(TEXT, witness)
  expect(witness.tokensCounted).toHaveLength(2)
  claude.respond(() => message([], 'refusal', { input_tokens: 70, output_tokens: 3 }))
  const refused = new Witness()
  await read(TEXT, refused)
  expect(refused.tokensCounted.map(({ input, output }) => [input, output])).toEqual([[70, 3]])
})
