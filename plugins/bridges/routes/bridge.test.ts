import { expect, test } from 'bun:test'
import { service, startService } from '../../../test/support/service.ts'

test('a bridge that no setting names is off', async () => {
  const { client } = await (await service()).account()
  const { status, body } = await client.get('/bridges/mem0/v1/ping/')
  expect([status, body.error_code, body.detail]).toEqual([404, 'BRIDGE_OFF', expect.stringContaining('`BRIDGES`')])
})

test('a setting that names what is no bridge ends the start', async () => {
  await expect(startService({ BRIDGES: 'mem0,letta' })).rejects.toThrow('BRIDGES names letta')
})

test.each(['Token', 'Api-Key', 'Bearer'])('the key is read after %s', async scheme => {
  const { anonymous, account } = await startService({ BRIDGES: 'zep' })
  const { client } = await account()
  const key = client.headers['x-api-key'] ?? ''
  const asked = anonymous.with({ authorization: `${scheme} ${key}` })
  expect((await asked.get('/v1/memories')).status).toBe(200)
  const missing = await asked.get('/bridges/zep/users/nobody')
  expect([missing.status, missing.body]).toEqual([404, { message: 'No user has this id.', error_code: 'NOT_FOUND' }])
})

test('bridges are no part of the reference', async () => {
  const { body } = await (await service()).anonymous.get('/openapi.json')
  expect(Object.keys(body.paths).filter(path => path.startsWith('/bridges'))).toEqual([])
})

test('a body that is missing is an empty one, in the shape of the other service', async () => {
  const { account } = await startService({ BRIDGES: 'supermemory' })
  const { client } = await account()
  const { status, body } = await client.request('POST', '/bridges/supermemory/v4/search')
  expect([status, body]).toEqual([400, { error: expect.stringContaining('q'), details: 'VALIDATION_ERROR' }])
})
