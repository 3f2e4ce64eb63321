import { beforeAll, describe, expect, test } from 'bun:test'
import type { Client } from '../support/client.ts'
import { NOBODY, type Subject, subject } from './subject.ts'

const MEMORY_PERMISSIONS = ['memory.read', 'memory.write', 'memory.delete', 'user.delete'] as const
type Permission = (typeof MEMORY_PERMISSIONS)[number]

const OPERATIONS: readonly (readonly [method: string, path: string, permission: Permission])[] = [
  ['GET', '/v1/memories', 'memory.read'],
  ['POST', '/v1/memories', 'memory.write'],
  ['DELETE', '/v1/memories', 'memory.delete'],
  ['POST', '/v1/memories/batch', 'memory.write'],
  ['GET', '/v1/memories/search', 'memory.read'],
  ['POST', '/v1/memories/search', 'memory.read'],
  ['POST', '/v1/memories/search/why', 'memory.read'],
  ['GET', '/v1/memories/entities', 'memory.read'],
  ['GET', '/v1/memories/categories', 'memory.read'],
  ['GET', `/v1/memories/profile/${NOBODY}/ada`, 'memory.read'],
  ['GET', `/v1/memories/${NOBODY}`, 'memory.read'],
  ['PUT', `/v1/memories/${NOBODY}`, 'memory.write'],
  ['DELETE', `/v1/memories/${NOBODY}`, 'memory.delete'],
  ['GET', `/v1/memories/${NOBODY}/history`, 'memory.read'],
  ['POST', `/v1/memories/${NOBODY}/promote`, 'memory.write'],
  ['POST', '/v1/memories/reprocess', 'memory.write'],
  ['POST', `/v1/memories/${NOBODY}/reprocess`, 'memory.write'],
  ['POST', `/v1/memories/${NOBODY}/restore`, 'memory.write'],
  ['POST', `/v1/memories/${NOBODY}/feedback`, 'memory.write'],
  ['GET', '/v1/users', 'memory.read'],
  ['DELETE', '/v1/users/ada', 'user.delete'],
  ['GET', `/v1/users/erasures/${NOBODY}`, 'user.delete'],
]

let service: Subject
const withJust = new Map<Permission, Client>()
const withAllBut = new Map<Permission, Client>()

beforeAll(async () => {
  service = await subject()
  const account = await service.account()
  for (const permission of MEMORY_PERMISSIONS) {
    const others = MEMORY_PERMISSIONS.filter(other => other !== permission)
    withJust.set(permission, await account.key({ permissions: [permission] }))
    withAllBut.set(permission, await account.key({ permissions: [...others, 'workspace.read', 'workspace.write'] }))
  }
})

describe('an operation on memories', () => {
  test.each([...OPERATIONS])('%s %s needs %s', async (method, path, permission) => {
    const options = method === 'GET' ? {} : { body: {} }
    const refused = await withAllBut.get(permission)?.request(method, path, options)
    expect([refused?.status, refused?.body.error_code]).toEqual([403, 'FORBIDDEN'])
    const allowed = await withJust.get(permission)?.request(method, path, options)
    expect(['UNAUTHORIZED', 'FORBIDDEN']).not.toContain(allowed?.body.error_code)
    expect(allowed?.status).not.toBe(401)
  })
})
