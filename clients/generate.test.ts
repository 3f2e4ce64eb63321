import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Json } from '../test/support/client.ts'
import { service } from '../test/support/service.ts'
import { generated } from './generate.ts'
import { describeApi } from './generator/describe.ts'

let served: Json

beforeAll(async () => {
  served = (await (await service()).anonymous.get('/openapi.json')).body
})

test('both clients are what the generator makes of the service as it is: `bun clients/generate.ts` writes them', () => {
  for (const [path, text] of generated(served)) {
    expect([path, readFileSync(new URL(path, import.meta.url), 'utf8') === text]).toEqual([path, true])
  }
})

test('clients have every operation of the service, and a class for every error code', () => {
  const typescript = generated(served).get('typescript/src/generated/api.ts') ?? ''
  const python = generated(served).get('python/src/mneme_client/generated/models.py') ?? ''
  const ids = Object.values<Json>(served.paths).flatMap(methods =>
    Object.values<Json>(methods).map(each => each.operationId),
  )
  expect(ids.length).toBeGreaterThan(100)
  for (const id of ids) {
    expect(typescript).toMatch(new RegExp(`^  ${id}: '[A-Z]+ /`, 'm'))
    expect(python).toMatch(new RegExp(`^    "${id}": "[A-Z]+ /`, 'm'))
  }
  for (const code of served.components.schemas.ApiError.properties.error_code.enum) {
    expect(typescript).toMatch(new RegExp(`^  ${code}: \\w+Error,$`, 'm'))
    expect(python).toMatch(new RegExp(`^    "${code}": \\w+Error,$`, 'm'))
  }
})

describe('the description of an operation', () => {
  test('says where each field goes, and what is required', () => {
    const { operations } = describeApi(served)
    const create = operations.find(({ name }) => name === 'createMemory')
    expect(create?.route).toBe('POST /v1/memories{?workspace_id}')
    expect(create?.input.filter(({ isRequired }) => isRequired).map(({ name }) => name)).toEqual(['memory'])
    const remove = operations.find(({ name }) => name === 'deleteMemories')
    expect(remove?.route).toContain('{!X-Confirm-Password}')
    expect(remove?.input.map(({ name }) => name)).toContain('confirm_password')
    expect(operations.find(({ name }) => name === 'downloadExport')).toMatchObject({ output: 'bytes' })
    expect(operations.find(({ name }) => name === 'ingestDocument')?.route).toEndWith(' form')
  })
})
