/**
 * `mneme/testing`: a service for the tests of a plugin, for any test runner on Bun or Deno.
 *
 *     const service = await startTestService({ plugins: [plugin] })
 *     const { client } = await service.account()
 *     const { body } = await client.call(addNoteRoute, { body: { text: 'Milk' } })
 *     await service.jobsDone()
 *     await service.stop()
 */

export type { Network } from '../../core/outgoing/network.ts'
export type { AccountOptions, KeyOptions, TestAccount } from './accounts.ts'
export type { CallInput, CallResponse, Endpoint, FileInput } from './call.ts'
export type { Client, ClientResponse, Json, RequestOptions } from './client.ts'
export type { JobsDoneOptions } from './jobs.ts'
export { startTestService, type TestService, type TestServiceOptions } from './service.ts'
export { until } from './wait.ts'
