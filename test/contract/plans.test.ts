import { describe, expect, test } from 'bun:test'
import { collectEntitlements } from '../../core/boot/entitlements.ts'
import { selectPlugins } from '../../core/boot/select.ts'
import { builtInPlugins } from '../../server/plugins.ts'
import { subject } from './subject.ts'

const { plans, quotas, settings } = collectEntitlements(selectPlugins(builtInPlugins, [], []), {})

describe('the plans that the built-in plugins make', () => {
  test.each([
    ['free', 10_000, 100_000, 5_000_000, 3, 2],
    ['pro', 250_000, 2_000_000, 100_000_000, 20, 10],
    ['scale', 5_000_000, 50_000_000, 2_000_000_000, 200, 100],
    ['unlimited', null, null, null, null, null],
  ])('the quotas of %s', (plan, memories, requests, tokens, workspaces, webhooks) => {
    expect(plans.planOf(plan).quotas).toEqual({ memories, requests, tokens, workspaces, webhooks })
  })

  test.each([
    ['free', []],
    ['pro', ['hasKnowledgeGraph', 'ingest', 'templates', 'webhooks']],
    ['scale', ['exports', 'hasKnowledgeGraph', 'ingest', 'templates', 'webhooks']],
    ['unlimited', ['exports', 'hasKnowledgeGraph', 'ingest', 'templates', 'webhooks']],
  ])('the features of %s', (plan, features) => {
    expect([...plans.planOf(plan).features].toSorted()).toEqual(features)
  })

  test('every quota says what it counts', () => {
    for (const { description } of quotas) expect(description).toMatch(/^[A-Z].+\.$/)
  })
})

test('the settings of a workspace, with their defaults', () => {
  expect(settings.complete({})).toEqual({
    targets: { memories: null, requests: null, search_quality: null },
    consolidation: true,
    uniqueness: 'workspace',
    timezone: 'UTC',
    secrets: 'keep',
    conversation_instructions: null,
    task_ttl_days: null,
    language: null,
    daily_model_tokens: null,
    retention_days: null,
  })
})

test('an account has as many workspaces as the plan of its first one', async () => {
  const session = await (await (await subject()).account({ plan: 'free' })).signIn()
  const make = () => session.post('/v1/workspaces', { name: 'One more' })
  const responses = [await make(), await make(), await make()]
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 429])
  expect(responses[2]?.body.error_code).toBe('QUOTA_EXCEEDED')
})
