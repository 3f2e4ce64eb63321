import assert from 'node:assert/strict'
import { createOutgoingClient, type OutgoingClient } from '../client.ts'
import { type Internet, openInternet } from '../internet.test-support.ts'
import { OutgoingError, type OutgoingErrorCode } from '../outgoing-error.ts'

/** Describes one behaviour of the client. It is bound to no test runner, so that each runtime runs the same cases. */
export interface ClientCase {
  readonly name: string
  run(world: { readonly client: OutgoingClient; readonly internet: Internet }): Promise<void>
}

export async function runCase({ run }: ClientCase): Promise<void> {
  const internet = openInternet()
  const client = createOutgoingClient({ allowPrivateNetworks: false, network: internet.network })
  try {
    await run({ client, internet })
    assert.deepEqual(client.load(), { open: 0, waiting: 0 }, 'a connection was left open')
  } finally {
    client.close()
    await internet.reset()
  }
}

/** Returns the error that the work fails with, which has to have the code, and to name no address. */
export async function failsWith(code: OutgoingErrorCode, work: Promise<unknown>): Promise<OutgoingError> {
  const error = await work.then(
    () => assert.fail(`it did not fail with ${code}`),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof OutgoingError)) throw error
  assert.equal(error.code, code, error.message)
  assert.doesNotMatch(error.message, /\d+\.\d+\.\d+\.\d+|::|errno|E[A-Z]{5,}/)
  return error
}
