import { expect, test } from 'bun:test'
import { type Embedder, EmbedderInputError } from 'mneme/plugin'
import { askEmbedder } from './model-records.ts'

const failing = (error: Error): Embedder => ({
  modelId: 'fails',
  dimensions: 3,
  embed: () => Promise.reject(error),
  ready: () => Promise.resolve(),
})

test('a model that replies too late is unavailable, and its error names the cause', async () => {
  const late = new DOMException('The operation timed out.', 'TimeoutError')
  await expect(askEmbedder(failing(late), ['tea'], {})).rejects.toMatchObject({
    name: 'EmbedderUnavailableError',
    cause: late,
  })
})

test('errors about texts stay what they are', async () => {
  const refused = new EmbedderInputError('the text is too long', 0)
  await expect(askEmbedder(failing(refused), ['tea'], {})).rejects.toBe(refused)
})
