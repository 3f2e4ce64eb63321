import { expect, test } from 'bun:test'
import { errorBody, fail, statusText } from './errors.ts'

test('every status has its standard text, also those that only plugins respond with', () => {
  const texts = [402, 404, 413, 423, 424, 502, 504].map(statusText)
  expect(texts).toEqual([
    'Payment Required',
    'Not Found',
    'Payload Too Large',
    'Locked',
    'Failed Dependency',
    'Bad Gateway',
    'Gateway Timeout',
  ])
  expect(statusText(599)).toBe('Error')
})

test('a message that quotes what a caller sent goes out in part', () => {
  const { message } = errorBody(fail('NOT_FOUND', { message: `Nothing is called ${'x'.repeat(1_000_000)}.` }))
  expect(message).toMatch(/^Nothing is called x{1900,2000}…$/)
})
