import { expect, test } from 'bun:test'
import { builtInPlugins } from '../../server/plugins.ts'
import { ConfigError, type Environment } from '../config.ts'
import { eraseTypes } from '../plugin.ts'
import { plan } from './plan.ts'
import type { LoadedPlugin } from './select.ts'

async function faultsOf(environment: Environment, loadThirdParty = async (): Promise<LoadedPlugin<unknown>[]> => []) {
  try {
    await plan({ environment, builtIn: builtInPlugins, loadThirdParty })
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ name }) => name).toSorted()
    throw error
  }
}

const wrong = {
  PORT: 'abc',
  TYPESENSE_URL: 'http://127.0.0.1:9',
  UNSTRUCTURED_FORMATS: 'XYZ',
  PLAN_FEATURES: 'pro:nope',
}
const settings = ['PLAN_FEATURES', 'PORT', 'TYPESENSE_API_KEY', 'UNSTRUCTURED_FORMATS']

test('every setting at fault is named at once, whichever part checks it', async () => {
  expect(await faultsOf(wrong)).toEqual(settings)
  expect(await faultsOf({ ...wrong, PLUGINS_DISABLED: 'nobody' })).toEqual([...settings, 'PLUGINS_DISABLED'].toSorted())
})

test('features are not judged by name where a plugin that may declare them could not be loaded', async () => {
  const lost = () =>
    Promise.reject(new ConfigError([{ name: 'PLUGINS', message: 'names ./lost.ts, which is not there.' }]))
  const environment = { ...wrong, PLUGINS: './lost.ts' }
  expect(await faultsOf(environment, lost)).toEqual(['PLUGINS', 'PORT', 'TYPESENSE_API_KEY', 'UNSTRUCTURED_FORMATS'])
  expect(await faultsOf({ ...environment, PLAN_FEATURES: 'pro' }, lost)).toContain('PLAN_FEATURES')
})

test('plugins of PLUGINS that require one of PLUGINS_DISABLED, however far, are left out with it', async () => {
  const plugin = (id: string, requires: string[]) =>
    eraseTypes({ id, version: '1', apiVersion: 1, requires, setup: () => ({ scope: undefined }) })
  const thirdParty = [plugin('digest', ['knowledge']), plugin('reader', ['memories'])]
  const { selection } = await plan({
    environment: { PLUGINS_DISABLED: 'graph' },
    builtIn: builtInPlugins,
    loadThirdParty: async () => thirdParty.map(each => ({ plugin: each, origin: `./${each.id}.ts` })),
  })
  expect(selection.disabled.map(({ id }) => id)).toEqual(['graph', 'knowledge', 'digest'])
  expect(selection.loaded.map(({ id }) => id)).toContain('reader')
})
