import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import type { LimitedPlan } from '../auth/plans.ts'
import { defineSetting } from '../auth/settings.ts'
import type { AnyPlugin } from '../plugin.ts'
import { checkManifests, ManifestError } from './check.ts'
import { checkGrants, collectEntitlements } from './entitlements.ts'
import { selectPlugins } from './select.ts'

function plugin(id: string, parts: Partial<AnyPlugin> = {}): AnyPlugin {
  return { id, version: '1.0.0', apiVersion: 1, setup: () => ({ scope: undefined }), ...parts } as AnyPlugin
}

const feature = (name: string, ...plans: LimitedPlan[]) => ({ name, description: 'Paint.', plans })
const quota = (name: string, limits = { free: 1, pro: 2, scale: 3 }) => ({ name, description: 'Cups.', limits })
const setting = (key: string, setBy?: { permission: string }) =>
  defineSetting({ key, schema: Type.Integer({ description: 'A number.' }), ...(setBy ? { setBy } : {}) })

function select(builtIn: AnyPlugin[], thirdParty: AnyPlugin[] = [], disabled: string[] = []) {
  return selectPlugins(
    builtIn,
    thirdParty.map(stranger => ({ plugin: stranger, origin: `./${stranger.id}.ts` })),
    disabled,
  )
}

function faultsOf(builtIn: AnyPlugin[], thirdParty: AnyPlugin[] = []): readonly string[] {
  try {
    checkManifests(select(builtIn, thirdParty))
    return []
  } catch (error) {
    if (error instanceof ManifestError) return error.faults
    throw error
  }
}

describe('features, quotas and settings of manifests', () => {
  test.each<[string, Partial<AnyPlugin>, Partial<AnyPlugin>, string]>([
    [
      'a feature',
      { features: [feature('painting', 'pro')] },
      { features: [feature('painting')] },
      'plugin beta: the feature painting is declared by both alpha and beta (alpha: built in, beta: built in); change one of them or leave one out',
    ],
    [
      'a quota',
      { quotas: [quota('cups')] },
      { quotas: [quota('cups')] },
      'plugin beta: the quota cups is declared by both alpha and beta (alpha: built in, beta: built in); change one of them or leave one out',
    ],
    [
      "a quota of the core's name",
      { quotas: [quota('requests')] },
      {},
      "plugin alpha: the quota requests is the core's own; choose another",
    ],
    [
      'a setting',
      { workspaceSettings: [setting('aims.cups')] },
      { workspaceSettings: [setting('aims.cups')] },
      'plugin beta: the workspace setting aims.cups is declared by both alpha and beta (alpha: built in, beta: built in); change one of them or leave one out',
    ],
    [
      'a setting inside of another',
      { workspaceSettings: [setting('aims')] },
      { workspaceSettings: [setting('aims.cups')] },
      'plugin beta: the workspace setting aims.cups lies inside aims, which alpha declares as a value',
    ],
    [
      'a feature that nobody declares',
      { feature: 'painting' },
      {},
      'plugin alpha: its feature painting, which no plugin declares; declare it, or load the plugin that does',
    ],
    [
      'a quota of the account that nothing counts',
      { quotas: [{ ...quota('cups'), per: 'account' }] },
      {},
      'plugin alpha: the quota cups is per account and needs a count; what a month consumes is added up by workspace',
    ],
    [
      'a setting that asks for a permission nobody declares',
      { workspaceSettings: [setting('aims', { permission: 'cup.break' })] },
      {},
      'plugin alpha: the workspace setting aims wants the permission cup.break, which no plugin declares; declare it, or load the plugin that does',
    ],
  ])('%s is refused', (_, first, second, message) => {
    expect(faultsOf([plugin('alpha', first), plugin('beta', second)])).toEqual([message])
  })

  test('of different plugins go together, and one plugin may stand for the feature of another', () => {
    const alpha = plugin('alpha', {
      feature: 'painting',
      features: [feature('painting')],
      workspaceSettings: [setting('aims.cups')],
    })
    expect(
      faultsOf([alpha, plugin('beta', { feature: 'painting', workspaceSettings: [setting('aims.jugs')] })]),
    ).toEqual([])
  })

  test("of third parties carry the plugin's name", () => {
    const kiln = plugin('kiln', {
      features: [feature('x_kiln'), feature('heat')],
      quotas: [quota('x_kiln_firings'), quota('x_kilns')],
      workspaceSettings: [setting('x_kiln.heat'), setting('targets.heat')],
    })
    expect(faultsOf([], [kiln])).toEqual([
      'plugin kiln: the feature heat must begin with x_kiln',
      'plugin kiln: the quota x_kilns must begin with x_kiln',
      'plugin kiln: the workspace setting targets.heat must begin with x_kiln',
    ])
  })
})

describe('PLAN_FEATURES', () => {
  const kiln = plugin('kiln', { features: [feature('x_kiln')] })
  const paint = plugin('paint', { features: [feature('painting', 'pro')] })

  test('puts features into further plans', () => {
    const selection = select([paint], [kiln])
    const config = { PLAN_FEATURES: 'pro:x_kiln, free:painting' }
    expect(checkGrants(selection, config)).toEqual([])
    const { plans } = collectEntitlements(selection, config)
    expect([...plans.planOf('free').features]).toEqual(['painting'])
    expect([...plans.planOf('pro').features]).toEqual(['painting', 'x_kiln'])
    expect([...plans.planOf('scale').features]).toEqual([])
  })

  test('is refused where it names no plan, no feature, or one that nobody declares', () => {
    const faults = checkGrants(select([paint], [kiln]), { PLAN_FEATURES: 'gold:x_kiln,pro,pro:x_kin,free:painting' })
    expect(faults).toEqual([
      { name: 'PLAN_FEATURES', message: expect.stringContaining('names gold:x_kiln, which is no plan') },
      { name: 'PLAN_FEATURES', message: expect.stringContaining('names pro, which is no plan') },
      {
        name: 'PLAN_FEATURES',
        message: 'names x_kin, which no plugin declares (there are: painting, x_kiln).',
      },
    ])
  })

  test('may name the feature of a plugin that is switched off, which is in no plan then', () => {
    const selection = select([paint], [], ['paint'])
    expect(checkGrants(selection, { PLAN_FEATURES: 'free:painting' })).toEqual([])
    const { plans } = collectEntitlements(selection, { PLAN_FEATURES: 'free:painting' })
    expect(plans.planOf('unlimited').features.size).toBe(0)
  })
})

test('settings of a plugin that is switched off stay, its quotas do not', () => {
  const paint = plugin('paint', { quotas: [quota('cups')], workspaceSettings: [setting('aims.cups')] })
  const { quotas, settings } = collectEntitlements(select([paint], [], ['paint']), {})
  expect(quotas.map(({ name }) => name)).toEqual(['requests', 'tokens', 'workspaces'])
  expect(settings.complete({ aims: { cups: 3 } })).toEqual({ daily_model_tokens: null, aims: { cups: 3 } })
})
