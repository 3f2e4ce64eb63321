import { expect, test } from 'bun:test'
import { createOutgoingClient } from '../../../core/outgoing/client.ts'
import { openInternet, PUBLIC } from '../../../core/outgoing/internet.test-support.ts'
import { stepWorld } from './step-world.test-support.ts'

const page = (sourceUrl: string) =>
  ({ format: 'URL', contentFormat: null, fileName: null, sourceUrl, sizeBytes: null }) as const

test('a page whose host refuses connections, or is not known, fails its job after three tries', async () => {
  const { network } = openInternet()
  const outgoing = createOutgoingClient({ allowPrivateNetworks: false, network })
  const { step, submit } = await stepWorld({ outgoing })
  for (const url of [`http://${PUBLIC}/page`, 'http://nowhere.example/page']) {
    const id = await submit(page(url))
    for (const attempt of [1, 2]) {
      const { outcome, job } = await step(id, undefined, attempt)
      expect(outcome).toMatchObject({ kind: 'continue', isRetry: true })
      expect(job).toMatchObject({ status: 'PROCESSING', stage: 'fetch' })
    }
    const { outcome, job } = await step(id, undefined, 3)
    expect(outcome).toEqual({ kind: 'over' })
    expect(job).toMatchObject({ status: 'FAILED', errorCode: 'PAGE_UNREACHABLE' })
  }
})
