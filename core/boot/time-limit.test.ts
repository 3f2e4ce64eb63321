import { expect, test } from 'bun:test'
import { createLog } from '../log.ts'
import { withinLimit } from './time-limit.ts'

test('a limit that is the rest of a time is told in few digits', async () => {
  const never = new Promise<never>(() => undefined)
  const limit = { noticeMs: 60_000, limitMs: 14.8930493 }
  await expect(withinLimit('plugin slow: stop', never, limit, createLog('silent'))).rejects.toThrow(
    /^plugin slow: stop did not end within 0\.0149 s$/,
  )
})
