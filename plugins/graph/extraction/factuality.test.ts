import { expect, test } from 'bun:test'
import { noLanguageModel } from '../../../core/models/language/language-model.ts'
import { memoryOf } from './extractor.conformance.ts'
import { openExtractor } from './open-extractor.ts'

const nowhere = {
  modelId: 'test/nowhere',
  dimensions: 1,
  embed: async (texts: readonly string[]) => texts.map(() => ({ vector: null, tokens: 1 })),
  ready: async () => undefined,
}

async function toldIn(text: string): Promise<string[]> {
  const extractor = openExtractor({ language: noLanguageModel, embedder: nowhere, log: { warn: () => undefined } })
  const [read] = await extractor.extract('w', [memoryOf(text)], new AbortController().signal)
  return (read?.relations ?? []).map(({ type, target }) => `${type} ${read?.entities[target]?.name}`)
}

test.each([
  'My boss thinks I live in Rome.',
  'It is not true that I work at Oracle.',
  'I almost married Tom.',
  'They are convinced that I work at Nestlé.',
  'If I worked at Shell, I would live in Rotterdam.',
  'Were I employed by Maersk, I would see some ships.',
  'In the novel that I write, I work at Interpol.',
  'Translate this for me: "I work at Siemens."',
  'According to the papers, I live in Lagos.',
  'Meine Nachbarn glauben, dass ich in Wien wohne.',
  'Mi jefe cree que vivo en Roma.',
])('no fact is drawn from %s', async text => {
  expect(await toldIn(text)).toEqual([])
})

test.each([
  ['My boss, who thinks highly of me, knows that I live in Rome.', 'LIVES_IN Rome'],
  ['If you ask me, I live in the best city: I live in Porto.', 'LIVES_IN Porto'],
  ['I am glad that I work at Oracle.', 'WORKS_AT Oracle'],
  ['They say one should wait, but I married Tom in May.', 'MARRIED_TO Tom'],
  ['I think my sister lives in Lima, and I work at Shell.', 'WORKS_AT Shell'],
  ['I work at a game studio and live in Kraków.', 'LIVES_IN Kraków'],
  ['Ich wohne in Wien, und meine Nachbarn glauben, dass ich viel reise.', 'LIVES_IN Wien'],
])('a fact is drawn from %s', async (text, fact) => {
  expect(await toldIn(text)).toContain(fact)
})
