/**
 * `mneme/testing`: a service for the tests of a plugin, for any test runner on Bun or Deno.
 *
 *     const service = await startTestService({ plugins: [plugin] })
 *     const { client } = await service.account()
 *     const made = await client.post('/v1/x/notes/notes', { text: 'Milk' })
 *     await service.jobsDone()
 *     await service.stop()
 */

export type { Network } from '../../core/outgoing/network.ts'
export type { AccountOptions, KeyOptions, TestAccount } from './accounts.ts'
export type { Answer, Client, Json, RequestOptions } from './client.ts'
export type { JobsDoneOptions } from './jobs.ts'
export { startTestService, type TestService, type TestServiceOptions } from './service.ts'
export { until } from './wait.ts'
